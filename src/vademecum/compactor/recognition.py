"""Recognition: what a caller sends now, told apart from what its session has already.

A caller sends its whole transcript every time. Mostly it has grown; sometimes marks have moved, a message
was changed in place, some were left out or put in, or the end goes on in another way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from vademecum.core.alignment import Key, align
from vademecum.core.messages import Message, Wire

#: The share of what was compacted that has to be recognised for the compaction to go on standing.
ENOUGH = 0.9
#: Of so few messages one may be another: where a history is short, nine tenths would be all of it.
FEW = 4
#: Messages that may have changed just before the newest one without its being missed.
MOST_BETWEEN = 8


@dataclass(frozen=True, slots=True)
class Recognised:
    """How the messages sent relate to those known.

    Attributes:
        messages: The messages sent, read; known ones are not read again.
        places: For each message sent up to the last recognised one, the index of the known message at whose
            place it stands: its own, or for one that was put in, that of the recognised one after it.
        changed: Indexes of the known messages that were changed, left out, or had something put in before them.
        fork: Index of the known message from which the transcript goes on in another way; their number
            when it merely grew.
        new: Index of the first message sent that is new.
        read: Index of the first message that had to be read.
        share: Share of the compacted messages that were recognised.
    """

    messages: tuple[Message, ...]
    places: Sequence[int]
    changed: tuple[int, ...]
    fork: int
    new: int
    read: int
    share: float


def recognise(
    known: Sequence[Message],
    wires: Sequence[Wire],
    sent: Sequence[Wire],
    compacted: int,
    load: Callable[[Wire, int], Message],
    shortened: int = 0,
) -> Recognised:
    """Relates what is sent to what is known.

    Args:
        known: The known messages.
        wires: Their wire objects as the caller sent them last; empty after a restart.
        sent: What the caller sends now.
        compacted: How many known messages the standing compaction has folded, or shortened before its tail.
        load: Reads a wire object.
        shortened: How many there are up to the last one that it has shortened, in the tail too.
    """
    same = _same(wires, sent)
    messages = (*known[:same], *_read(known, wires, sent, same, load))
    further = same
    while further < min(len(known), len(messages)) and known[further].identity == messages[further].identity:
        further += 1
    if further == len(known):
        return Recognised(messages, range(further), (), further, further, same, 1.0)
    return _aligned(known, messages, same, further, compacted, max(compacted, shortened))


def _same(wires: Sequence[Wire], sent: Sequence[Wire]) -> int:
    """How many leading messages are the same objects, or equal ones."""
    most = min(len(wires), len(sent))
    if list(wires[:most]) == list(sent[:most]):  # in one go: this is what nearly always comes
        return most
    return next(at for at in range(most) if wires[at] is not sent[at] and wires[at] != sent[at])


def _read(
    known: Sequence[Message],
    wires: Sequence[Wire],
    sent: Sequence[Wire],
    same: int,
    load: Callable[[Wire, int], Message],
) -> Iterator[Message]:
    """The messages from an index on; behind one that differs, most are often equal still and are not read again."""
    for index in range(same, len(sent)):
        wire = sent[index]
        unchanged = index < len(wires) and (wires[index] is wire or wires[index] == wire)
        yield known[index] if unchanged else load(wire, index)


def _aligned(
    known: Sequence[Message], messages: tuple[Message, ...], read: int, same: int, compacted: int, shortened: int
) -> Recognised:
    old = [Key.of(message) for message in known]
    new = [Key.of(message) for message in messages]
    alignment = align(old, new)
    end = _moved_on(known, messages, alignment.pairs)
    if end is not None:
        alignment = align(old, new, end)
    pairs = alignment.pairs
    last_old, last_new = pairs[-1] if pairs else (-1, -1)
    # What is known to have moved on is no evidence for the rest.
    upto = compacted or last_old + (end is None)
    share = alignment.share(upto, old, new)
    if not pairs or not _enough(share, upto):
        return Recognised(messages, range(same), (), same, same, read, share)
    places = _places(pairs)
    if _unseen(known, messages, places, shortened):
        return Recognised(messages, range(same), (), same, same, read, share)
    return Recognised(messages, places, _changed(pairs, places, old, new), last_old + 1, last_new + 1, read, share)


def _enough(share: float, upto: int) -> bool:
    """Nine tenths; of a few messages all but one."""
    return share >= ENOUGH or (upto >= FEW and round(share * upto) >= upto - 1)


def _unseen(known: Sequence[Message], messages: Sequence[Message], places: Sequence[int], shortened: int) -> bool:
    """Whether the user's newest words were put in, or changed, where the compaction would hide them."""
    newest = next((at for at in range(len(messages) - 1, -1, -1) if messages[at].typed), len(messages))
    if newest >= len(places) or places[newest] >= shortened:
        return False
    said = [part.text for part in known[places[newest]].parts if part.typed]
    return not all(any(part.text.strip() in text for text in said) for part in messages[newest].parts if part.typed)


def _moved_on(
    known: Sequence[Message], messages: Sequence[Message], pairs: Sequence[tuple[int, int]]
) -> tuple[int, int] | None:
    """Where the newest known message stands now that the reminder at its end has moved to a newer one."""
    last_old, last_new = pairs[-1] if pairs else (-1, -1)
    if last_old == len(known) - 1:
        return None
    following = range(last_new + 1, min(len(messages), last_new + 2 + MOST_BETWEEN))
    return next(((len(known) - 1, at) for at in following if _shortened(known[-1], messages[at])), None)


def _shortened(old: Message, new: Message) -> bool:
    """Whether a message of the user is an older one of which something was taken away, and nothing else."""
    if old.role != new.role or old.role not in ("user", "tool") or not new.parts:
        return False
    if _without_text(old) != _without_text(new):
        return False
    texts = [part.text for part in old.parts if part.kind == "text"]
    return all(any(part.text.strip() in text for text in texts) for part in new.parts if part.kind == "text")


def _without_text(message: Message) -> list[tuple[str, str, str]]:
    return [(part.kind, part.call_id, part.text) for part in message.parts if part.kind != "text"]


def _places(pairs: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    places: list[int] = []
    for left, right in pairs:
        places += [left] * (right + 1 - len(places))
    return tuple(places)


def _changed(
    pairs: Sequence[tuple[int, int]], places: Sequence[int], old: Sequence[Key], new: Sequence[Key]
) -> tuple[int, ...]:
    """The known messages whose place does not hold just what it held."""
    standing = Counter(places)
    same = {left for left, right in pairs if old[left].identity == new[right].identity and standing[left] == 1}
    return tuple(at for at in range(pairs[-1][0] + 1) if at not in same)
