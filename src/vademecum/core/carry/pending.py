"""Requests that are still open when their message leaves: they go on word for word."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vademecum.core.case import Case
from vademecum.core.draft import SMALLEST_CARRY, Draft
from vademecum.core.edits import cut, marker
from vademecum.core.identity import part_id
from vademecum.core.redacted import redacted_part
from vademecum.core.requests import QueryRequests, Steps, StoredFact, count, facts


@dataclass(frozen=True, slots=True)
class Pending:
    """Requests that go on.

    Attributes:
        facts: The user's words, oldest first.
        shortened: Ids of those that were cut, because with them the context would exceed the window.
    """

    facts: tuple[StoredFact, ...] = ()
    shortened: frozenset[str] = frozenset()


def pending_requests(case: Case, draft: Draft, until: int, budget: int) -> Steps[Pending]:
    """The user's words that left and are not answered yet.

    All of the newest message is always among them, unless a newer one of the user stays in the tail; the
    others as far as the budget goes. With no human turn at all nothing is invented.
    """
    stays = case.newest_typed >= draft.fold
    found = yield from facts(QueryRequests(until))
    if not stays and case.newest_typed >= 0:
        found = _as_it_stands(case, found)
    offered = [fact for fact in found if fact.key == "open" or not stays]
    sizes = yield from count(tuple(fact.text for fact in offered))
    newest: list[tuple[StoredFact, int]] = []
    older: list[StoredFact] = []
    left = budget
    for fact, size in zip(offered, sizes, strict=True):
        if not stays and fact.position == offered[0].position:
            newest.append((fact, size))
            left -= size
        elif size <= left:
            older.append(fact)
            left -= size
    fitted = _fitted(case, draft, newest)
    pictures = () if stays else _pictures(case, [fact for fact, _ in newest])
    facts_in_order = sorted((*fitted, *older, *pictures), key=lambda fact: (fact.position, fact.number))
    whole = {fact.text for fact, _ in newest}
    return Pending(tuple(facts_in_order), frozenset(fact.id for fact in fitted if fact.text not in whole))


def _as_it_stands(case: Case, found: tuple[StoredFact, ...]) -> tuple[StoredFact, ...]:
    """The requests; those of the newest message in its words of now: a caller may have edited it, or put it in."""
    at = case.newest_typed
    position, parts = case.positions[at], case.live[at].parts
    typed = [(number, case.redact(part.text)) for number, part in enumerate(parts) if part.typed]
    if all(any(fact.text == text for fact in found) for _, text in typed):
        return found
    now = [
        StoredFact("request", "user", text, "open", 1.0, position, case.id_of(at, number), number=number)
        for number, text in typed
    ]
    return (*now, *(fact for fact in found if fact.position != position))


def _pictures(case: Case, newest: list[StoredFact]) -> tuple[StoredFact, ...]:
    """Markers of what the newest message shows beside its words; they are not to be lost with it (C-19)."""
    places = {fact.id: fact.position for fact in newest}
    for messages, nodes in ((case.live, case.nodes), (case.past, case.past_nodes)):
        for message, node in zip(reversed(messages), reversed(nodes), strict=True):
            if not message.typed:
                continue
            ids = [part_id(node, number, len(message.parts)) for number in range(len(message.parts))]
            position = next((places[id] for id in ids if id in places), None)
            if position is not None:
                return tuple(
                    StoredFact(
                        "request",
                        "user",
                        marker(redacted_part(part, case.redact), id),
                        "open",
                        1.0,
                        position,
                        id,
                        number=number,
                    )
                    for number, (part, id) in enumerate(zip(message.parts, ids, strict=True))
                    if part.kind in ("image", "document")
                )
            break
    return ()


def _fitted(case: Case, draft: Draft, newest: list[tuple[StoredFact, int]]) -> list[StoredFact]:
    """The newest message's texts, cut in proportion where the context would exceed the window with them."""
    room = max(400, case.budget.usable - case.fixed - draft.live_tokens - SMALLEST_CARRY)
    total = sum(size for _, size in newest)
    if total <= room:
        return [fact for fact, _ in newest]
    return [
        replace(fact, text=cut(fact.text, max(80, int(len(fact.text) * room / total * 0.9) - 160), fact.id))
        for fact, _ in newest
    ]
