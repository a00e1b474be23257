"""A case: everything that planning one compaction may look at."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from typing import Literal

from vademecum.core.budget import Budget
from vademecum.core.dialect import Dialect
from vademecum.core.identity import part_id
from vademecum.core.messages import Message, Part
from vademecum.core.pairing import Pairing, Spot, answered_before, pair, safe_cuts
from vademecum.core.pins import Pin, room_of
from vademecum.core.preset import Preset
from vademecum.core.redacted import Redact, redacted_part
from vademecum.core.superseded import Newer, superseded
from vademecum.redaction import Redactor

Summarizer = Literal["off", "local", "active"]


@dataclass(frozen=True)
class Case:
    """One request that is to be compacted. Positions count from the lineage's first message.

    Attributes:
        session: Id of the session, for the recovery pointer.
        cycle: Number of this compaction in the session, from 1.
        head: Leading system rows; they are overhead and stay as they are.
        live: The messages that have not left in an earlier cycle, originals.
        nodes: Node ids of `live`.
        sizes: Tokens of each live message.
        overhead: Tokens of the head, and of the system text and tools that stand outside the messages.
        positions: Places of the live messages in the lineage, and the place after the last one.
        budget: Window, trigger and target.
        preset: The policy.
        dialect: The wire format.
        summarizer: Which models may summarise beside the extractive tier.
        token_compression: False switches the local-summary tier off, nothing else.
        narrative: What the compaction before told, for the summariser.
        focus: What the user wants kept above all.
        redact: Takes the secrets out of what is written.
        before: Tokens of the context that is to shrink (the earlier carry included).
        pins: What has to stay word for word.
        workspace: Whether there is a folder whose files may be read.
        past: The messages that left in earlier cycles, as far as the caller still has them.
        past_nodes: Their node ids.
    """

    session: str
    cycle: int
    head: tuple[Message, ...]
    live: tuple[Message, ...]
    nodes: tuple[bytes, ...]
    sizes: tuple[int, ...]
    overhead: int
    positions: tuple[int, ...]
    budget: Budget
    preset: Preset
    dialect: Dialect
    before: int
    summarizer: Summarizer = "off"
    token_compression: bool = True
    narrative: str = ""
    focus: str = ""
    pins: tuple[Pin, ...] = ()
    workspace: bool = False
    redact: Redact = field(default_factory=Redactor)
    past: tuple[Message, ...] = ()
    past_nodes: tuple[bytes, ...] = ()
    # cached_property needs an instance dictionary, so this class has no slots.
    _: None = field(default=None, repr=False)

    @cached_property
    def pairing(self) -> Pairing:
        """Calls and results of the live messages."""
        return pair(self.live)

    @cached_property
    def superseded(self) -> Mapping[Spot, Newer]:
        """Results of reads that a newer result or a change made stale."""
        return superseded(self.live, self.pairing, self.preset.reads)

    @cached_property
    def cuts(self) -> tuple[int, ...]:
        """Indexes into `live` at which it may be cut: never between messages that stand at one place."""
        places = self.positions
        return tuple(at for at in safe_cuts(self.live, self.pairing) if not at or places[at] != places[at - 1])

    @cached_property
    def answered(self) -> int:
        """Index into `live` from which on tool results have not been answered by the model."""
        return answered_before(self.live)

    @cached_property
    def newest_typed(self) -> int:
        """Index into `live` of the newest message that a person typed, -1 if there is none."""
        return next((at for at in range(len(self.live) - 1, -1, -1) if self.live[at].typed), -1)

    @cached_property
    def fixed(self) -> int:
        """Tokens that nothing can take away: the overhead, and what pins take in the carry."""
        return self.overhead + room_of(self.pins)

    @property
    def aims(self) -> bool:
        """Whether there is a target below the trigger; without one any reduction counts."""
        return bool(self.preset.target.fraction or self.budget.target_override)

    @cached_property
    def average_round(self) -> int:
        """Tokens that a model call with its results has on average."""
        rounds = sum(message.role == "assistant" for message in self.live)
        return sum(self.sizes) // rounds if rounds else 0

    @cached_property
    def next_round(self) -> int:
        """Tokens that another model call with its results is likely to have: as many as those that are live."""
        sizes = zip(self.live, self.sizes, strict=True)
        own = sum(size for message, size in sizes if message.role in ("assistant", "tool"))
        return own // max(1, sum(message.role == "assistant" for message in self.live))

    @property
    def target(self) -> int:
        """Tokens that the compaction must end at or below, overhead included."""
        return self.budget.target(self.fixed)

    @property
    def room(self) -> int:
        """Tokens between what is fixed and the target."""
        return max(0, self.target - self.fixed)

    @cached_property
    def pin_spots(self) -> Mapping[Pin, Spot]:
        """Where pinned texts stand in the live messages; not those that have left or were edited."""
        found: dict[Pin, Spot] = {}
        for pin in self.pins:
            at = bisect_left(self.positions, max(0, pin.position), hi=len(self.live))
            while pin.position >= 0 and at < len(self.live) and self.positions[at] == pin.position:
                parts = self.live[at].parts
                if pin.part < len(parts) and pin.text in parts[pin.part].text:
                    found[pin] = (at, pin.part)
                at += 1
        return found

    @cached_property
    def pinned(self) -> frozenset[Spot]:
        """Parts of live messages that are not to be shortened."""
        return frozenset(self.pin_spots.values())

    def id_of(self, index: int, part: int) -> str:
        """The id of a part of a live message."""
        return part_id(self.nodes[index], part, len(self.live[index].parts))

    def call_of(self, index: int, part: int) -> Part | None:
        """The call that a result answers."""
        spot = self.pairing.call_of.get((index, part))
        return None if spot is None else self.live[spot[0]].parts[spot[1]]

    def bare(self, index: int, part: int) -> Part:
        """A part as it may be written into something else: without secrets."""
        return redacted_part(self.live[index].parts[part], self.redact)

    def bare_call(self, index: int, part: int) -> Part | None:
        """The call that a result answers, without secrets."""
        call = self.call_of(index, part)
        return None if call is None else redacted_part(call, self.redact)

    def kept_tool(self, index: int, part: int) -> bool:
        """Whether the result comes from a tool whose results are never stubbed."""
        call = self.call_of(index, part)
        name = call.tool if call is not None else self.live[index].parts[part].tool
        return _matches(name, self.preset.keep_tools)


@lru_cache(maxsize=256)
def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def leading_system_rows(messages: Sequence[Message]) -> int:
    """How many messages at the start are system rows: the part of the overhead that stands in the list.

    State that the provider holds, such as its own compactions, stays with all that stands before it.
    """
    for index in range(len(messages) - 1, -1, -1):
        if holds_all_before(messages[index]):
            return index + 1
    return next((index for index, message in enumerate(messages) if message.role != "system"), len(messages))


def holds_all_before(message: Message) -> bool:
    """Whether a message is state that the provider holds; such a part is alone in its message."""
    return len(message.parts) == 1 and message.parts[0].pinned
