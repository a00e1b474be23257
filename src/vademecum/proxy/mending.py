"""Mending: a history without what an upstream may refuse: foreign reasoning, what has no counterpart (M-7, M-8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vademecum.chain.reasoning import without
from vademecum.core.dialect import Dialect
from vademecum.core.messages import Message, Part, Wire
from vademecum.core.pairing import Pairing, Spot, pair
from vademecum.proxy.fitted import Placed
from vademecum.wire.values import encoded


def rows_of(placed: Placed, context: Sequence[Message] | None) -> list[bytes] | None:
    """The messages to write; None where they are the client's own.

    Args:
        placed: The request.
        context: What was made of its messages; None for nothing.
    """
    messages = placed.asked.messages if context is None else context
    if placed.mended:
        return [encoded(wire) for wire in _mended(placed.asked.dialect, messages)]
    if placed.own is None:
        return None if context is None else [_bytes(message, message.wire) for message in messages]
    rows: list[bytes] = []
    changed = context is not None
    for message in messages:
        kept = without([message.wire], placed.own)
        rows += [_bytes(message, wire) for wire in kept]
        changed = changed or not kept or kept[0] is not message.wire
    return rows if changed else None


def _bytes(message: Message, wire: Wire) -> bytes:
    """A message's own bytes, where it is as it was."""
    return message.raw if message.raw and wire is message.wire else encoded(wire)


def _mended(dialect: Dialect, messages: Sequence[Message]) -> list[Wire]:
    """The messages without reasoning, empty texts and results of no call; calls without a result are answered."""
    bare = without([message.wire for message in messages], frozenset())
    loaded = [dialect.load(wire, index) for index, wire in enumerate(bare)]
    pairing = pair(loaded)
    out: list[Wire] = []
    waiting: tuple[Wire, ...] = ()
    for index, message in enumerate(loaded):
        kept = dialect.edited(message, dict(_edits(index, message, pairing.orphans)))
        if waiting and kept is not None:
            joined = dialect.joined_answers(waiting[0], dialect.load(kept, index)) if len(waiting) == 1 else None
            out += waiting if joined is None else ()
            kept, waiting = kept if joined is None else joined, ()
        if kept is not None:
            out.append(kept)
            calls = _unanswered(index, message, loaded, pairing)
            waiting = dialect.answers(calls, None) if calls else ()
    return [*out, *waiting]


def _edits(index: int, message: Message, orphans: Sequence[Spot]) -> Iterator[tuple[int, None]]:
    for number, part in enumerate(message.parts):
        if (index, number) in orphans or (part.kind == "text" and not part.text.strip()):
            yield number, None


def _unanswered(index: int, message: Message, messages: Sequence[Message], pairing: Pairing) -> list[Part]:
    """The calls of a message that have no result, and are not running still."""
    if all(later.role == "tool" for later in messages[index + 1 :]):
        return []
    return [part for number, part in enumerate(message.parts) if (index, number) in pairing.open_calls]
