"""Future references: what the agent itself types into tool calls after the cut, and has seen before it."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.bench.lineage import CHARS_PER_TOKEN, chars_of
from vademecum.bench.passages import passages, sentences
from vademecum.bench.probes.cloze import Found, asks, masked
from vademecum.bench.probes.probe import Probe, probe_id
from vademecum.bench.probes.region import Region
from vademecum.bench.shapes import identifiers
from vademecum.core.messages import Message

#: How far ahead is looked, in tokens (characters / 4).
AHEAD_TOKENS = 150_000
#: Values that are typed anew each time tell nothing about memory.
NOT_ASKED = ("number",)


def future(region: Region, after: Sequence[Message], most: int, seed: int) -> list[Probe]:
    """Future-reference probes.

    Args:
        region: What is removed.
        after: The lineage's messages after the prefix.
        most: How many at most.
        seed: Of the choice.
    """
    chance = region.chance(seed, "future")
    names = [name for name in _typed(after) if region.within(name) and region.shape[name] not in NOT_ASKED]
    last = _last_named(region, set(names))
    names = [name for name in names if name in last]
    chance.shuffle(names)
    return [
        masked(region, "future", probe_id("future", name), name, last[name], region.shape[name], chance)
        for name in names[:most]
    ]


def _typed(after: Sequence[Message]) -> list[str]:
    """Identifiers in the arguments of the next calls, each once."""
    left, count = AHEAD_TOKENS * CHARS_PER_TOKEN, 0
    for message in after:
        left -= chars_of(message)
        if left < 0:
            break
        count += 1
    found = dict.fromkeys(
        name
        for passage in passages(after[:count])
        if passage.where == "call"
        for _, name, _ in identifiers(passage.text)
    )
    return list(found)


def _last_named(region: Region, names: set[str]) -> dict[str, Found]:
    """Identifier → message, whose words, shape, and sentence of its last mention that is a question."""
    found: dict[str, Found] = {}
    for text in region.asked():
        for sentence in sentences(text.text):
            for _, name, _ in identifiers(sentence):
                if name in names and asks(region, sentence, name):
                    found[name] = (text.message, text.where, region.shape[name], sentence)
    return found
