"""The shape of what will be sent: its messages as a model would read them, and their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vademecum.core.apply import Emitted, Kept
from vademecum.core.case import Case
from vademecum.core.messages import Message
from vademecum.core.requests import Steps, count
from vademecum.core.tokens import MESSAGE_TOKENS, image_tokens, part_texts


@dataclass(frozen=True, slots=True)
class Shape:
    """What will be sent after the head.

    Attributes:
        emitted: The messages, kept or written.
        messages: The same, read by the format's adapter.
        tokens: Size of the whole context, overhead included.
    """

    emitted: tuple[Emitted, ...]
    messages: tuple[Message, ...]
    tokens: int


def shape_of(case: Case, emitted: Sequence[Emitted]) -> Steps[Shape]:
    """Reads and counts what will be sent; messages that stay as they are were counted before."""
    messages: list[Message] = []
    texts: list[str] = []
    tokens = case.overhead
    for item in emitted:
        if isinstance(item, Kept):
            messages.append(case.live[item.index])
            tokens += case.sizes[item.index]
            continue
        message = case.dialect.load(item.wire, len(messages))
        messages.append(message)
        tokens += MESSAGE_TOKENS + sum(image_tokens(part) for part in message.parts)
        texts.extend(text for part in message.parts for text in part_texts(part))
    tokens += sum((yield from count(tuple(texts))))
    return Shape(tuple(emitted), tuple(messages), tokens)
