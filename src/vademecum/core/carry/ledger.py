"""The ledger: exact names with the sentence that says what they are, chosen over the whole history.

A sentence is worth what its names are worth: their kind, how rare they are, whether the user said them
or a tool call used them, how recent they are. A name that stands already counts for little, so the
choice covers many names instead of repeating one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from vademecum.core.carry.scope import Scope
from vademecum.core.carry.wording import neutral
from vademecum.core.facts.names import WEIGHTS
from vademecum.core.requests import NameStats, QueryFacts, Steps, StoredFact, count, facts

_MOST_STATEMENTS = 2_500
_MOST_VALUES = 400
#: What a name that stands already still adds, as a share of its worth.
_AGAIN = 0.15
#: Tokens that the id before a group of sentences costs.
_ID_TOKENS = 9


@dataclass(frozen=True, slots=True)
class _Offer:
    fact: StoredFact
    text: str
    tokens: int


def ledger(scope: Scope, budget: int) -> Steps[str]:
    """Changed values first, then sentences by worth per token; written in the lineage's order."""
    values = yield from _values(scope)
    value_sizes = yield from count(tuple(values))
    # Values are dense, but a fifth of the section is as much as they may take.
    left, lines = budget, list[str]()
    for line, size in zip(values, value_sizes, strict=True):
        if size <= left - budget * 4 // 5:
            lines.append(line)
            left -= size
    found = yield from facts(QueryFacts(("statement", "error", "typed"), scope.until, _MOST_STATEMENTS))
    offers = yield from _offers(found, scope)
    chosen = _choose(offers, left, scope)
    return "\n".join([*lines, *_grouped(chosen)])


def _values(scope: Scope) -> Steps[list[str]]:
    """Names whose value changed: the newest value, and that it is not the one it was."""
    found = yield from facts(QueryFacts(("value",), scope.until, _MOST_VALUES, newest_first=True))
    newest: dict[str, StoredFact] = {}
    older: dict[str, list[str]] = {}
    for fact in found:
        if fact.key not in newest:
            newest[fact.key] = fact
        elif fact.text != newest[fact.key].text and fact.text not in older.setdefault(fact.key, []):
            older[fact.key].append(fact.text)
    return [
        f"- {fact.id} {neutral(key)} = {neutral(fact.text)} (changed; before: {neutral(', '.join(older[key][:2]))})"
        for key, fact in newest.items()
        if older.get(key)
    ]


def _offers(found: tuple[StoredFact, ...], scope: Scope) -> Steps[list[_Offer]]:
    unique: dict[str, StoredFact] = {}
    for fact in found:
        # The newest saying of the same sentence stands; what another section shows needs no second place.
        if fact.text not in unique and fact.text not in scope.written:
            unique[fact.text] = fact
    texts = tuple(neutral(text) for text in unique)
    sizes = yield from count(tuple(f"- {text}\n" for text in texts))
    return [_Offer(fact, text, size) for fact, text, size in zip(unique.values(), texts, sizes, strict=True)]


def _choose(offers: list[_Offer], budget: int, scope: Scope) -> list[_Offer]:
    """Greedy by worth per token; worth is taken again when an offer comes up, since names may stand by then."""
    standing: set[str] = set()
    open_messages: set[str] = set()
    ranked = sorted(offers, key=lambda offer: (-_worth(offer, scope, standing) / (offer.tokens + 4), offer.fact.id))
    chosen: list[_Offer] = []
    waiting: list[_Offer] = []
    for bar, queue in ((0.6, ranked), (0.0, waiting)):
        for offer in list(queue):
            cost = offer.tokens + (0 if offer.fact.id in open_messages else _ID_TOKENS)
            if cost > budget:
                continue
            fresh = _worth(offer, scope, standing)
            if fresh < bar * _worth(offer, scope, set()):
                waiting.append(offer)
                continue
            chosen.append(offer)
            budget -= cost
            open_messages.add(offer.fact.id)
            standing.update(name for name, _ in offer.fact.names)
    return chosen


def _worth(offer: _Offer, scope: Scope, standing: set[str]) -> float:
    fact = offer.fact
    names = sum(_name_worth(stats) * (_AGAIN if name in standing else 1.0) for name, stats in fact.names[:6])
    # Age in steps of ten: what was said last is the likeliest to be needed, but old facts stay in the race.
    age = max(1, scope.until - fact.position)
    recency = 1.0 / (1.0 + 0.12 * math.log2(age))
    return fact.weight * (0.4 + names) * recency


def _name_worth(stats: NameStats) -> float:
    rarity = 1.0 / (1.0 + 0.35 * math.log2(max(1, stats.messages)))
    use = 1.0 + 0.4 * bool(stats.users) + 0.3 * bool(stats.calls)
    return WEIGHTS.get(stats.kind, 0.5) * rarity * use


def _grouped(chosen: list[_Offer]) -> list[str]:
    """Sentences of the same part under one id, in the lineage's order and the order of the text."""
    ordered = sorted(chosen, key=lambda offer: (offer.fact.position, offer.fact.id, offer.fact.number))
    lines: list[str] = []
    current = ""
    for offer in ordered:
        if offer.fact.id != current:
            current = offer.fact.id
            lines.append(f"{current} {_WHO.get(offer.fact.source, offer.fact.source)}:")
        lines.append(f"- {offer.text}")
    return lines


_WHO = {"user": "user", "assistant": "assistant", "call": "typed", "result": "tool output"}
