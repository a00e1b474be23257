"""Setting one value in a JSON file with comments, every other byte of it left as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from vademecum.errors import ConfigError

#: White space and comments, as editors allow them.
_BLANK = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.S)
_REST_OF_LINE = re.compile(r"[ \t]*(?:/\*[^\n]*?\*/[ \t]*)*(?://[^\n]*?)?(?=\r?\n)")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_LITERAL = re.compile(r"[-+.\w]+")
_DEEPEST = 200


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the text: its span, and where its members or items stand when it has some."""

    start: int
    stop: int
    members: tuple[tuple[str, int, Value], ...] | None = None

    def member(self, name: str) -> Value | None:
        """The last member of that name, which is the one that counts."""
        return next((value for key, _, value in reversed(self.members or ()) if key == name), None)


def with_value(text: str, path: Sequence[str], value: object) -> str:
    """The text with a value at a path of keys; objects on the way are made where they are missing.

    Raises:
        ConfigError: The text is not JSON, or something on the way is no object.
    """
    if not text.strip("\ufeff \t\r\n"):
        return json.dumps(_nested(path, value), indent=2, ensure_ascii=False) + "\n"
    step = _indentation(text)
    top = _parsed(text)
    current = top
    for depth, name in enumerate(path):
        if current.members is None:
            raise ConfigError(f"{'.'.join(path[:depth]) or 'the file'} is no object", hint="put it right by hand")
        found = current.member(name)
        if found is None:
            return _inserted(text, current, name, _nested(path[depth + 1 :], value), depth + 1, step)
        current = found
    return text[: current.start] + _dumped(value, len(path), step, text) + text[current.stop :]


def loaded(text: str) -> Any:
    """The data of a text, its comments left away.

    Raises:
        ConfigError: It is not JSON.
    """
    return {} if not text.strip("\ufeff \t\r\n") else _data(text, _parsed(text))


def _nested(path: Sequence[str], value: object) -> object:
    for name in reversed(path):
        value = {name: value}
    return value


def _inserted(text: str, into: Value, name: str, value: object, depth: int, step: str) -> str:
    """The text with a new last member."""
    new = f"{json.dumps(name, ensure_ascii=False)}: {_dumped(value, depth, step, text)}"
    end = "\r\n" if "\r\n" in text else "\n"
    line = end + step * depth
    if not into.members:
        inside = text[into.start + 1 : into.stop - 1].rstrip()  # comments may stand in it
        return text[: into.start + 1] + inside + line + new + end + step * (depth - 1) + text[into.stop - 1 :]
    last = into.members[-1][2].stop
    after = _skip(text, last)
    comma = text[after : after + 1] == ","  # the file ends its members with commas
    if comma:
        last = after + 1
    rest = _REST_OF_LINE.match(text, last)
    at = last if rest is None else rest.end()  # a comment behind the last member stays with it
    return text[:last] + ("" if comma else ",") + text[last:at] + line + new + ("," if comma else "") + text[at:]


def _dumped(value: object, depth: int, step: str, text: str) -> str:
    lines = json.dumps(value, indent=step, ensure_ascii=False).split("\n")
    return ("\r\n" if "\r\n" in text else "\n").join([lines[0], *(step * depth + line for line in lines[1:])])


def _indentation(text: str) -> str:
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found is not None and len(found[1]) <= 8 else "  "


def _parsed(text: str) -> Value:
    start = 1 if text.startswith("\ufeff") else 0
    found = _value(text, _skip(text, start), 0)
    if _skip(text, found.stop) != len(text):
        raise _wrong(text, found.stop)
    return found


def _value(text: str, at: int, depth: int) -> Value:
    if depth > _DEEPEST:
        raise _wrong(text, at)
    match text[at : at + 1]:
        case "{":
            return _object(text, at, depth)
        case "[":
            return _list(text, at, depth)
        case '"':
            return Value(at, _string(text, at))
        case _:
            found = _LITERAL.match(text, at)
            if found is None or not _is_literal(found[0]):
                raise _wrong(text, at)
            return Value(at, found.end())


def _object(text: str, start: int, depth: int) -> Value:
    members: list[tuple[str, int, Value]] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != "}":
        key = _string(text, at)
        colon = _skip(text, key)
        if text[colon : colon + 1] != ":":
            raise _wrong(text, colon)
        value = _value(text, _skip(text, colon + 1), depth + 1)
        members.append((json.loads(text[at:key]), at, value))
        at = _after_item(text, value.stop, "}")
    return Value(start, at + 1, tuple(members))


def _list(text: str, start: int, depth: int) -> Value:
    at = _skip(text, start + 1)
    while text[at : at + 1] != "]":
        at = _after_item(text, _value(text, at, depth + 1).stop, "]")
    return Value(start, at + 1)


def _after_item(text: str, stop: int, close: str) -> int:
    """Where the next item or the end stands; a comma before the end is allowed, as editors do."""
    at = _skip(text, stop)
    if text[at : at + 1] == ",":
        return _skip(text, at + 1)
    if text[at : at + 1] != close:
        raise _wrong(text, at)
    return at


def _string(text: str, at: int) -> int:
    found = _STRING.match(text, at)
    if found is None:
        raise _wrong(text, at)
    try:
        json.loads(found[0])  # an escape that is none, or a control character
    except ValueError as error:
        raise _wrong(text, at) from error
    return found.end()


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return at if found is None else found.end()


def _is_literal(word: str) -> bool:
    try:
        json.loads(word)
    except ValueError:
        return False
    return True


def _data(text: str, value: Value) -> Any:
    if value.members is not None:
        return {key: _data(text, held) for key, _, held in value.members}
    if text[value.start] != "[":
        return json.loads(text[value.start : value.stop])
    items: list[Any] = []
    at = _skip(text, value.start + 1)
    while text[at : at + 1] != "]":
        item = _value(text, at, 0)
        items.append(_data(text, item))
        at = _after_item(text, item.stop, "]")
    return cast("Any", items)


def _wrong(text: str, at: int) -> ConfigError:
    line = text.count("\n", 0, at) + 1
    return ConfigError(
        f"line {line} is not JSON: {text[at : at + 30]!r}", hint="put it right by hand, then try again"
    )
