"""The ledger: exact names with the sentence that says what they are, chosen over the whole history.

A sentence is worth what its names are worth: their kind, how rare they are, whether the user said them
or a tool call used them, how recent they are. A name that stands already counts for little, so the
choice covers many names instead of repeating one. Names that only tool output has follow as bare lists.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

from vademecum.core.carry.scope import Scope
from vademecum.core.carry.seen import seen
from vademecum.core.carry.wording import neutral
from vademecum.core.facts.names import WEIGHTS
from vademecum.core.requests import NameStats, QueryFacts, Steps, StoredFact, count, facts

#: Sentences that are weighed, and as many typed lines, the weightiest: one for so many tokens of the section.
_TOKENS_EACH, _STEP = 10, 500
_LEAST_OFFERS, _MOST_OFFERS = 1_500, 3_000
_MOST_VALUES = 400
#: Tokens that changed values may take of a section that is small, up to half of it; of a large one they have a fifth.
_VALUES_LEAST = 1_500
#: What a name that stands already still adds, as a share of its worth.
_AGAIN = 0.05
#: Messages that one id stands for: it and those after it.
_NEIGHBOURS = 24
#: Bare lists of names may take this share of what the section has above so many tokens.
_SEEN_SHARE, _SEEN_ABOVE = 0.33, 4_000


@dataclass(frozen=True, slots=True)
class _Offer:
    """A sentence that may stand in the ledger, with what does not change while others are chosen.

    Attributes:
        fact: Where it is from.
        text: What would be written.
        tokens: What that costs.
        recency: 1 for what was said last, less for what is older.
        names: Its names, and what each is worth.
    """

    fact: StoredFact
    text: str
    tokens: int
    recency: float
    names: tuple[tuple[str, float], ...]

    def density(self, standing: set[str]) -> float:
        """Its worth per token, where some names stand already."""
        names = sum(worth * (_AGAIN if name in standing else 1.0) for name, worth in self.names)
        return self.fact.weight * (0.4 + names) * self.recency / (self.tokens + 4)


def ledger(scope: Scope, budget: int) -> Steps[str]:
    """Changed values, sentences by worth per token in the lineage's order, names that were only read."""
    values, outdated = yield from _values(scope)
    value_sizes = yield from count(tuple(values))
    # Values are dense, but others want room too.
    room, lines = max(budget // 5, min(budget // 2, _VALUES_LEAST)), list[str]()
    left = budget
    for line, size in zip(values, value_sizes, strict=True):
        if size <= room - (budget - left):
            lines.append(line)
            left -= size
    most = min(max(_LEAST_OFFERS, -(-budget // (_TOKENS_EACH * _STEP)) * _STEP), _MOST_OFFERS)
    said = yield from facts(QueryFacts(("statement", "error"), scope.until, most))
    typed = yield from facts(QueryFacts(("typed",), scope.until, most))
    offers = yield from _offers([fact for fact in (*said, *typed) if not _says(outdated, fact)], scope.until)
    lines += _grouped(_choose(offers, left - int(_SEEN_SHARE * max(0, budget - _SEEN_ABOVE)), scope))
    (used,) = yield from count(("\n".join(lines),))
    names = yield from seen(scope.after("\n".join(lines)), budget - used, typed)
    return "\n".join([*lines, *names])


def _values(scope: Scope) -> Steps[tuple[list[str], dict[str, list[str]]]]:
    """Lines of names whose value changed, the newest value and what it was; part id → values that are outdated."""
    found = yield from facts(QueryFacts(("value",), scope.until, _MOST_VALUES, newest_first=True))
    newest: dict[str, StoredFact] = {}
    older: dict[str, list[str]] = {}
    outdated: dict[str, list[str]] = {}
    for fact in found:
        if fact.key not in newest:
            newest[fact.key] = fact
        elif fact.text != newest[fact.key].text:
            outdated.setdefault(fact.id, []).append(fact.text)
            if fact.text not in older.setdefault(fact.key, []):
                older[fact.key].append(fact.text)
    lines = [
        f"- {fact.id} {neutral(key)} = {neutral(fact.text)} (changed; before: {neutral(', '.join(older[key][:2]))})"
        for key, fact in newest.items()
        if older.get(key)
    ]
    return lines, outdated


def _says(outdated: dict[str, list[str]], fact: StoredFact) -> bool:
    """Whether a sentence states a value that has changed since."""
    return any(value in fact.text for value in outdated.get(fact.id, ()))


def _offers(found: list[StoredFact], until: int) -> Steps[list[_Offer]]:
    unique: dict[str, StoredFact] = {}
    for fact in found:
        unique.setdefault(fact.text, fact)  # the newest saying of the same sentence stands
    texts = tuple(neutral(text.replace("**", "")) for text in unique)
    sizes = yield from count(tuple(f"{text}\n" for text in texts))
    worth = {name: _name_worth(stats) for fact in unique.values() for name, stats in fact.names}
    offers: list[_Offer] = []
    for fact, text, size in zip(unique.values(), texts, sizes, strict=True):
        names = tuple((name, worth[name]) for name, _ in fact.names[:6])
        offers.append(_Offer(fact, text, size, _recency(until - fact.position), names))
    return offers


def _choose(offers: list[_Offer], budget: int, scope: Scope) -> list[_Offer]:
    """Greedy by worth per token, which falls while names come to stand: the best of now is taken, again and again.

    Worth never rises, so an offer whose worth of now beats what the next one once had is the best there is.
    """
    standing: set[str] = set()
    open_messages: set[str] = set()
    open_stretches: set[int] = set()
    queue = [(-offer.density(standing), offer.fact.id, number) for number, offer in enumerate(offers)]
    heapq.heapify(queue)
    chosen: list[_Offer] = []
    while queue:
        _, id, number = heapq.heappop(queue)
        offer = offers[number]
        stretch = offer.fact.position // _NEIGHBOURS
        cost = offer.tokens + _HEAD_TOKENS * (stretch not in open_stretches) + _WHO_TOKENS * (id not in open_messages)
        if cost > budget:
            continue
        entry = (-offer.density(standing), id, number)
        if queue and entry > queue[0]:
            heapq.heappush(queue, entry)
            continue
        if offer.fact.text in scope.written:
            continue  # what another section shows needs no second place
        chosen.append(offer)
        budget -= cost
        open_messages.add(id)
        open_stretches.add(stretch)
        standing.update(name for name, _ in offer.fact.names)
    return chosen


def _recency(age: int) -> float:
    # Age in steps of two: what was said last is the likeliest to be needed, but old facts stay in the race.
    return 1.0 / (1.0 + 0.12 * math.log2(max(1, age)))


def _name_worth(stats: NameStats) -> float:
    rarity = 1.0 / (1.0 + 0.35 * math.log2(max(1, stats.messages)))
    use = 1.0 + 0.4 * bool(stats.users) + 0.3 * bool(stats.calls)
    return WEIGHTS.get(stats.kind, 0.5) * rarity * use


def _grouped(chosen: list[_Offer]) -> list[str]:
    """Sentences in the order of the lineage; an id now and then, and who said it where that changes."""
    ordered = sorted(chosen, key=lambda offer: (offer.fact.position, offer.fact.id, offer.fact.number))
    lines: list[str] = []
    who, stretch = "", -1
    for offer in ordered:
        said_by = _WHO.get(offer.fact.source, offer.fact.source)
        if offer.fact.position // _NEIGHBOURS != stretch:
            stretch, who = offer.fact.position // _NEIGHBOURS, said_by
            lines.append(f"[{offer.fact.id} {who}]")
        elif said_by != who:
            who = said_by
            lines.append(f"[{who}]")
        lines.append(offer.text)
    return lines


_WHO = {"user": "user", "assistant": "assistant", "call": "typed", "result": "tool output"}
#: Tokens that an id costs, and a change of who says it, half of the time.
_HEAD_TOKENS, _WHO_TOKENS = 12, 1
