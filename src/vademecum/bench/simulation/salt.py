"""Re-salting: a lineage once more with other identifiers, so that a further pass over it is no repeat."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import cast

from vademecum.bench.lineage import Lineage
from vademecum.bench.shapes import identifiers
from vademecum.core.messages import Message, Wire

_LETTERS = "bcdfghjklmnprstvwxyz"
#: What a wire object names things by; another name there would be another format or another tool.
_FIXED = frozenset({"type", "role", "name", "media_type", "mimeType", "mime_type", "format", "detail", "meta", "ts"})
#: What nobody reads.
_OPAQUE = frozenset({"data", "signature", "thoughtSignature", "encrypted_content"})
#: The ids that pair calls with results.
_IDS = frozenset({"id", "tool_call_id", "tool_use_id", "call_id"})
_ENDING = re.compile(r"(?:\.\w+)?(?::\d+)?$")


def again(lineage: Lineage, number: int, start: int) -> Iterator[Message]:
    """A further pass over a lineage, without its system rows.

    Args:
        lineage: What is repeated.
        number: Of the pass, from 1.
        start: Index of the first message.
    """
    rename = renamer(number)
    body = (message for message in lineage.messages if message.role != "system")
    for index, message in enumerate(body, start):
        wire = cast("Wire", _walked(message.wire, rename))
        harness = message.role == "user" and not message.typed
        yield replace(lineage.dialect.load(wire, index, harness=harness), ts=message.ts)


def _walked(value: object, rename: Callable[[str], str], key: str = "") -> object:
    if isinstance(value, str):
        if key in _FIXED or key in _OPAQUE or value.startswith("data:"):
            return value
        return f"{value}{rename('')}" if key in _IDS else rename(value)
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, object]", value)
        return {name: inner if name in _FIXED else _walked(inner, rename, name) for name, inner in fields.items()}
    if isinstance(value, list | tuple):
        return [_walked(inner, rename, key) for inner in cast("list[object]", value)]
    return value


def renamer(number: int) -> Callable[[str], str]:
    """What renames every identifier of a text for a pass; of an empty text it gives the pass's mark alone.

    Each keeps its shape, and the same one is renamed the same way everywhere.

    Args:
        number: Of the pass, from 1.
    """
    name_of = namer(number)

    def rename(text: str) -> str:
        if not text:
            return name_of("", "")
        pieces: list[str] = []
        end = 0
        for start, name, shape in sorted((start, name, shape) for shape, name, start in identifiers(text)):
            if start >= end:
                pieces += (text[end:start], name_of(name, shape))
                end = start + len(name)
        return "".join((*pieces, text[end:]))

    return rename


def namer(number: int) -> Callable[[str, str], str]:
    """What gives an identifier of a shape its name in a pass; an empty one is the pass's mark.

    Args:
        number: Of the pass, from 1.
    """
    mark = "q"
    rest = number
    while rest:
        rest, at = divmod(rest, len(_LETTERS))
        mark += _LETTERS[at]
    digits = str.maketrans("0123456789", _turned("0123456789", number % 9 + 1))
    hexed = {**digits, **str.maketrans("abcdef", _turned("abcdef", number % 5 + 1))}
    return lambda name, shape: _renamed(name, shape, mark, digits, hexed) if name else mark


def _turned(letters: str, by: int) -> str:
    return letters[by:] + letters[:by]


def _renamed(name: str, shape: str, mark: str, digits: dict[int, int], hexed: dict[int, int]) -> str:
    """Never anything at the beginning: in JSON an escape may end there."""
    match shape:
        case "commit":
            return name.translate(hexed)
        case "number":
            return name.translate(digits)
        case "error" if name.startswith("0x"):
            return "0x" + name[2:].translate(hexed)
        case "error" if name[-1].isdigit():
            return name.translate(digits)
        case "error" if name[-1].islower():
            return re.sub(r"(?=(?:Error|Exception)$)", mark.capitalize(), name)
        case "error":
            return name + mark.upper()
        case "url":
            return f"{name}/{mark}"
        case "path":
            return _ENDING.sub(lambda found: f"-{mark}{found.group()}", name, count=1)
        case "id":
            return name + mark
        case "config_key" if name.isupper():
            return f"{name}_{mark.upper()}"
        case "config_key" if "." not in name:
            return f"{name}_{mark}"
        case _:
            return name + mark.capitalize()
