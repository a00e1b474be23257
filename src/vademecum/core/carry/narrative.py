"""The story: a model's summary, or the ends of the turns as the agent itself reported them."""

from __future__ import annotations

from vademecum.core.carry.room import best_that_fit
from vademecum.core.carry.scope import Scope
from vademecum.core.carry.wording import neutral
from vademecum.core.facts.names import names_in
from vademecum.core.requests import QueryFacts, Steps, count, facts
from vademecum.core.text import one_line

_MOST = 300
#: Characters of a report: the newest ones in full, older ones shorter and shorter.
_NEWEST, _OLDER, _OLDEST = 1_400, 600, 240
#: Below so many tokens nothing is put behind a summary.
_WORTH = 60


def narrative(scope: Scope, budget: int) -> Steps[str]:
    """A model's summary, beside it what it does not name; else the agent's reports at the ends of turns."""
    told = neutral(scope.draft.narrative)
    if not told:
        return (yield from reports(scope.until, budget)) if scope.draft.extractive else ""
    if scope.case.preset.carry.is_a_story:
        return told
    (size,) = yield from count((told,))
    if budget - size < _WORTH:
        return told
    more = yield from reports(scope.until, budget - size, beside=told)
    return f"{told}\n{more}" if more else told


def reports(until: int, budget: int, *, beside: str = "") -> Steps[str]:
    """The agent's reports at the ends of turns, oldest first.

    Args:
        until: Position in the lineage before which they stand.
        budget: Tokens that they may take.
        beside: What stands already: a report that names nothing else is left out.
    """
    found = yield from facts(QueryFacts(("outcome",), until, _MOST, newest_first=True))
    lines = [f"- {fact.id} {neutral(one_line(fact.text, _length(age)))}" for age, fact in enumerate(found)]
    if beside:
        lines = [line for line in lines if any(name not in beside for name in names_in(line.split(" ", 2)[-1]))]
    taken = yield from best_that_fit(lines, budget)
    return "\n".join(lines[index] for index in reversed(taken))


def _length(age: int) -> int:
    if age < 3:
        return _NEWEST
    return _OLDER if age < 15 else _OLDEST
