"""Fact probes: a model writes the questions, and each is checked mechanically before it is asked (B-2)."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vademecum.bench.answerers.present import present
from vademecum.bench.passages import Passage
from vademecum.bench.probes.cloze import sample
from vademecum.bench.probes.probe import FEWEST_WORDS, Probe, balanced, probe_id, third_of
from vademecum.bench.probes.region import Region
from vademecum.bench.probes.slices import spread
from vademecum.bench.shapes import about, identifiers, ordinary_words

#: The shape of a gold that is no identifier; a judge without a model cannot tell its right answers.
PHRASE = "phrase"
_SHORTEST, _LONGEST = 2, 200
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Facts:
    """The questions that a writer's answers came to.

    Attributes:
        probes: Those that are asked.
        written: How many it wrote.
        rejects: Why → how many were refused.
        spare: How many were right and more than wanted.
    """

    probes: tuple[Probe, ...]
    written: int
    rejects: Mapping[str, int]
    spare: int


def facts(region: Region, written: Mapping[int, Sequence[dict[str, Any]]], most: int, seed: int) -> Facts:
    """Checks what was written about each slice and chooses from all of them.

    Args:
        region: What is asked about.
        written: Number of a slice → the questions as the writer gave them.
        most: How many are wanted.
        seed: Of the choice of query words.
    """
    check = _Check(region, region.chance(seed, "fact"))
    rejects: Counter[str] = Counter()
    pools: dict[int, list[Probe]] = {}
    for number in sorted(written):
        for row in written[number]:
            made = check(row)
            if isinstance(made, str):
                rejects[made] += 1
            else:
                pools.setdefault(number, []).append(made)
    order = spread(max(pools, default=0) + 1)
    chosen = balanced({number: pools[number] for number in order if number in pools}, most)
    chosen.sort(key=lambda probe: (probe.message, probe.id))
    right = sum(map(len, pools.values()))
    total = sum(map(len, written.values()))
    return Facts(tuple(chosen), total, dict(sorted(rejects.items())), right - len(chosen))


class _Check:
    """Makes a probe of a written question, or says why not.

    Args:
        region: What is asked about.
        chance: Of the choice of query words.
    """

    def __init__(self, region: Region, chance: random.Random) -> None:
        self._region = region
        self._chance = chance
        self._asked: dict[int, list[Passage]] = {}
        for text in region.asked():
            self._asked.setdefault(text.message, []).append(text)
        outside = [text for text in region.passages if not region.start <= text.message < region.stop]
        self._head = [text.text for text in outside if text.message < region.start]
        self._tail = [text.text for text in outside if text.message >= region.stop]
        self._golds: set[str] = set()
        self._questions: set[str] = set()

    def __call__(self, row: dict[str, Any]) -> Probe | str:
        question, gold = row.get("question"), row.get("gold")
        if not isinstance(question, str) or not isinstance(gold, str):
            return "malformed"
        question, gold = question.strip(), gold.strip()
        fault = self._fault(question, gold)
        if fault:
            return fault
        place = self._place(gold, row.get("message"))
        if place is None:
            return "not_located" if any(self._stands(gold, texts) for texts in self._asked.values()) else "not_there"
        words = ordinary_words(question, gold)
        if len(words) < FEWEST_WORDS:
            return "no_words"
        self._golds.add(gold.casefold())
        self._questions.add(_SPACE.sub(" ", question.casefold()))
        return self._probe(question, gold, place, words)

    def _fault(self, question: str, gold: str) -> str:
        """What is wrong with a question whatever the region says."""
        if not _SHORTEST <= len(gold) <= _LONGEST or not question:
            return "malformed"
        if gold.casefold() in question.casefold():
            return "names_gold"
        if gold.casefold() in self._golds or _SPACE.sub(" ", question.casefold()) in self._questions:
            return "duplicate"
        if present(gold, self._head):
            return "in_head"
        return "in_tail" if present(gold, self._tail) else ""

    def _place(self, gold: str, told: object) -> Passage | None:
        """The text that a gold stands in: in the message that the writer named, or in the only one there is."""
        if isinstance(told, str):
            told = int(told) if told.strip().isdigit() else None
        if isinstance(told, int) and (named := self._stands(gold, self._asked.get(told, ()))):
            return named
        found = [text for texts in self._asked.values() if (text := self._stands(gold, texts))]
        return found[0] if len(found) == 1 else None

    @staticmethod
    def _stands(gold: str, texts: Sequence[Passage]) -> Passage | None:
        return next((text for text in texts if present(gold, [text.text])), None)

    def _probe(self, question: str, gold: str, place: Passage, words: list[str]) -> Probe:
        region = self._region
        shape = next((shape for shape, name, _ in identifiers(gold) if name == gold), PHRASE)
        said = next((line for line in place.text.splitlines() if gold in line), gold)
        return Probe(
            id=probe_id("fact", question, gold),
            kind="fact",
            shape=shape,
            about=next((topic for topic, pattern in about().items() if pattern.search(said)), shape),
            where=place.where,
            message=place.message,
            third=third_of(place.message, region.stop),
            stated=len({text.message for text in region.passages if present(gold, [text.text])}),
            question=question,
            words=sample(words, self._chance),
            gold=gold,
        )
