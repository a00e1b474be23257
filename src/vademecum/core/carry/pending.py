"""Requests that are still open when their message leaves: they go on word for word."""

from __future__ import annotations

from vademecum.core.case import Case
from vademecum.core.draft import Draft
from vademecum.core.requests import QueryRequests, Steps, StoredFact, count, facts


def pending_requests(case: Case, draft: Draft, until: int, budget: int) -> Steps[tuple[StoredFact, ...]]:
    """The user's words that left and are not answered yet, oldest first.

    The newest one is always among them, unless a newer message of the user stays in the tail; the
    others as far as the budget goes. With no human turn at all nothing is invented.
    """
    stays = case.newest_typed >= draft.fold
    found = yield from facts(QueryRequests(until))
    offered = [fact for fact in found if fact.key == "open" or not stays]
    sizes = yield from count(tuple(fact.text for fact in offered))
    chosen: list[StoredFact] = []
    left = budget
    for fact, size in zip(offered, sizes, strict=True):
        if size <= left or (not chosen and not stays):
            chosen.append(fact)
            left -= size
    return tuple(reversed(chosen))
