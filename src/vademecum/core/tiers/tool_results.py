"""Micro-compaction: old tool results become short stubs that say what left and how to get it back."""

from __future__ import annotations

from vademecum.core.case import Case
from vademecum.core.draft import Draft, fits, most_live, with_edits
from vademecum.core.edits import Edit
from vademecum.core.pairing import Spot
from vademecum.core.requests import Steps, count
from vademecum.core.tail import stub_edit, stubbable
from vademecum.core.tokens import image_tokens


def tool_results(case: Case, draft: Draft) -> Steps[Draft]:
    """Stubs the region's results and drops its reasoning, then gives the newest results back that fit."""
    if draft.fold >= draft.cut:
        return draft.tried(case, "tool_results", "nothing")
    edits = result_edits(case, draft.cut)
    if not edits:
        return draft.tried(case, "tool_results", "nothing")
    lean = yield from with_edits(case, draft, edits)
    if not fits(case, lean):
        # All of the region has to leave anyway, and the next tiers read the originals.
        return draft.tried(case, "tool_results", "nothing" if lean.live_tokens >= draft.live_tokens else "too little")
    kept = yield from with_edits(case, draft, (yield from given_back(case, lean, edits)))
    return kept.tried(case, "tool_results", "helped")


def result_edits(case: Case, stop: int) -> dict[Spot, Edit]:
    """A stub for every result before `stop` that may become one, and the reasoning there gone.

    Where the tail is counted in messages, as many of the newest results stay whole.
    """
    whole = 0 if case.aims else case.preset.tail.messages_at(case.budget.acting_trigger)
    fresh = [spot for spot in stubbable(case, 0, len(case.live)) if spot not in case.superseded]
    newest = set(fresh[-whole:] if whole else ())
    stubs = {spot: stub_edit(case, spot) for spot in stubbable(case, 0, stop) if spot not in newest}
    return stubs | _reasoning(case, stop)


def given_back(case: Case, lean: Draft, edits: dict[Spot, Edit]) -> Steps[dict[Spot, Edit]]:
    """The edits without those of the newest results that still fit under the target.

    Without a target nothing comes back: the room below the trigger is for what comes next. Reads of files that
    changed since come back last, and one whose lines a newer result shows does not, however much room there is.
    """
    if not case.aims:
        return edits
    stubs = [spot for spot in sorted(edits, reverse=True) if edits[spot].kind == "stub"]
    spots = [spot for spot in stubs if spot not in case.superseded]
    spots += [spot for spot in stubs if spot in case.superseded and case.superseded[spot].how == "changed"]
    parts = [case.live[index].parts[number] for index, number in spots]
    counts = yield from count((*(part.text for part in parts), *(edits[spot].text or "" for spot in spots)))
    spare = most_live(case) - lean.live_tokens
    left = dict(edits)
    for number, (spot, part) in enumerate(zip(spots, parts, strict=True)):
        spare -= counts[number] + image_tokens(part) - counts[len(spots) + number]
        if spare < 0:
            break
        del left[spot]
    return left


def _reasoning(case: Case, stop: int) -> dict[Spot, Edit]:
    """Reasoning of the region goes as a whole: a signature does not outlive a change of its text."""
    return {
        (index, number): Edit("drop", None)
        for index in range(stop)
        for number, part in enumerate(case.live[index].parts)
        if part.kind == "reasoning"
    }
