"""A transcript with its node ids, sizes and places: what is known of a lineage at one moment."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from vademecum.core.case import holds_all_before, leading_system_rows
from vademecum.core.identity import ROOT, chain
from vademecum.core.messages import Message


@dataclass(frozen=True)
class Transcript:
    """Messages in order, as the caller has them now.

    Attributes:
        messages: The messages.
        nodes: The node ids under which the archive has them.
        sizes: Their tokens.
        positions: Their places in the lineage. They are 0, 1, 2, … until the caller leaves messages out, or
            puts some in, which then stand at the place of the message before them.
        length: Messages of the lineage: the position after its last one.
    """

    messages: tuple[Message, ...] = ()
    nodes: tuple[bytes, ...] = ()
    sizes: tuple[int, ...] = ()
    positions: tuple[int, ...] = ()
    length: int = 0

    @classmethod
    def of(cls, messages: Sequence[Message], sizes: Sequence[int]) -> Transcript:
        """The transcript of these messages, from the lineage's first one on."""
        count = len(messages)
        return cls(tuple(messages), chain(messages), tuple(sizes), tuple(range(count)), count)

    def extended(self, messages: Sequence[Message], sizes: Sequence[int]) -> Transcript:
        """The transcript with more messages at its end."""
        if not messages:
            return self
        nodes = chain(messages, self.nodes[-1] if self.nodes else ROOT)
        length = self.length + len(messages)
        grown = Transcript(
            (*self.messages, *messages),
            self.nodes + nodes,
            (*self.sizes, *sizes),
            (*self.positions, *range(self.length, length)),
            length,
        )
        head = vars(self).get("head", len(self))
        if head < len(self) and not any(map(holds_all_before, messages)):
            vars(grown)["head"] = head  # it is the same: the old messages need not be looked at for every new one
        return grown

    def until(self, index: int) -> Transcript:
        """The first messages; the lineage ends after the last of them."""
        length = self.positions[index - 1] + 1 if index else 0
        return replace(
            self,
            messages=self.messages[:index],
            nodes=self.nodes[:index],
            sizes=self.sizes[:index],
            positions=self.positions[:index],
            length=length,
        )

    def __len__(self) -> int:
        """How many messages it has."""
        return len(self.messages)

    def index_at(self, position: int) -> int:
        """Index of the first message at a position or after it."""
        return bisect_left(self.positions, position)

    @cached_property
    def head(self) -> int:
        """How many leading system rows it has: they are overhead and never leave."""
        return leading_system_rows(self.messages)

    @cached_property
    def total(self) -> int:
        """Tokens of all messages."""
        return sum(self.sizes)

    def tokens_from(self, position: int) -> int:
        """Tokens of the messages at a position and after it."""
        return sum(self.sizes[self.index_at(position) :])
