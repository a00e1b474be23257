"""Tokens: a telling prefix and a run of characters, also where a line break or an escape parts the two."""

from __future__ import annotations

import re

from vademecum.redaction.rules import Token, rules
from vademecum.redaction.secret import Secret

#: Pieces that a wrapped token may have.
_MOST_PIECES = 40
#: A line is taken to be wrapped, not ended, from this many characters on.
_WRAPPED = 56
#: A line break, as it is or escaped, with what terminals, diffs and quotes put at the start of the next line.
_BREAK = re.compile(r"(?:\\{0,2}\r?\n|(?:\\{1,2}r)?\\{1,2}n)[ \t>│|+]{0,40}")
_ESCAPE_BEFORE = re.compile(
    r"(?:\\[nrtbf]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9a-fA-F]{2}|\x1b\[[0-9;]{0,12}m)\Z"
)
_WITHIN = re.compile(r"[A-Za-z0-9_+/]")
_MIXED = re.compile(r"[0-9][^0-9]*[A-Za-z]|[A-Za-z][^A-Za-z]*[0-9]")
_PIECES = re.compile(r"[^A-Za-z0-9]+")


def token_at(rule: Token, text: str, start: int) -> Secret | int:
    """The token whose prefix begins at a place; where there is none, where the run ends that is none."""
    if not text.startswith(rule.prefix, start) or (rule.word and not begins_word(text, start)):
        return start
    body = start + len(rule.prefix)
    run = rule.run.match(text, body, body + rule.most)
    stop = body if run is None else run.end()
    pieces = [text[body:stop]]
    end = _through_breaks(rule, text, stop, pieces)
    value = "".join(pieces)
    if len(value) < rule.least or (rule.exact and len(value) != rule.length) or value.count(".") < rule.dots:
        return stop
    if (rule.mixed and not _MIXED.search(value)) or is_stand_in(value, rule.prefix):
        return stop
    # A full stop ends the sentence, not the token.
    return Secret(start, end - (len(value) - len(value.rstrip("."))), rule.kind)


def _through_breaks(rule: Token, text: str, stop: int, pieces: list[str]) -> int:
    """Where a token ends that goes on behind line breaks; its pieces are added."""
    for _ in range(_MOST_PIECES):
        have = sum(map(len, pieces))
        missing = rule.length - have
        if rule.length and missing <= 0:
            break
        pause = _BREAK.match(text, stop)
        if pause is None:
            break
        more = rule.run.match(text, pause.end(), pause.end() + rule.most)
        if more is None:
            break
        piece = more[0]
        if rule.length:
            # What is missing, or a whole line of it.
            goes_on = len(piece) == missing or (len(piece) < missing and len(piece) >= 8 and have >= 8)
        else:
            wide = _width(text, stop) >= _WRAPPED
            goes_on = wide and len(piece) >= 4 and not piece.isalpha() and (have >= 8 or len(piece) >= 16)
        if not goes_on:
            break
        pieces.append(piece)
        stop = more.end()
    return stop


def _width(text: str, at: int) -> int:
    """Characters of the line that ends at a place."""
    window = text[max(0, at - 200) : at]
    ends = [window.rfind(mark) + len(mark) for mark in ("\n", "\\n") if mark in window]
    return len(window) - max(ends, default=0)


def begins_word(text: str, at: int) -> bool:
    """Whether no word goes on at a place; the letter of an escape before it is no part of a word."""
    if at == 0 or _WITHIN.match(text, at - 1) is None:
        return True
    return _ESCAPE_BEFORE.search(text[max(0, at - 16) : at]) is not None


def is_stand_in(value: str, prefix: str = "") -> bool:
    """Whether a value only stands for a secret: `AKIA…EXAMPLE`, `xxxx`, `your-key-here`."""
    if len(set(value)) < 5:
        return True
    lowered = value.lower()
    if "example" in lowered or "xxxx" in lowered or "placeholder" in lowered or "...." in lowered:
        return True
    words = [word for word in _PIECES.split(lowered) if word]
    stand_ins = rules().not_secret.stand_ins
    if prefix:  # by chance a token may have a short word among its pieces, so it must be one of its first
        words = words[:2]
    return any(word in stand_ins for word in words)


def is_telling(value: str) -> bool:
    """Whether a value looks random: not a word, not a row of words, not a stand-in."""
    if is_stand_in(value):
        return False
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))
