"""Documents: where messages stand in a file or body, and how a changed list is put back.

Three layouts: JSON Lines with a message a line, a bare list, and a request body with a list of messages in it.
Every message keeps its bytes, so what was not touched goes out as it came in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from vademecum.errors import WireError
from vademecum.wire.bodies import TELLING
from vademecum.wire.zipped import unzipped

Layout = Literal["jsonl", "list", "body"]
_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class Row:
    """One message: its value, its bytes, and the line it stands on, from 1 (0 where that says nothing)."""

    value: object
    raw: bytes
    line: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """A file or body taken apart.

    Attributes:
        layout: How the messages stand in it.
        rows: The messages.
        prefix: The bytes before the first message.
        suffix: The bytes after the last one.
        separator: The bytes between the first two.
        outside: The body without its messages; empty for the other layouts.
        skipped: Lines that are no JSON object, with the reason.
        key: The key under which a body has its messages; empty for the other layouts.
    """

    layout: Layout
    rows: tuple[Row, ...]
    prefix: bytes = b""
    suffix: bytes = b""
    separator: bytes = b","
    outside: dict[str, Any] | None = None
    skipped: tuple[tuple[int, str], ...] = ()
    key: str = ""


def read(data: bytes) -> Document:
    """Takes a file's or a body's bytes apart; gzip is recognised.

    Raises:
        WireError: It is none of the three layouts.
    """
    data = unzipped(data)
    text = data.decode("utf-8-sig", "surrogateescape")
    start = _skip(text, 0)
    if start == len(text):
        return Document("jsonl", ())
    if text[start] == "[":
        return _list(text, start) or _lines(text)
    if text[start] == "{":
        body = _body(text, start)
        if body is not None:
            return body
    return _lines(text)


def render(
    layout: Layout, raws: Sequence[bytes], prefix: bytes = b"", suffix: bytes = b"", separator: bytes = b","
) -> bytes:
    """The bytes of a document with these messages."""
    if layout == "jsonl":
        return b"".join(raw + b"\n" for raw in raws)
    if layout == "body" and not prefix.rstrip().endswith(b"[") and not _is_string(raws):
        # Where a lone string stood there is a list now.
        prefix, suffix = prefix + b"[", b"]" + suffix
        raws = [b'{"role": "user", "content": ' + raw + b"}" if raw.startswith(b'"') else raw for raw in raws]
    return prefix + separator.join(raws) + suffix


def _lines(text: str) -> Document:
    rows: list[Row] = []
    skipped: list[tuple[int, str]] = []
    # Only line feeds end a line: JSON strings may hold the other separators that splitlines() knows.
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.strip(" \t\r")
        if not stripped:
            continue
        try:
            value: object = json.loads(stripped)
        except (ValueError, RecursionError) as error:
            skipped.append((number, _reason(error, number)))
            continue
        if not isinstance(value, dict):
            skipped.append((number, f"is {type(value).__name__}, not an object"))
            continue
        rows.append(Row(cast("dict[str, object]", value), _bytes(stripped), number))
    if not rows and skipped:
        number, reason = skipped[0]
        raise WireError(-1, f"not a list, a body or JSON Lines: line {number} {reason}", hint="is it a session log?")
    return Document("jsonl", tuple(rows), skipped=tuple(skipped))


def _list(text: str, start: int) -> Document | None:
    """A bare list, or None when it is but the first line of several."""
    rows, separator, end = _elements(text, start)
    after = _skip(text, end)
    if after != len(text):
        if "\n" in text[end:after] and "\n" not in text[start:end]:
            return None
        raise WireError(-1, f"has text after the list, at character {end}", hint="is it one JSON document?")
    return Document("list", rows, _bytes(text[: _first(text, start)]), _bytes(text[_last(text, end) :]), separator)


def _body(text: str, start: int) -> Document | None:
    """A request body, or None when the text begins with an object that has no list of messages."""
    at = _skip(text, start + 1)
    outside: dict[str, Any] = {}
    found: _Found | None = None
    decoder = json.JSONDecoder()
    try:
        while text[at] != "}":
            key, at = decoder.raw_decode(text, at)
            at = _skip(text, at)
            if text[at] != ":":
                return None
            at = _skip(text, at + 1)
            here = _messages(text, at, key)
            if here is not None and (found is None or (key == "messages") >= (found.key == "messages")):
                if found is not None and found.key != key:
                    outside[found.key] = found.value
                found, at = here, here.end
            else:
                outside[key], at = decoder.raw_decode(text, at)
            at = _skip(text, at)
            if text[at] == ",":
                at = _skip(text, at + 1)
    except (ValueError, IndexError, RecursionError):
        return None
    if found is None or _skip(text, at + 1) != len(text):
        return None
    if "type" in outside and any(isinstance(value, str) for value in found.value):
        return None  # an item with a text as its input, no body
    before, after = _bytes(text[: found.first]), _bytes(text[found.last :])
    return Document("body", found.rows, before, after, found.separator, outside, key=found.key)


@dataclass(frozen=True, slots=True)
class _Found:
    """A list of messages in a body: its rows, where they begin and end, and where the value ends."""

    key: str
    rows: tuple[Row, ...]
    separator: bytes
    first: int
    last: int
    end: int

    @property
    def value(self) -> list[object]:
        return [row.value for row in self.rows]


def _messages(text: str, at: int, key: str) -> _Found | None:
    """The messages that begin here, if the key is one of theirs; a string is the only message of its format."""
    if text[at] == "[" and (key == "messages" or key in TELLING):
        rows, separator, end = _elements(text, at)
        return _Found(key, rows, separator, _first(text, at), _last(text, end), end)
    if text[at] == '"' and key == "input":
        value, end = json.JSONDecoder().raw_decode(text, at)
        return _Found(key, (Row(value, _bytes(text[at:end])),), b",", at, end, end)
    return None


def _is_string(raws: Sequence[bytes]) -> bool:
    return len(raws) == 1 and raws[0].startswith(b'"')


def _elements(text: str, start: int) -> tuple[tuple[Row, ...], bytes, int]:
    """The elements of the array that begins at `start`, what parts the first two, the position after it."""
    decoder = json.JSONDecoder()
    rows: list[Row] = []
    at = _skip(text, start + 1)
    separator = ""
    try:
        while text[at] != "]":
            value, end = decoder.raw_decode(text, at)
            rows.append(Row(value, _bytes(text[at:end])))
            at = _skip(text, end)
            if text[at] == ",":
                at = _skip(text, at + 1)
                separator = separator or text[end:at]
            elif text[at] != "]":
                raise ValueError(f"expected a comma at character {at}")
    except (ValueError, IndexError, RecursionError) as error:
        raise WireError(len(rows), f"is not valid JSON: {_reason(error, 0)}", hint="is the file complete?") from error
    return tuple(rows), _bytes(separator or ","), at + 1


def _first(text: str, bracket: int) -> int:
    return _skip(text, bracket + 1)


def _last(text: str, after: int) -> int:
    """Where the suffix begins: after the last element, so that white space before the bracket stays."""
    at = after - 1
    while text[at - 1] in " \t\r\n":
        at -= 1
    return at if text[at - 1] != "[" else after - 1


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _reason(error: Exception, line: int) -> str:
    if isinstance(error, RecursionError):
        return "is nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        where = f" at character {error.pos}" if line else ""
        return f"is not JSON: {error.msg}{where}"
    return str(error) or type(error).__name__
