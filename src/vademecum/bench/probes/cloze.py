"""Cloze probes: a sentence of the region with a rare identifier masked."""

from __future__ import annotations

import random
import zlib
from collections import defaultdict

from vademecum.bench.passages import sentences
from vademecum.bench.probes.probe import (
    BLANK,
    FEWEST_WORDS,
    MOST_WORDS,
    Probe,
    ProbeKind,
    balanced,
    probe_id,
    third_of,
)
from vademecum.bench.probes.region import Region
from vademecum.bench.shapes import about, identifiers, ordinary_words

#: A rare identifier is named in so many messages at most.
RARE = 8
Found = tuple[int, str, str, str]


def cloze(region: Region, most: int, seed: int, *, holdout: bool = False) -> list[Probe]:
    """Cloze probes, balanced over where the gold stands, what it is, its third, and whether it is said again.

    Args:
        region: What is asked about.
        most: How many at most; fewer where the region has no more rare identifiers.
        seed: Of the choice.
        holdout: Those about the fifth of all identifiers that is kept back.
    """
    chance = region.chance(seed, "holdout" if holdout else "cloze")
    pools: dict[tuple[str, str, str, bool], list[tuple[str, Found]]] = defaultdict(list)
    for (name, where), found in sorted(_named(region).items()):
        if _kept_back(name) is not holdout:
            continue
        message, _, shape, sentence = found
        again = len(region.mentions[name]) > 1
        pools[where, _about(sentence, shape), third_of(message, region.stop), again].append((name, found))
    for pool in pools.values():
        chance.shuffle(pool)
    order = sorted(pools)
    chance.shuffle(order)
    chosen = balanced({key: pools[key] for key in order}, most)
    kind = "holdout" if holdout else "cloze"
    return [
        masked(
            region, kind, probe_id(kind, name, found[1], found[0]), name, found, _about(found[3], found[2]), chance
        )
        for name, found in chosen
    ]


def _kept_back(name: str) -> bool:
    """Whether an identifier is of the fifth that no run's ordinary probes ask for, whatever the seed."""
    return zlib.crc32(name.encode("utf-8", "surrogatepass")) % 5 == 0


def _named(region: Region) -> dict[tuple[str, str], Found]:
    """Rare identifier and whose words name it → the first such sentence that has words to ask with."""
    found: dict[tuple[str, str], Found] = {}
    for text in region.asked():
        for sentence in sentences(text.text):
            for shape, name, _ in identifiers(sentence):
                if (name, text.where) in found or not region.within(name) or len(region.mentions[name]) > RARE:
                    continue
                if asks(region, sentence, name):
                    found[name, text.where] = (text.message, text.where, shape, sentence)
    return found


def asks(region: Region, sentence: str, name: str) -> bool:
    """Whether a sentence with a name masked is a question: it has words to ask with, and one answer."""
    return len(ordinary_words(sentence, name)) >= FEWEST_WORDS and region.forms.one(sentence, name)


def _about(sentence: str, shape: str) -> str:
    """What a sentence is about: a decision, a constraint, a cause, else the identifier in it."""
    return next((topic for topic, pattern in about().items() if pattern.search(sentence)), shape)


def masked(
    region: Region, kind: ProbeKind, id: str, name: str, found: Found, topic: str, chance: random.Random
) -> Probe:
    """A sentence of the region with an identifier masked, as a probe.

    Args:
        region: Where it stands.
        kind: How it was chosen.
        id: The probe's id.
        name: The identifier: the gold.
        found: Message, whose words, shape, and the sentence.
        topic: What it is about.
        chance: Of which words are asked with.
    """
    message, where, shape, sentence = found
    return Probe(
        id=id,
        kind=kind,
        shape=shape,
        about=topic,
        where=where,
        message=message,
        third=third_of(message, region.stop),
        stated=len(region.mentions[name]),
        question=sentence.replace(name, BLANK),
        words=sample(ordinary_words(sentence, name), chance),
        gold=name,
    )


def sample(words: list[str], chance: random.Random) -> tuple[str, ...]:
    """At most six of some words, in their order."""
    if len(words) <= MOST_WORDS:
        return tuple(words)
    return tuple(words[at] for at in sorted(chance.sample(range(len(words)), MOST_WORDS)))
