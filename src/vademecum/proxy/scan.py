"""Where the parts of a body stand: each message's bytes, and each field beside the messages.

The quick way lets msgspec skip over the values and checks what it says against the bytes. Bodies that it
refuses (lone surrogates, a byte order mark, NaN) are walked with the standard parser.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

_SPACE = re.compile(rb"[ \t\r\n]*")
_SPACES = re.compile(r"[ \t\r\n]*")
_FIELDS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ROWS = msgspec.json.Decoder(list[msgspec.Raw])
_BRACE, _BRACKET, _COMMA, _COLON, _QUOTE = b"{", b"[", b",", b":", b'"'

Span = tuple[int, int]
#: The keys that lead to a value, outermost first.
Way = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scan:
    """A body taken apart.

    Attributes:
        body: Its bytes.
        rows: The bytes of each message.
        first: Where the first message begins.
        last: Where the last one ends.
        separator: The bytes between the first two.
        spans: Where the value of each field beside the messages stands.
        alone: Whether one message stands there without a list around it.
    """

    body: bytes
    rows: tuple[bytes, ...]
    first: int
    last: int
    separator: bytes
    spans: Mapping[str, Span]
    alone: bool = False

    def raw(self, field: str) -> bytes:
        """The bytes of a field beside the messages; empty when there is none."""
        start, stop = self.spans.get(field, (0, 0))
        return self.body[start:stop]

    def span(self, way: Way) -> Span | None:
        """Where the value at the end of a way through nested objects stands; None when there is none."""
        start, stop = self.spans.get(way[0], (0, 0))
        for key in way[1:]:
            inner = _spans(self.body[start:stop])
            if inner is None or key not in inner:
                return None
            start, stop = start + inner[key][0], start + inner[key][1]
        return (start, stop) if stop else None

    def written(self, rows: Sequence[bytes] | None, values: Mapping[Way, bytes]) -> bytes:
        """The body with other messages (None keeps them) and other values of some fields."""
        found = [(self.span(way), value) for way, value in values.items()]
        edits = [(*span, value) for span, value in found if span is not None]
        if rows is not None:
            data = self.separator.join(rows)
            edits.append((self.first, self.last, b"[" + data + b"]" if self.alone else data))
        out: list[bytes] = []
        at = 0
        for start, stop, data in sorted(edits):
            out += [self.body[at:start], data]
            at = stop
        return b"".join([*out, self.body[at:]])


def scan(body: bytes, key: str = "messages") -> Scan | None:
    """Takes a body apart; None when it is no JSON object with one list of messages, or one text instead of it.

    Args:
        body: The bytes.
        key: The field that has the messages.
    """
    return _quick(body, key) or _thorough(body, key)


def _quick(body: bytes, key: str) -> Scan | None:
    spans = _spans(body)
    if spans is None or key not in spans:
        return None
    start, stop = spans.pop(key)
    if body[start : start + 1] == _QUOTE:
        return Scan(body, (body[start:stop],), start, stop, _COMMA, spans, alone=True)
    try:
        rows = _ROWS.decode(memoryview(body)[start:stop])
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None
    data = tuple(bytes(row) for row in rows)
    first = _after(body, start + 1)
    return Scan(body, data, first, _end(body, stop), _separator(body, first, data), spans)


def _spans(body: bytes) -> dict[str, Span] | None:
    """Where the value of each field of an object stands; None where that cannot be told for sure."""
    try:
        fields = _FIELDS.decode(body)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None
    spans: dict[str, Span] = {}
    at = _after(body, body.index(_BRACE) + 1)
    for key, value in fields.items():
        end = body.find(_QUOTE, at + 1)
        if body[at + 1 : end] != key.encode():
            return None  # an escaped name, or one that stands twice
        start = _after(body, _after(body, end + 1) + 1)
        view = memoryview(value)
        if not body.startswith(view, start):
            return None
        spans[key] = start, start + len(view)
        at = _after(body, _after(body, start + len(view)) + 1)
    return spans


def _after(body: bytes, at: int) -> int:
    found = _SPACE.match(body, at)
    return found.end() if found else at


def _end(body: bytes, stop: int) -> int:
    """Where the last message ends; `stop` is the position after the list."""
    at = stop - 1
    while body[at - 1 : at] in (b" ", b"\t", b"\r", b"\n"):
        at -= 1
    return at if body[at - 1 : at] != _BRACKET else stop - 1


def _separator(body: bytes, first: int, rows: Sequence[bytes]) -> bytes:
    if len(rows) < 2:
        return _COMMA
    start = first + len(rows[0])
    return body[start : _after(body, _after(body, start) + 1)]


def _thorough(body: bytes, field: str) -> Scan | None:
    # A byte that is no UTF-8 stays itself; a byte order mark is white space here and stays too.
    text = body.decode("utf-8", "surrogateescape")
    decoder = json.JSONDecoder()
    spans: dict[str, Span] = {}
    elements: list[Span] | None = None
    listed = (0, 0)
    try:
        at = _skip(text, text.startswith("\ufeff"))
        if text[at] != "{":
            return None
        at = _skip(text, at + 1)
        while text[at] != "}":
            key, start = _key(decoder, text, at)
            if key == field and (elements is not None or key in spans):
                return None  # there are two of them
            if key == field and text[start] == "[":
                elements, stop = _elements(decoder, text, start)
                listed = (start, stop)
            else:
                _, stop = decoder.raw_decode(text, start)
                spans[key] = (start, stop)
            at = _next(text, stop, "}")
        if elements is None or _skip(text, at + 1) != len(text):
            return None
    except (ValueError, IndexError, RecursionError):
        return None
    return _in_bytes(text, body, spans, listed, elements)


def _key(decoder: json.JSONDecoder, text: str, at: int) -> tuple[str, int]:
    """The name that stands here, and where its value begins."""
    key, at = decoder.raw_decode(text, at)
    at = _skip(text, at)
    if not isinstance(key, str) or text[at] != ":":
        raise ValueError
    return key, _skip(text, at + 1)


def _elements(decoder: json.JSONDecoder, text: str, start: int) -> tuple[list[Span], int]:
    found: list[Span] = []
    at = _skip(text, start + 1)
    while text[at] != "]":
        _, stop = decoder.raw_decode(text, at)
        found.append((at, stop))
        at = _next(text, stop, "]")
    return found, at + 1


def _next(text: str, at: int, end: str) -> int:
    """The position of the next element, or of the end."""
    at = _skip(text, at)
    if text[at] == ",":
        return _skip(text, at + 1)
    if text[at] != end:
        raise ValueError
    return at


def _skip(text: str, at: int) -> int:
    found = _SPACES.match(text, at)
    return found.end() if found else at


def _in_bytes(text: str, body: bytes, spans: dict[str, Span], listed: Span, elements: Sequence[Span]) -> Scan | None:
    """The same with positions in the bytes, which differ where a character has several of them."""
    marks = sorted({at for span in (*spans.values(), *elements, listed) for at in span})
    places: dict[int, int] = {}
    before, size = 0, 0
    for mark in marks:
        size += len(text[before:mark].encode("utf-8", "surrogateescape"))
        places[mark] = size
        before = mark
    found = {key: (places[start], places[stop]) for key, (start, stop) in spans.items()}
    rows = tuple(body[places[start] : places[stop]] for start, stop in elements)
    start, stop = (places[at] for at in listed)
    first = _after(body, start + 1)
    return Scan(body, rows, first, _end(body, stop), _separator(body, first, rows), found)


def value_of(raw: bytes) -> Any:
    """The value of a slice, with every digit and every lone surrogate; None when it cannot be read."""
    try:
        return json.loads(raw.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError):
        return None
