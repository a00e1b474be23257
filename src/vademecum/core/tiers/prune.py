"""Tier 2: whatever is not the tail folds into the carry, and the tail itself is cut until it fits."""

from __future__ import annotations

from dataclasses import replace

from vademecum.core.case import Case
from vademecum.core.draft import SMALLEST_CARRY, Draft, fits, least_carry, most_live, with_edits
from vademecum.core.oversized import cut_to, images_out, results_out
from vademecum.core.requests import Steps
from vademecum.core.tail import stub_edit, stubbable


def prune(case: Case, draft: Draft) -> Steps[Draft]:
    """Always succeeds on whatever is not pinned, dialogue included."""
    before = draft.live_tokens
    draft = replace(draft, fold=draft.cut)
    limit = max(1, most_live(case))
    if not fits(case, draft):
        stubs = {spot: stub_edit(case, spot) for spot in stubbable(case, draft.cut, len(case.live))}
        draft = yield from with_edits(case, draft, stubs)
    if not fits(case, draft):
        draft = yield from cut_to(case, draft, limit)
    # The newest words of the user are cut only where they alone exceed the window.
    usable = case.budget.usable - case.fixed - max(least_carry(case), SMALLEST_CARRY)
    draft = _shorter_tail(case, draft, usable - _request(case, draft))
    if draft.live_tokens > usable:
        draft = yield from images_out(case, draft, max(1, usable))
    if draft.live_tokens > usable:
        draft = yield from results_out(case, draft, max(1, usable))
    if draft.live_tokens > usable:
        draft = yield from cut_to(case, draft, max(1, usable), newest_too=True)
    return draft.tried(case, "prune", "helped" if draft.live_tokens < before else "nothing")


def _request(case: Case, draft: Draft) -> int:
    """Tokens of the user's newest words where they have left the tail: they go on word for word in the carry."""
    return case.sizes[case.newest_typed] if 0 <= case.newest_typed < draft.cut else 0


def _shorter_tail(case: Case, draft: Draft, limit: int) -> Draft:
    """Folds rounds of the tail too, where a large request leaves no room for them; the newest round stays."""
    last = case.newest_typed if case.newest_typed >= draft.cut else len(case.live)
    for cut in case.cuts[:-1]:
        if sum(draft.sizes[draft.cut :]) <= limit or cut > last:
            break
        if cut > draft.cut:
            draft = replace(draft, cut=cut, fold=cut)
    return draft
