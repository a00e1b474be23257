"""Recognition: what a caller sends now, told apart from what its session has already.

A caller sends its whole transcript every time. Mostly it has grown; sometimes marks have moved, a message
was changed in place, some were left out or put in, or the end goes on in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vademecum.core.alignment import Key, align
from vademecum.core.messages import Message, Wire

#: The share of what was compacted that has to be recognised for the compaction to go on standing.
ENOUGH = 0.9


@dataclass(frozen=True, slots=True)
class Change:
    """One place of the lineage whose message is not what it was.

    Attributes:
        old: Index of the known message.
        new: Indexes of what stands in its place now; empty when it was left out.
    """

    old: int
    new: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Recognised:
    """How the messages sent relate to those known.

    Attributes:
        messages: The messages sent, read; known ones are not read again.
        places: For each message sent that is recognised, the index of the known one.
        changes: Known messages that were changed in place, put in beside, or left out, ascending.
        fork: Index of the known message from which the transcript goes on in another way; their number
            when it merely grew.
        new: Index of the first message sent that is new.
        share: Share of the compacted messages that were recognised.
    """

    messages: tuple[Message, ...]
    places: tuple[int, ...]
    changes: tuple[Change, ...]
    fork: int
    new: int
    share: float


def same_objects(known: Sequence[Wire], sent: Sequence[Wire]) -> int:
    """How many leading messages are the same objects, or equal ones."""
    for index, (old, new) in enumerate(zip(known, sent, strict=False)):
        if old is not new and old != new:
            return index
    return min(len(known), len(sent))


def recognise(
    known: Sequence[Message],
    wires: Sequence[Wire],
    sent: Sequence[Wire],
    compacted: int,
    load: Callable[[Wire, int], Message],
) -> Recognised:
    """Relates what is sent to what is known.

    Args:
        known: The known messages.
        wires: Their wire objects as the caller sent them last; empty after a restart.
        sent: What the caller sends now.
        compacted: How many known messages the standing compaction has folded or shortened.
        load: Reads a wire object.
    """
    same = same_objects(wires, sent)
    rest = tuple(load(wire, same + index) for index, wire in enumerate(sent[same:]))
    messages = (*known[:same], *rest)
    further = same
    while further < min(len(known), len(messages)) and known[further].identity == messages[further].identity:
        further += 1
    if further == len(known):
        return Recognised(messages, tuple(range(further)), (), further, further, 1.0)
    return _aligned(known, messages, further, compacted)


def _aligned(known: Sequence[Message], messages: tuple[Message, ...], same: int, compacted: int) -> Recognised:
    old = [Key.of(message) for message in known]
    new = [Key.of(message) for message in messages]
    alignment = align(old, new)
    share = alignment.share(compacted or _last(alignment.pairs) + 1, old, new)
    if share < ENOUGH or not alignment.pairs:
        return Recognised(messages, tuple(range(same)), (), same, same, share)
    last_old, last_new = alignment.pairs[-1]
    changes = _changes(alignment.pairs, old, new)
    places = _places(alignment.pairs, last_new + 1)
    return Recognised(messages, places, changes, last_old + 1, last_new + 1, share)


def _last(pairs: Sequence[tuple[int, int]]) -> int:
    return pairs[-1][0] if pairs else -1


def _changes(pairs: Sequence[tuple[int, int]], old: Sequence[Key], new: Sequence[Key]) -> tuple[Change, ...]:
    """Places whose messages differ: changed ones, left out ones, and ones after which something was put in."""
    found: list[Change] = []
    following = [*pairs[1:], (pairs[-1][0] + 1, pairs[-1][1] + 1)]
    # What was put in before the first recognised message has no place to stand beside.
    for left_out in range(pairs[0][0]):
        found.append(Change(left_out, ()))
    for (left, right), (next_left, next_right) in zip(pairs, following, strict=True):
        if old[left].identity != new[right].identity or next_right > right + 1:
            found.append(Change(left, tuple(range(right, next_right))))
        found.extend(Change(gone, ()) for gone in range(left + 1, next_left))
    return tuple(found)


def _places(pairs: Sequence[tuple[int, int]], count: int) -> tuple[int, ...]:
    """For each message sent, the known one at whose place it stands: its own, or the one before it."""
    places = [pairs[0][0]] * count
    by_new = {right: left for left, right in pairs}
    place = pairs[0][0]
    for index in range(count):
        place = by_new.get(index, place)
        places[index] = place
    return tuple(places)
