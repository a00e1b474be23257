"""Repairs: what stays is made valid for the strictest consumer, once, in the same epoch."""

from __future__ import annotations

from vademecum.core.case import Case
from vademecum.core.draft import Draft, with_edits
from vademecum.core.edits import Edit
from vademecum.core.pairing import Spot
from vademecum.core.requests import Steps
from vademecum.core.text import clean, is_clean


def repairs(case: Case, draft: Draft) -> Steps[Draft]:
    """Answers calls that have no result, drops results that have no call, empty texts and unsafe characters."""
    edits: dict[Spot, Edit] = {}
    for spot in case.pairing.open_calls:
        # After the newest assistant message there are only results: its other calls are still running.
        running = spot[0] == case.answered - 1 and all(later.role == "tool" for later in case.live[case.answered :])
        if spot[0] >= draft.fold and not running:
            edits[spot] = Edit("answer", "")
    for spot in case.pairing.orphans:
        if spot[0] >= draft.fold:
            edits[spot] = Edit("drop", None)
    for index in range(draft.fold, len(case.live)):
        for number, part in enumerate(case.live[index].parts):
            spot = (index, number)
            if spot in draft.edits or spot in edits:
                continue
            if part.kind == "text" and not part.text.strip():
                edits[spot] = Edit("drop", None)
            elif not is_clean(part.text) and part.kind in ("text", "tool_result", "tool_call"):
                edits[spot] = Edit("clean", clean(part.text))
    answers = {spot: edit for spot, edit in edits.items() if edit.kind == "answer"}
    draft = yield from with_edits(case, draft, {spot: edit for spot, edit in edits.items() if spot not in answers})
    # An answer adds a message and changes no text of its call, so it does not go through the counting.
    merged = {**draft.edits, **{spot: edit for spot, edit in answers.items() if spot not in draft.edits}}
    return Draft(
        fold=draft.fold,
        cut=draft.cut,
        sizes=draft.sizes,
        edits=merged,
        narrative=draft.narrative,
        extractive=draft.extractive,
        summary_model=draft.summary_model,
        coverage=draft.coverage,
        rungs=draft.rungs,
    )
