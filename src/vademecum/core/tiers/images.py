"""Images and documents before the tail become markers: what each was, and how to get it back."""

from __future__ import annotations

from vademecum.core.case import Case
from vademecum.core.draft import Draft, fits, with_edits
from vademecum.core.edits import Edit, marker
from vademecum.core.pairing import Spot
from vademecum.core.requests import Steps
from vademecum.core.tiers.tool_results import given_back, result_edits


def images(case: Case, draft: Draft) -> Steps[Draft]:
    """Marks the region's images and documents, those in results that are never stubbed too.

    The tier before may have found that its stubs alone do not reach the target; here they are counted in.
    """
    markers = {} if draft.fold >= draft.cut else media_edits(case, draft, draft.cut)
    if not markers:
        return draft.tried(case, "images", "nothing")
    results = result_edits(case, draft.cut)
    lean = yield from with_edits(case, draft, {**markers, **results})
    if not fits(case, lean):
        return draft.tried(case, "images", "too little")
    back = yield from given_back(case, lean, results)
    kept = yield from with_edits(case, draft, {**markers, **back})
    return kept.tried(case, "images", "helped")


def media_edits(case: Case, draft: Draft, stop: int) -> dict[Spot, Edit]:
    """A marker for every part with images or documents before `stop` that nothing else has changed.

    What the user showed with the newest request stays with it.
    """
    return {
        (index, number): Edit("marker", marker(case.bare(index, number), case.id_of(index, number)))
        for index in range(draft.fold, min(stop, case.answered))
        for number, part in enumerate(case.live[index].parts)
        if part.media
        and index != case.newest_typed
        and (index, number) not in draft.edits
        and (index, number) not in case.pinned
    }
