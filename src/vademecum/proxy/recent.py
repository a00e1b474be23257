"""What was read lately, so that a transcript that comes again and again costs what is new of it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

from vademecum.core.identity import ROOT, chain
from vademecum.core.messages import Message

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

#: Transcripts whose chains are remembered, and how many of their last messages lead back to them: clients
#: move their marks from the last message to the next one, which makes it another object.
_MOST_CHAINS = 64
_LAST = 3


class Recent(Generic[Key, Value]):
    """A table that forgets what was not asked for lately; a look-up moves nothing.

    Two generations: what is still asked for moves to the young one, and the old one is dropped as a whole.

    Args:
        most: The weight that a generation may have.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._young: dict[Key, tuple[Value, int]] = {}
        self._old: dict[Key, tuple[Value, int]] = {}
        self._weight = 0

    def get(self, key: Key) -> Value | None:
        """The value of a key; None when there is none."""
        held = self._young.get(key)
        if held is not None:
            return held[0]
        held = self._old.get(key)
        if held is None:
            return None
        self.put(key, *held)
        return held[0]

    def put(self, key: Key, value: Value, weight: int) -> None:
        """Remembers a value."""
        if self._weight > self._most:
            self._old, self._young, self._weight = self._young, {}, 0
        self._young[key] = (value, weight)
        self._weight += weight


class Chains:
    """The node ids of transcripts: those of the part that is known are not hashed again."""

    def __init__(self) -> None:
        # By the identity of a message object, which the entry itself keeps alive.
        self._held: OrderedDict[int, tuple[tuple[Message, ...], tuple[bytes, ...]]] = OrderedDict()

    def of(self, messages: tuple[Message, ...]) -> tuple[bytes, ...]:
        """The node ids of a transcript."""
        known = self._known(messages)
        nodes = (*known, *chain(messages[len(known) :], known[-1] if known else ROOT))
        for end in range(max(1, len(messages) - _LAST + 1), len(messages) + 1):
            key = id(messages[end - 1])
            self._held[key] = (messages[:end], nodes[:end])
            self._held.move_to_end(key)
        while len(self._held) > _LAST * _MOST_CHAINS:
            self._held.popitem(last=False)
        return nodes

    def _known(self, messages: Sequence[Message]) -> tuple[bytes, ...]:
        for end in range(len(messages), 0, -1):
            held = self._held.get(id(messages[end - 1]))
            if held is not None and len(held[0]) == end and _same(held[0], messages):
                return held[1]
        return ()


def _same(known: Sequence[Message], messages: Sequence[Message]) -> bool:
    return all(left is right for left, right in zip(known, messages, strict=False))
