"""What no consumer of any format takes in a text: nothing at all, half a character, NUL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vademecum.core.dialect import Problem
from vademecum.core.messages import Message
from vademecum.core.text import is_clean


def text_problems(messages: Sequence[Message]) -> Iterator[Problem]:
    """Messages without parts, texts without a character, parts with what cannot be sent."""
    for index, message in enumerate(messages):
        if not message.parts:
            yield Problem(index, "empty", message.role)
        for part in message.parts:
            if part.kind == "text" and not part.text.strip():
                yield Problem(index, "empty", "text part")
            if not is_clean(part.text):
                yield Problem(index, "unclean", part.kind)
