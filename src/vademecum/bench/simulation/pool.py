"""The questions of a simulation: about all that was seen so far, as many about its beginning as about its end."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import accumulate

from vademecum.bench.answerers.reader import Read
from vademecum.bench.lineage import CHARS_PER_TOKEN, Lineage, chars_of
from vademecum.bench.passages import passages
from vademecum.bench.probes.cloze import cloze
from vademecum.bench.probes.planted import planted
from vademecum.bench.probes.probe import Probe, third_of
from vademecum.bench.probes.region import TAIL_TOKENS, region_of
from vademecum.bench.simulation.answers import THIRDS, Question
from vademecum.bench.simulation.salt import again, namer, renamer
from vademecum.core.messages import Message

#: Each third's share of the questions, as in the headline of a run: half about dialogue.
_SHARES = {"dialogue": 0.5, "call": 0.25, "result": 0.25}
_ALL = 1_000_000
_APART = "\n\n"


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

    It may be gone through several times, each time with other identifiers. A sentence is then said once in each
    pass, with the same ordinary words and another identifier; a question cannot tell which pass it means, so each
    of the names that were seen is right. Of a setting the newest value is right, as ever.

    Attributes:
        lineage: What is unrolled.
        probes: Cloze probes, in an order that the seed chose.
        changed: The planted settings.
        read: All of the lineage as the reader takes it in; None where nothing is asked.
    """

    lineage: Lineage
    probes: tuple[Probe, ...] = ()
    changed: tuple[Changed, ...] = ()
    read: Read | None = field(default=None, repr=False)

    def taken(self, passes: int) -> Iterator[tuple[Message, ...]]:
        """The messages of each pass, made when they are asked for."""
        yield self.lineage.messages
        for number in range(1, passes):
            yield tuple(again(self.lineage, number, self._place(0, number)))

    def size(self, passes: int) -> int:
        """How many messages so many passes have."""
        return self._place(0, passes)

    def asked(self, seen: int, most: int) -> list[Question]:
        """Cloze probes about the first so many messages without their newest 25,000 tokens.

        The same ones are asked again after later compactions as long as their share of the beginning lasts.
        """
        stop = min(self._region(seen), len(self.lineage.messages))
        left = {(third, kind): round(most / 3 * share) for third in THIRDS for kind, share in _SHARES.items()}
        chosen: list[Question] = []
        for probe in self.probes:
            if probe.message < stop:
                third = third_of(probe.message, stop)
                spot = third, "dialogue" if probe.where in ("user", "assistant") else probe.where
                if left.get(spot, 0) > 0:
                    left[spot] -= 1
                    chosen.append(Question(third, probe, self._golds(probe, seen)))
        return chosen

    def again(self, asked: Sequence[Question], seen: int) -> list[Question]:
        """Questions that were asked before, with what is right when so many messages were seen."""
        return [replace(one, golds=self._golds(one.probe, seen)) for one in asked]

    def settings(self, seen: int) -> list[Probe]:
        """The planted settings as they stand after so many messages without the newest ones."""
        stop = self._region(seen)
        numbers = range(1, self._pass(seen) + 1)
        return [probe for one in self.changed if (probe := self._in_passes(one, numbers).at(stop)) is not None]

    def everything(self, seen: int, asked: Sequence[Question]) -> Read:
        """What was seen of the first pass, uncompacted, for some questions; of a later one it says nothing else."""
        read = self.read or Read("")
        return read.beginning(self._stops[min(seen, len(self._stops) - 1)], {w for q in asked for w in q.probe.words})

    @cached_property
    def _chars(self) -> tuple[int, ...]:
        return tuple(map(chars_of, self.lineage.messages))

    @cached_property
    def _stops(self) -> tuple[int, ...]:
        """Number of messages → how much of what is read they have."""
        lengths = [0] * len(self.lineage.messages)
        for passage in passages(self.lineage.messages):
            lengths[passage.message] += len(passage.text) + len(_APART)
        return (0, *accumulate(lengths))

    @cached_property
    def _body(self) -> tuple[int, ...]:
        """Of each message its place among those that a further pass has."""
        return (0, *accumulate(message.role != "system" for message in self.lineage.messages))

    def _place(self, message: int, number: int) -> int:
        """Index in a pass of a message of the lineage."""
        return (
            message
            if not number
            else len(self.lineage.messages) + (number - 1) * self._body[-1] + self._body[message]
        )

    def _pass(self, seen: int) -> int:
        """Number of the newest pass of which something was seen."""
        return max(0, -(-(seen - len(self.lineage.messages)) // max(1, self._body[-1])))

    def _golds(self, probe: Probe, seen: int) -> frozenset[str]:
        later = (_namer(number)(probe.gold, probe.shape) for number in range(1, self._pass(seen) + 1))
        return frozenset((probe.gold, *later))

    def _in_passes(self, one: Changed, numbers: Sequence[int]) -> Changed:
        later = [
            (self._place(message, number), _renamer(number)(value))
            for number in numbers
            for message, value in one.values
        ]
        return replace(one, values=(*one.values, *later))

    def _region(self, seen: int) -> int:
        stop, tail = seen, 0
        count, body = len(self.lineage.messages), max(1, self._body[-1])
        while stop and tail < TAIL_TOKENS * CHARS_PER_TOKEN:
            stop -= 1
            tail += self._chars[stop if stop < count else count - body + (stop - count) % body]
        return stop


_namer = cache(namer)
_renamer = cache(renamer)


def pool_of(lineage: Lineage, seed: int) -> Pool:
    """Reads a lineage for questions.

    Args:
        lineage: What is unrolled.
        seed: Of the choice.
    """
    extra = planted(region_of(lineage), seed)
    region = region_of(extra.lineage, tail=0)
    probes = cloze(region, _ALL, seed)
    probes.sort(key=lambda probe: hashlib.sha256(f"{seed} {probe.id}".encode()).digest())
    fresh = [
        (index, message)
        for index, (message, old) in enumerate(zip(extra.lineage.messages, lineage.messages, strict=True))
        if message is not old
    ]
    changed = tuple(Changed(probe, tuple(_stated(probe, fresh))) for probe in extra.latest)
    read = Read(_APART.join(passage.text for passage in region.passages))
    return Pool(extra.lineage, tuple(probes), changed, read)


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
