"""Cache marks of the Anthropic format, in a context that a compaction changed.

A client marks where the provider may cache its request, four places at most. What is written for it never
has marks of its own: they would grow old in the archive. Marks on messages that stay are left as they are;
those that left are placed anew where they are of most use, at the end of the carry and on the last message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from vademecum.core.messages import Message, Wire
from vademecum.wire.values import mapping, sequence

KEY = "cache_control"
#: The provider refuses a request with more.
MOST = 4
#: Newest messages that are looked at for marks: clients move theirs along with the end.
_NEWEST = 8
_MARK: Mapping[str, str] = {"type": "ephemeral"}
#: Blocks that take no mark.
_UNMARKABLE = ("thinking", "redacted_thinking")


def count_marks(value: object) -> int:
    """How many marks stand in a value: a message, the system text, the tools."""
    fields = mapping(value)
    if fields is not None:
        own = int(fields.get(KEY) is not None)
        return own + sum(count_marks(item) for key, item in fields.items() if key in ("content", "system", "tools"))
    return sum(count_marks(item) for item in sequence(value) or ())


def unmarked(wire: Wire) -> Wire:
    """A message without marks; the same object where it has none."""
    if not count_marks(wire):
        return wire
    return cast("Wire", _stripped(wire))


def marked(context: Sequence[Message], newest: Sequence[Message], outside: int, carry: int) -> tuple[Message, ...]:
    """The context with the marks that its caller lost placed anew.

    Args:
        context: What would be sent.
        newest: The caller's own newest messages: whether it marks any tells whether it wants marks at all.
        outside: Marks on the system text and the tools.
        carry: How many texts of the message that begins with the carry are the carry's.

    Returns:
        The context; messages that get no mark are the same objects.
    """
    there = [count_marks(message.wire) for message in context]
    free = MOST - outside - sum(there)
    wanted = outside or any(there) or any(count_marks(message.wire) for message in newest[-_NEWEST:])
    if not wanted or free <= 0 or not context:
        return tuple(context)
    found = list(context)
    last = len(found) - 1
    held = next((at for at, message in enumerate(found) if _carry_block(message, carry) >= 0), -1)
    # With one place left, the end counts more: without a mark there, nothing new is cached at all.
    if not any(there):
        free -= _mark(found, last, _last_block(found[last]))
    if free > 0 and held >= 0 and not (there[held] and held == last):
        _mark(found, held, _carry_block(found[held], carry))
    return tuple(found)


def _mark(found: list[Message], index: int, block: int) -> bool:
    """Marks a block of a message; False when there is nothing to mark, or a mark already."""
    wire = found[index].wire
    content = wire.get("content")
    blocks: list[object] = list(sequence(content) or ())
    if isinstance(content, str):
        blocks = [{"type": "text", "text": content}]
    fields = mapping(blocks[block]) if 0 <= block < len(blocks) else None
    if fields is None or fields.get(KEY) is not None:
        return False
    blocks[block] = {**fields, KEY: dict(_MARK)}
    found[index] = replace(found[index], wire={**wire, "content": blocks}, raw=b"")
    return True


def _carry_block(message: Message, carry: int) -> int:
    """Index of the last of the carry's texts among a message's blocks, -1 where the carry is elsewhere."""
    if carry < 1 or message.role not in ("user", "tool"):
        return -1
    first = next((at for at, part in enumerate(message.parts) if part.text.startswith("<vademecum:carry ")), -1)
    return -1 if first < 0 or message.parts[first].kind != "text" else first + carry - 1


def _last_block(message: Message) -> int:
    """Index of the last block that takes a mark, -1 for none."""
    content = message.wire.get("content")
    if isinstance(content, str):
        return 0 if content.strip() else -1
    blocks = sequence(content) or ()
    for at in range(len(blocks) - 1, -1, -1):
        fields = mapping(blocks[at]) or {}
        if fields.get("type") not in _UNMARKABLE and fields.get("text") != "":
            return at
    return -1


def _stripped(value: object) -> object:
    fields = mapping(value)
    if fields is not None:
        return {key: _stripped(item) if key == "content" else item for key, item in fields.items() if key != KEY}
    items = sequence(value)
    return value if items is None else [_stripped(item) for item in items]
