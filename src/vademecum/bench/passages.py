"""What a model reads of a message, text by text, with the place that each stands at."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from vademecum.core.messages import Message, Part

#: `user` was typed by a person, `harness` stands in a user message but was not; `call` is a call's arguments.
Where = Literal["user", "harness", "assistant", "reasoning", "call", "result", "system", "other"]
#: What a probe may be about.
ASKED: tuple[Where, ...] = ("user", "assistant", "call", "result")
_SHORTEST, _LONGEST = 12, 600
_ENDS = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True)
class Passage:
    """One text of a transcript.

    Attributes:
        where: Whose it is.
        message: Index of its message.
        text: What a model reads; of calls the strings in their arguments, a line each.
    """

    where: Where
    message: int
    text: str


def passages(messages: Sequence[Message]) -> Iterator[Passage]:
    """The texts of some messages, in their order."""
    for index, message in enumerate(messages):
        for part in message.parts:
            text = _text(part)
            if text:
                yield Passage(where_of(message, part), index, text)


def reading_of(messages: Sequence[Message]) -> str:
    """All that a model reads of some messages, as one text."""
    return "\n\n".join(passage.text for passage in passages(messages))


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text: lines, divided where one ends, of 12 to 600 characters."""
    for line in text.splitlines():
        yield from (piece for piece in _ENDS.split(line) if _SHORTEST <= len(piece) <= _LONGEST)


def where_of(message: Message, part: Part) -> Where:
    """Whose words a part is."""
    match part.kind:
        case "tool_call":
            return "call"
        case "tool_result":
            return "result"
        case "reasoning":
            return "reasoning"
        case "text" if message.role == "user":
            return "user" if part.typed else "harness"
        case "text" if message.role in ("assistant", "system"):
            return cast("Where", message.role)
        case _:
            return "other"


def _text(part: Part) -> str:
    return "\n".join((part.tool, *strings_of(part.text))) if part.kind == "tool_call" else part.text


def strings_of(arguments: str) -> list[str]:
    """The strings and numbers in a call's JSON arguments, or the arguments themselves where they are none."""
    try:
        waiting: list[object] = [json.loads(arguments)]
    except (ValueError, RecursionError):
        return [arguments]
    found: list[str] = []
    while waiting:
        value = waiting.pop(0)
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, dict):
            waiting[:0] = list(cast("dict[str, object]", value).values())
        elif isinstance(value, list):
            waiting[:0] = cast("list[object]", value)
        elif value is not None and not isinstance(value, bool):
            found.append(str(value))
    return found
