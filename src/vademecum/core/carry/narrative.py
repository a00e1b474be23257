"""The story: a model's summary, or the ends of the turns as the agent itself reported them."""

from __future__ import annotations

from vademecum.core.carry.room import best_that_fit
from vademecum.core.carry.scope import Scope
from vademecum.core.carry.wording import neutral
from vademecum.core.requests import QueryFacts, Steps, facts
from vademecum.core.text import one_line

_MOST = 300
#: Characters of a report: the newest ones in full, older ones shorter and shorter.
_NEWEST, _OLDER, _OLDEST = 1_400, 600, 240


def narrative(scope: Scope, budget: int) -> Steps[str]:
    """A model's summary as it is, else the agent's reports at the ends of turns, oldest first."""
    if scope.draft.narrative:
        return neutral(scope.draft.narrative)
    if not scope.draft.extractive:
        return ""
    found = yield from facts(QueryFacts(("outcome",), scope.until, _MOST, newest_first=True))
    lines = [f"- {fact.id} {neutral(one_line(fact.text, _length(age)))}" for age, fact in enumerate(found)]
    taken = yield from best_that_fit(lines, budget)
    return "\n".join(lines[index] for index in reversed(taken))


def _length(age: int) -> int:
    if age < 3:
        return _NEWEST
    return _OLDER if age < 15 else _OLDEST
