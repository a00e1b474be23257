"""One line per tool call that changed something or failed."""

from __future__ import annotations

from vademecum.core.carry.room import best_that_fit
from vademecum.core.carry.scope import Scope
from vademecum.core.carry.wording import neutral
from vademecum.core.requests import QueryFacts, Steps, StoredFact, facts

_MOST = 500


def actions(scope: Scope, budget: int) -> Steps[str]:
    """Actions and failures, newest first while there is room, written oldest first; repeats are counted."""
    found = yield from facts(QueryFacts(("action", "failure"), scope.until, _MOST, newest_first=True))
    newest: dict[str, StoredFact] = {}
    times: dict[str, int] = {}
    for fact in found:
        newest.setdefault(fact.text, fact)
        times[fact.text] = times.get(fact.text, 0) + 1
    lines = [_line(fact, times[fact.text]) for fact in newest.values()]
    taken = yield from best_that_fit(lines, budget)
    return "\n".join(lines[index] for index in reversed(taken))


def _line(fact: StoredFact, times: int) -> str:
    failed = "FAILED " if fact.kind == "failure" else ""
    repeated = f" (×{times})" if times > 1 else ""
    return f"- {fact.id} {failed}{neutral(fact.text)}{repeated}"
