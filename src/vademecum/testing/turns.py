"""A transcript before it has a wire format: turns of rounds of calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Said:
    """One text of a user or system message."""

    text: str
    typed: bool = True


@dataclass(frozen=True, slots=True)
class Result:
    """What a call gave.

    Attributes:
        text: Its text.
        shape: `string`, `list`, `image` (text and an image), `null`, `object` or `empty`.
        error: Whether it failed.
    """

    text: str
    shape: str = "string"
    error: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call with its result, None where none came."""

    id: str
    tool: str
    arguments: dict[str, Any]
    result: Result | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """One message of the assistant with the results of its calls.

    Attributes:
        text: What it says; may be empty.
        reasoning: What it thought; empty for none.
        calls: Its calls.
        swapped: Results come in the reverse order.
        orphan: The id of a result that no call asked for; empty for none.
        between: A user's text that comes before the results do; empty for none.
        system: A system row after the round; empty for none.
    """

    text: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    swapped: bool = False
    orphan: str = ""
    between: str = ""
    system: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """What the user said and the rounds that followed.

    Attributes:
        said: The texts of the user's message.
        as_list: The content is a list even where one text would do.
        marked: The last part has a `cache_control` mark.
        image: The message has an image too.
        opaque: The message has a part of an unknown type.
        rounds: The assistant's rounds.
    """

    said: tuple[Said, ...]
    as_list: bool = False
    marked: bool = False
    image: bool = False
    opaque: bool = False
    rounds: tuple[Round, ...] = ()
