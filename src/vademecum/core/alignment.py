"""Aligning what a caller sends now with what its session has: which message is which.

Callers edit their history: they rewrite a reminder, clear old results in place, leave messages out or put
some in. Messages that stayed the same are found by their identity, changed ones by the ids of their tool
calls, and whatever stands alone between two of those by its place.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from vademecum.core.messages import Message


@dataclass(frozen=True, slots=True)
class Key:
    """What a message is recognised by.

    Attributes:
        identity: Hash of its identity form.
        role: Its role.
        calls: Ids of its tool calls and results.
    """

    identity: bytes
    role: str
    calls: tuple[str, ...]

    @classmethod
    def of(cls, message: Message) -> Key:
        """The key of a message."""
        ids = tuple(
            part.wire_id for part in message.parts if part.kind in ("tool_call", "tool_result") and part.wire_id
        )
        return cls(message.identity, message.role, ids)

    @property
    def round(self) -> tuple[bool, tuple[str, ...]]:
        """The ids, and whether they are called or answered here: both messages of a round have the same."""
        return self.role == "assistant", self.calls


@dataclass(frozen=True, slots=True)
class Alignment:
    """Pairs of old and new messages, ascending in both.

    Attributes:
        pairs: (old index, new index).
    """

    pairs: tuple[tuple[int, int], ...]

    def share(self, upto: int, old: Sequence[Key], new: Sequence[Key]) -> float:
        """Share of the first `upto` old messages that are recognised by identity or by their call ids."""
        if upto <= 0:
            return 1.0
        return sum(_recognised(old[left], new[right]) for left, right in self.pairs if left < upto) / upto


#: Stands for a message that is the same on both sides.
_ANY = Key(b"", "", ())


def align(old: Sequence[Key], new: Sequence[Key], end: tuple[int, int] | None = None) -> Alignment:
    """Aligns two lists of messages, in time near to linear in their length.

    Args:
        old: The known messages.
        new: Those that are sent.
        end: A pair that is known to belong together, and after which nothing else does.
    """
    if end is not None:
        before = align([*old[: end[0]], _ANY], [*new[: end[1]], _ANY])
        return Alignment(before.pairs)
    start = 0
    while start < min(len(old), len(new)) and old[start].identity == new[start].identity:
        start += 1
    anchors = [(at, at) for at in range(start)]
    anchors += _ascending(_unique_matches(old, new, start))
    pairs: list[tuple[int, int]] = []
    last = (-1, -1)
    for anchor in [*anchors, (len(old), len(new))]:
        pairs += _between(old, new, last, anchor)
        if anchor[0] < len(old):
            pairs.append(anchor)
        last = anchor
    return Alignment(tuple(pairs))


def _recognised(old: Key, new: Key) -> bool:
    return old.identity == new.identity or (bool(old.calls) and old.calls == new.calls)


def _unique_matches(old: Sequence[Key], new: Sequence[Key], start: int) -> list[tuple[int, int]]:
    """Messages that occur once on each side, by identity or else by their call ids; in the new order."""
    left = _once({at: old[at].identity for at in range(start, len(old))})
    left_calls = _once({at: old[at].round for at in range(start, len(old)) if old[at].calls})
    right = _once({at: new[at].identity for at in range(start, len(new))})
    right_calls = _once({at: new[at].round for at in range(start, len(new)) if new[at].calls})
    found: dict[int, int] = {}
    for calls, at in right_calls.items():
        if calls in left_calls:
            found[at] = left_calls[calls]
    for identity, at in right.items():
        if identity in left:
            found[at] = left[identity]
    return [(found[at], at) for at in sorted(found)]


def _once(values: dict[int, object]) -> dict[object, int]:
    places: dict[object, int] = {}
    repeated: set[object] = set()
    for at, value in values.items():
        if value in places:
            repeated.add(value)
        places[value] = at
    return {value: at for value, at in places.items() if value not in repeated}


def _ascending(matches: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of the matches that ascends on the old side too (patience sorting)."""
    tops: list[int] = []
    top_at: list[int] = []
    before: list[int] = []
    for at, (left, _) in enumerate(matches):
        pile = bisect_left(tops, left)
        before.append(top_at[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(left)
            top_at.append(at)
        else:
            tops[pile], top_at[pile] = left, at
    chain: list[tuple[int, int]] = []
    at = top_at[-1] if top_at else -1
    while at >= 0:
        chain.append(matches[at])
        at = before[at]
    return chain[::-1]


def _between(
    old: Sequence[Key], new: Sequence[Key], last: tuple[int, int], following: tuple[int, int]
) -> list[tuple[int, int]]:
    """Pairs in a gap between two anchors: equal ones from both ends, then by place where the numbers agree.

    The gap at the very end is left alone but for equal messages: what differs there is a new continuation.
    """
    left, right = last[0] + 1, last[1] + 1
    left_stop, right_stop = following
    pairs: list[tuple[int, int]] = []
    while left < left_stop and right < right_stop and old[left].identity == new[right].identity:
        pairs.append((left, right))
        left, right = left + 1, right + 1
    at_end = left_stop == len(old)
    tail: list[tuple[int, int]] = []
    while (
        not at_end
        and left < left_stop
        and right < right_stop
        and old[left_stop - 1].identity == new[right_stop - 1].identity
    ):
        left_stop, right_stop = left_stop - 1, right_stop - 1
        tail.append((left_stop, right_stop))
    if not at_end and left_stop - left == right_stop - right:
        pairs += [
            (left + step, right + step)
            for step in range(left_stop - left)
            if old[left + step].role == new[right + step].role
        ]
    return pairs + tail[::-1]
