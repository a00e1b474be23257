"""Repairs: what stays is made valid for the strictest consumer, once, in the same epoch."""

from __future__ import annotations

from dataclasses import replace

from vademecum.core.case import Case
from vademecum.core.draft import Draft, with_edits
from vademecum.core.edits import Edit, marker
from vademecum.core.pairing import Spot
from vademecum.core.requests import Steps
from vademecum.core.text import clean, clean_json, is_clean


def repairs(case: Case, draft: Draft) -> Steps[Draft]:
    """Answers calls that have no result where it belongs; drops stray results, empty texts, unsafe characters."""
    edits: dict[Spot, Edit] = {}
    answers: dict[Spot, str | None] = {}
    for spot in case.pairing.open_calls:
        # After the newest assistant message there are only results: its other calls are still running.
        running = spot[0] == case.answered - 1 and all(later.role == "tool" for later in case.live[case.answered :])
        if spot[0] >= draft.fold and not running:
            answers[spot] = None
    for spot in _late_results(case, draft):
        answers[case.pairing.call_of[spot]] = _moved(case, draft, spot)
        edits[spot] = Edit("drop", None)
    for spot in case.pairing.orphans:
        if spot[0] >= draft.fold:
            edits[spot] = Edit("drop", None)
    edits |= _unsafe(case, draft, edits)
    edits |= _unfollowed(case, draft, edits)
    draft = yield from with_edits(case, draft, edits)
    return replace(draft, answers=answers)


def _unfollowed(case: Case, draft: Draft, edits: dict[Spot, Edit]) -> dict[Spot, Edit]:
    """Reasoning that is an item of its own and whose item goes, since it was empty: it goes with it."""
    found: dict[Spot, Edit] = {}
    follows = False
    for index in range(len(case.live) - 1, draft.fold - 1, -1):
        message = case.live[index]
        spots = [(index, number) for number in range(len(message.parts))]
        left = [spot for spot in spots if (edit := edits.get(spot)) is None or edit.kind != "drop"]
        kinds = {message.parts[number].kind for _, number in left}
        if not left:
            continue
        if message.role == "assistant" and kinds == {"reasoning"}:
            emptied = any((index + 1, number) in edits for number in range(_parts(case, index + 1)))
            if not follows and (emptied or (index + 1, 0) in found):
                found.update((spot, Edit("drop", None)) for spot in spots)
        else:
            follows = message.role == "assistant"
    return found


def _parts(case: Case, index: int) -> int:
    return len(case.live[index].parts) if index < len(case.live) else 0


def _late_results(case: Case, draft: Draft) -> list[Spot]:
    """Results that stand apart from the batch of their call: the user spoke in between, for one."""
    found: list[Spot] = []
    for problem in case.dialect.problems(case.live[draft.fold :]):
        if problem.kind != "orphan_result":
            continue
        index = draft.fold + problem.index
        for number, part in enumerate(case.live[index].parts):
            spot = (index, number)
            if part.kind == "tool_result" and part.call_id == problem.detail and spot in case.pairing.call_of:
                found.append(spot)
    return found


def _moved(case: Case, draft: Draft, spot: Spot) -> str:
    part, edit = case.live[spot[0]].parts[spot[1]], draft.edits.get(spot)
    if edit is not None:
        return edit.text or ""
    return marker(case.bare(*spot), case.id_of(*spot)) if part.media else clean(part.text)


def _unsafe(case: Case, draft: Draft, edits: dict[Spot, Edit]) -> dict[Spot, Edit]:
    found: dict[Spot, Edit] = {}
    told = {
        (draft.fold + problem.index, problem.detail)
        for problem in case.dialect.problems(case.live[draft.fold :])
        if problem.kind in ("unclean", "empty")
    }
    for index in range(draft.fold, len(case.live)):
        for number, part in enumerate(case.live[index].parts):
            spot = (index, number)
            if spot in draft.edits or spot in edits:
                continue
            if part.kind == "text" and not part.text.strip():
                found[spot] = Edit("drop", None)
            elif part.kind == "tool_call" and (index, part.kind) in told:
                found[spot] = Edit("clean", clean_json(part.text))
            elif part.kind == "tool_result" and not part.text and not part.media and (index, part.kind) in told:
                found[spot] = Edit("clean", "")
            elif not is_clean(part.text) and part.kind in ("text", "tool_result", "tool_call"):
                found[spot] = Edit("clean", clean(part.text))
    return found
