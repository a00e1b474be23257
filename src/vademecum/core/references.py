"""References: a result that stays and points back to one that left is told where that one is (C-18)."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.core.case import Case
from vademecum.core.draft import Draft, with_edits
from vademecum.core.edits import Edit, referring
from vademecum.core.identity import part_id
from vademecum.core.messages import Message
from vademecum.core.pairing import Spot, pair
from vademecum.core.reads import Access, access_of, accesses, refers_back
from vademecum.core.requests import Steps


def references(case: Case, draft: Draft) -> Steps[Draft]:
    """The draft with a restore id in each result that stays and says that one that left still holds."""
    edits: dict[Spot, Edit] = {}
    for spot in _pointing_back(case, draft):
        call = case.call_of(*spot)
        access = None if call is None else access_of(call, case.preset.reads)
        target = None if access is None else _target(case, draft, spot, access)
        if target:
            text = case.live[spot[0]].parts[spot[1]].text
            edits[spot] = Edit("note", referring(text, target))
    return (yield from with_edits(case, draft, edits))


def _pointing_back(case: Case, draft: Draft) -> list[Spot]:
    return [
        (index, number)
        for index in range(draft.fold, len(case.live))
        for number, part in enumerate(case.live[index].parts)
        if part.kind == "tool_result"
        and part.plain
        and (index, number) not in draft.edits
        and refers_back(part.text, case.preset.reads)
    ]


def _target(case: Case, draft: Draft, spot: Spot, access: Access) -> str:
    """The id of the result that is meant; empty where it still stands in the context, or was never there."""
    live = [entry for entry in accesses(case.live, case.pairing, case.preset.reads) if entry[0] < spot]
    found = _newest(case, case.live, live, access)
    if found is not None:
        return case.id_of(*found) if found[0] < draft.fold or found in draft.edits else ""
    past = accesses(case.past, pair(case.past), case.preset.reads)
    found = _newest(case, case.past, past, access)
    if found is None:
        return ""
    return part_id(case.past_nodes[found[0]], found[1], len(case.past[found[0]].parts))


def _newest(
    case: Case, messages: Sequence[Message], entries: list[tuple[Spot, Spot, Access]], access: Access
) -> Spot | None:
    """The newest result that showed what is asked for, else the newest of the same file."""
    shown = [
        (result, earlier)
        for result, _, earlier in entries
        if earlier.key == access.key and not refers_back(messages[result[0]].parts[result[1]].text, case.preset.reads)
    ]
    covering = [result for result, earlier in shown if earlier.covers(access)]
    return max(covering or [result for result, _ in shown], default=None)
