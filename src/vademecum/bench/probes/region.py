"""The region: what every arm is about to remove, and where each identifier of a lineage stands."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property

from vademecum.bench.lineage import CHARS_PER_TOKEN, Lineage, chars_of
from vademecum.bench.passages import ASKED, Passage, passages
from vademecum.bench.probes.forms import Forms
from vademecum.bench.probes.mentions import mentions

#: No arm that is said to compact keeps more of the end than this (the longest lean tail).
TAIL_TOKENS = 25_000


@dataclass(frozen=True)
class Region:
    """A lineage's prefix, read for probes.

    Attributes:
        lineage: The prefix.
        start: Index of the first message after the leading system rows.
        stop: Index of the first message of the tail.
        passages: What a model reads of the whole prefix.
        mentions: Identifier → the messages that it stands in, also within a longer name, each once, in order.
        shape: Identifier → its shape.
    """

    lineage: Lineage
    start: int
    stop: int
    passages: tuple[Passage, ...]
    mentions: dict[str, tuple[int, ...]]
    shape: dict[str, str]

    @cached_property
    def forms(self) -> Forms:
        """Which of its sentences are equal but for one name."""
        return Forms(self.passages)

    def chance(self, seed: int, kind: str) -> random.Random:
        """What a choice of probes of a kind is made with: the same for the same seed and lineage."""
        return random.Random(f"{seed} {kind} {self.lineage.name}")  # noqa: S311  # a sample, not a secret

    def within(self, name: str) -> bool:
        """Whether an identifier stands in the region and nowhere else, so that an arm must have kept it."""
        places = self.mentions.get(name, ())
        return bool(places) and self.start <= places[0] and places[-1] < self.stop

    def asked(self) -> list[Passage]:
        """The region's passages that probes may be about."""
        return [text for text in self.passages if text.where in ASKED and self.start <= text.message < self.stop]


def region_of(lineage: Lineage, tail: int = TAIL_TOKENS) -> Region:
    """Reads a lineage's prefix.

    Args:
        lineage: The prefix.
        tail: Tokens at the end (characters / 4) that are not asked about.
    """
    messages = lineage.messages
    left, stop = tail * CHARS_PER_TOKEN, len(messages)
    while stop > 0 and left > 0:
        stop -= 1
        left -= chars_of(messages[stop])
    start = next((at for at, message in enumerate(messages) if message.role != "system"), len(messages))
    texts = tuple(passages(messages))
    return Region(lineage, start, stop, texts, *mentions(texts))
