"""Pins: what has to stay word for word, whatever else leaves."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from vademecum.core.text import clean

PinOrigin = Literal["part", "text", "marker"]

#: Tokens that all pins of a session may have together, unless another cap is given.
PIN_CAP = 4_000
#: What the line above a pin costs, and the heading of them all.
_LINE_TOKENS, _HEADING_TOKENS = 24, 24
#: A line of a user's message that pins the rest of it; alone on its line it pins the whole text.
_MARKER = re.compile(r"^[ \t]*(?:\[pin\]|@pin\b):?[ \t]*(.*?)[ \t]*$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Pin:
    """One text that stays.

    Attributes:
        id: The id of the part that it stands in, or `p_…` for a text of its own.
        text: What stays, word for word.
        origin: `part` where an id was pinned, `text` where a text was, `marker` where a user's message says so.
        tokens: Its size.
        position: Position of its message in the lineage, -1 for a text of its own.
        part: The part of that message, from 0.
        what: Who said it, or the tool that it comes from.
        since: The lineage's length when it was pinned; later pins win where there is no room for all.
    """

    id: str
    text: str
    origin: PinOrigin = "part"
    tokens: int = 0
    position: int = -1
    part: int = 0
    what: str = ""
    since: int = 0


def marked(text: str) -> list[tuple[str, bool]]:
    """What the markers in a user's text pin: each line's text, or (True) the whole of it."""
    if "[pin]" not in text.lower() and "@pin" not in text.lower():
        return []
    found = [match[1] for match in _MARKER.finditer(text)]
    if any(not line for line in found):
        return [(text, True)]
    return [(line, False) for line in found]


def text_pin_id(text: str) -> str:
    """The id of a text that was pinned by itself: the same for the same text."""
    return "p_" + hashlib.sha256(clean(text).encode()).hexdigest()[:10]


def honoured(pins: Sequence[Pin], cap: int) -> tuple[tuple[Pin, ...], tuple[Pin, ...]]:
    """The pins that there is room for, the newest first in line, and those that are left out; oldest first each."""
    left, taken, out = cap, list[Pin](), list[Pin]()
    for pin in sorted(pins, key=lambda pin: -pin.since):
        if pin.tokens <= left:
            left -= pin.tokens
            taken.append(pin)
        else:
            out.append(pin)
    return tuple(reversed(taken)), tuple(reversed(out))


def room_of(pins: Sequence[Pin]) -> int:
    """Tokens that pins take in a carry at most."""
    return sum(pin.tokens + _LINE_TOKENS for pin in pins) + _HEADING_TOKENS * bool(pins)
