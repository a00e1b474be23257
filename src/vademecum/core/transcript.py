"""A transcript with its node ids and sizes: what is known of a lineage at one moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from vademecum.core.case import leading_system_rows
from vademecum.core.identity import ROOT, chain
from vademecum.core.messages import Message


@dataclass(frozen=True)
class Transcript:
    """Messages in order.

    Attributes:
        messages: The messages.
        nodes: Their node ids.
        sizes: Their tokens.
    """

    messages: tuple[Message, ...] = ()
    nodes: tuple[bytes, ...] = ()
    sizes: tuple[int, ...] = ()

    @classmethod
    def of(cls, messages: Sequence[Message], sizes: Sequence[int]) -> Transcript:
        """The transcript of these messages."""
        return cls(tuple(messages), chain(messages), tuple(sizes))

    def extended(self, messages: Sequence[Message], sizes: Sequence[int]) -> Transcript:
        """The transcript with more messages at its end."""
        nodes = chain(messages, self.nodes[-1] if self.nodes else ROOT)
        return Transcript((*self.messages, *messages), self.nodes + nodes, (*self.sizes, *sizes))

    def __len__(self) -> int:
        """How many messages it has."""
        return len(self.messages)

    @cached_property
    def head(self) -> int:
        """How many leading system rows it has: they are overhead and never leave."""
        return leading_system_rows(self.messages)

    @cached_property
    def total(self) -> int:
        """Tokens of all messages."""
        return sum(self.sizes)
