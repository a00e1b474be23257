"""Widening: room that the carry did not need goes to the newest rounds of the region, their results stubbed.

Early in a session there is little to carry. Without this the floor would begin low and creep up to the
target; with it every compaction ends near its target, and what was said last stays in full.
"""

from __future__ import annotations

from dataclasses import replace

from vademecum.core.case import Case
from vademecum.core.draft import Draft, with_edits
from vademecum.core.edits import Edit
from vademecum.core.pairing import Spot
from vademecum.core.requests import Steps
from vademecum.core.tail import lean_size, stub_edit, stubbable

#: Less room than this share of the target's is not worth another look.
_WORTH = 0.04


def widened(case: Case, draft: Draft, spare: int) -> Steps[Draft]:
    """The draft with as many of the region's newest rounds as `spare` tokens have room for.

    Nothing changes where little is spare, where the region has not left, or where no target is set and
    any reduction counts.
    """
    if not case.aims or not draft.fold or spare < _WORTH * case.room:
        return draft
    fold = draft.fold
    inside = [cut for cut in case.cuts if cut <= draft.fold]
    for newer, cut in zip(reversed(inside[1:]), reversed(inside[:-1]), strict=True):
        size = lean_size(case, cut, newer)
        if size > spare:
            break
        spare -= size
        fold = cut
    edits: dict[Spot, Edit] = {spot: stub_edit(case, spot) for spot in stubbable(case, fold, draft.fold)}
    for index in range(fold, draft.fold):
        for number, part in enumerate(case.live[index].parts):
            if part.kind == "reasoning":
                edits[index, number] = Edit("drop", None)
    return (yield from with_edits(case, replace(draft, fold=fold), edits))
