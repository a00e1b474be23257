"""What the user said and which rules the user set, quoted, over the whole history."""

from __future__ import annotations

from vademecum.core.carry.room import best_that_fit
from vademecum.core.carry.scope import Scope
from vademecum.core.carry.wording import neutral
from vademecum.core.edits import cut
from vademecum.core.requests import QueryFacts, Steps, StoredFact, facts

#: A message longer than this is shown by its head and tail, in characters.
_LONGEST = 1_800
_MOST_MESSAGES = 400
_MOST_RULES = 300


def constraints(scope: Scope, budget: int) -> Steps[str]:
    """Rules that the user set, newest first while there is room, written oldest first."""
    found = yield from facts(QueryFacts(("constraint",), scope.until, _MOST_RULES, newest_first=True))
    unique: dict[str, StoredFact] = {}
    for fact in found:
        unique.setdefault(_folded(fact.text), fact)
    # A rule that the user repeated is the more binding one; among equals the newest.
    repeats = [sum(_folded(other.text) == key for other in found) for key in unique]
    ranked = sorted(
        zip(unique.values(), repeats, strict=True), key=lambda pair: (-min(pair[1], 3), -pair[0].position)
    )
    lines = [f'- {fact.id} "{neutral(fact.text)}"' for fact, _ in ranked]
    taken = yield from best_that_fit(lines, budget)
    chosen = sorted(taken, key=lambda index: ranked[index][0].position)
    return "\n".join(lines[index] for index in chosen)


def user_messages(scope: Scope, budget: int) -> Steps[str]:
    """The user's messages, newest first while there is room, written oldest first."""
    found = yield from facts(QueryFacts(("request",), scope.until, _MOST_MESSAGES, newest_first=True))
    pending = set(scope.pending_ids)
    # A message that is one rule and nothing else stands among the rules already.
    said = [fact for fact in found if fact.id not in pending and fact.text.strip()]
    offered = [fact for fact in said if f'"{neutral(fact.text.strip())}"' not in scope.written]
    lines = [f"- {fact.id} {neutral(cut(fact.text.strip(), _LONGEST, fact.id))}" for fact in offered]
    taken = yield from best_that_fit(lines, budget)
    return "\n".join(lines[index] for index in reversed(taken))


def _folded(text: str) -> str:
    return " ".join(text.lower().split())
