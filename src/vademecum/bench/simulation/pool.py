"""The questions of a simulation: about all that was seen so far, as many about its beginning as about its end."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from vademecum.bench.lineage import CHARS_PER_TOKEN, Lineage, chars_of
from vademecum.bench.probes.cloze import cloze
from vademecum.bench.probes.planted import planted
from vademecum.bench.probes.probe import Probe, Third, third_of
from vademecum.bench.probes.region import TAIL_TOKENS, region_of
from vademecum.core.messages import Message

#: Each third's share of the questions, as in the headline of a run: half about dialogue.
_SHARES = {"dialogue": 0.5, "call": 0.25, "result": 0.25}
_ALL = 1_000_000


@dataclass(frozen=True)
class Changed:
    """A setting that was planted: a probe without its values, and the messages that state them, in order."""

    probe: Probe
    values: tuple[tuple[int, str], ...]

    def at(self, seen: int) -> Probe | None:
        """What is right, and what is stale, when so many messages were seen; None before the first value."""
        known = [value for message, value in self.values if message < seen]
        return replace(self.probe, gold=known[-1], stale=tuple(known[:-1])) if known else None


@dataclass(frozen=True)
class Pool:
    """A lineage with planted settings and everything that can be asked about it.

    Attributes:
        lineage: What is unrolled.
        probes: Cloze probes, in an order that the seed chose.
        changed: The planted settings.
        ends: Characters up to and with each message.
    """

    lineage: Lineage
    probes: tuple[Probe, ...] = ()
    changed: tuple[Changed, ...] = ()
    ends: tuple[int, ...] = field(default=(), repr=False)

    def asked(self, seen: int, most: int) -> list[tuple[Third, Probe]]:
        """Cloze probes about the first so many messages without their newest 25,000 tokens.

        The same ones are asked again after later compactions as long as their share of the beginning lasts.
        """
        stop = self._region(seen)
        left = {
            (third, kind): round(most / 3 * share)
            for third in ("early", "middle", "late")
            for kind, share in _SHARES.items()
        }
        chosen: list[tuple[Third, Probe]] = []
        for probe in self.probes:
            if probe.message < stop:
                third = third_of(probe.message, stop)
                spot = third, "dialogue" if probe.where in ("user", "assistant") else probe.where
                if left.get(spot, 0) > 0:
                    left[spot] -= 1
                    chosen.append((third, probe))
        return chosen

    def settings(self, seen: int) -> list[Probe]:
        """The planted settings as they stand after so many messages without the newest ones."""
        stop = self._region(seen)
        return [probe for one in self.changed if (probe := one.at(stop)) is not None]

    def _region(self, seen: int) -> int:
        stop = seen
        while stop and self.ends[seen - 1] - self.ends[stop - 1] < TAIL_TOKENS * CHARS_PER_TOKEN:
            stop -= 1
        return stop


def pool_of(lineage: Lineage, seed: int) -> Pool:
    """Reads a lineage for questions.

    Args:
        lineage: What is unrolled.
        seed: Of the choice.
    """
    extra = planted(region_of(lineage), seed)
    probes = cloze(region_of(extra.lineage, tail=0), _ALL, seed)
    probes.sort(key=lambda probe: hashlib.sha256(f"{seed} {probe.id}".encode()).digest())
    fresh = [
        (index, message)
        for index, (message, old) in enumerate(zip(extra.lineage.messages, lineage.messages, strict=True))
        if message is not old
    ]
    changed = tuple(Changed(probe, tuple(_stated(probe, fresh))) for probe in extra.latest)
    ends = tuple(accumulate(map(chars_of, extra.lineage.messages)))
    return Pool(extra.lineage, tuple(probes), changed, ends)


def _stated(probe: Probe, fresh: Sequence[tuple[int, Message]]) -> Iterator[tuple[int, str]]:
    """The messages that state the setting's values, in order."""
    values = (*probe.stale, probe.gold)
    places = [(index, message) for index, message in fresh]
    for value in values:
        yield next(
            (index, value)
            for index, message in places
            if value in message.text() and any(word in message.text() for word in probe.words)
        )
