"""What no consumer of any format takes in a text: nothing at all, half a character, NUL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vademecum.core.dialect import Problem
from vademecum.core.messages import Message, Part
from vademecum.core.text import is_clean
from vademecum.wire.values import at, mapping, sequence


def text_problems(messages: Sequence[Message]) -> Iterator[Problem]:
    """Messages without parts, texts without a character, parts with what cannot be sent."""
    for index, message in enumerate(messages):
        if not message.parts:
            yield Problem(index, "empty", message.role)
        for part in message.parts:
            if part.kind == "text" and not part.text.strip():
                yield Problem(index, "empty", "text part")
            if not is_clean(part.text) or (part.kind == "tool_call" and _has_nul(message, part)):
                yield Problem(index, "unclean", part.kind)


def null_results(messages: Sequence[Message]) -> Iterator[Problem]:
    """Rows of results whose content is no text, not even an empty one."""
    for index, message in enumerate(messages):
        if message.role == "tool" and message.wire.get("content") is None:
            yield Problem(index, "empty", "tool_result")


def _has_nul(message: Message, part: Part) -> bool:
    """Whether arguments that are an object hold NUL; the text of a call is then JSON, which escapes it."""
    return "\\u0000" in part.text and _holds_nul(at(message.wire, part.place))


def _holds_nul(value: object) -> bool:
    if isinstance(value, str):
        return "\0" in value
    fields = mapping(value)
    if fields is not None:
        return any("\0" in key or _holds_nul(item) for key, item in fields.items())
    return any(_holds_nul(item) for item in sequence(value) or ())
