"""Later system rows: the newest of each kind still instructs."""

from __future__ import annotations

from vademecum.core.carry.room import best_that_fit
from vademecum.core.carry.scope import Scope
from vademecum.core.carry.wording import neutral
from vademecum.core.edits import cut
from vademecum.core.requests import QueryFacts, Steps, StoredFact, facts

_MOST = 200
_LONGEST = 3_000


def instructions(scope: Scope, budget: int) -> Steps[str]:
    """The newest later system row of each kind, newest first while there is room, written oldest first."""
    found = yield from facts(QueryFacts(("standing",), scope.until, _MOST, newest_first=True))
    newest: dict[str, StoredFact] = {}
    for fact in found:
        if fact.position < len(scope.case.head):
            continue
        newest.setdefault(fact.key, fact)
    offered = list(newest.values())
    lines = [f"- {fact.id} {neutral(cut(fact.text.strip(), _LONGEST, fact.id))}" for fact in offered]
    taken = yield from best_that_fit(lines, budget)
    return "\n".join(lines[index] for index in reversed(taken))
