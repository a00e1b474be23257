"""Passages: how a message's text is cut, spelled out and looked up in the word index.

The index takes words apart at punctuation, so `src/foo_bar.py:42` is five words in a row and a quoted
query for it is those five in a row. What that would miss is added: the words inside camelCase, `C++`,
and each CJK character as a word of its own, also where Latin text is glued to it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from vademecum.core.facts.actions import arguments
from vademecum.core.messages import Message, Part
from vademecum.core.text import clean

#: Characters of a passage, and of what it repeats of the one before it.
LENGTH, OVERLAP = 2_000, 200

CJK = (
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
CJK_CHAR = re.compile(f"([{CJK}])")
_DENSE = re.compile(r"[A-Za-z0-9+/=_-]{512,}")
_ESCAPES = re.compile(r'\\[nrtbf"/]|\\u[0-9a-fA-F]{4}')
_CAMEL = re.compile(r"\b(?=\w*[a-z])(?=\w*[A-Z])[A-Za-z]\w{3,60}\b")
_CAMEL_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SIGNS = re.compile(r"(?<!\w)([A-Za-z])(\+\+|#)(?!\w)")
_SIGN_WORDS = {"++": "plusplus", "#": "sharp"}
_WORD = re.compile(rf"[{CJK}]|[^\W_{CJK}]+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a part's readable text; `start` and `stop` in characters."""

    part: int
    start: int
    stop: int


def readable(part: Part) -> str:
    """A part's text as a person would read it: a call's arguments unquoted, line by line."""
    if part.kind in ("image", "document"):
        return ""
    if part.kind != "tool_call":
        return part.text
    given = arguments(part)
    if not given:
        return f"{part.tool}\n{part.text}"
    return part.tool + "\n" + "\n".join(f"{key}: {text}" for key, text in _flat(given))


def passages(message: Message) -> Iterator[Passage]:
    """The passages of a message, always the same for the same message."""
    for number, part in enumerate(message.parts):
        length = len(readable(part))
        start = 0
        while start < length:
            yield Passage(number, start, min(length, start + LENGTH))
            if start + LENGTH >= length:
                break
            start += LENGTH - OVERLAP


def spelled_out(text: str) -> str:
    """The text as the index is to read it."""
    text = clean(text)
    if len(text) >= 512:
        text = _DENSE.sub(" ", text)
    if "\\" in text and text.lstrip()[:1] in ("{", "[", '"'):
        text = _ESCAPES.sub(" ", text)
    extra = [word for found in set(_CAMEL.findall(text)) for word in _CAMEL_PARTS.findall(found)]
    extra += [letter + _SIGN_WORDS[sign] for letter, sign in _SIGNS.findall(text)]
    if not text.isascii():
        text = CJK_CHAR.sub(r" \1 ", text)
    return f"{text}\n{' '.join(extra)}" if extra else text


def words(text: str) -> list[str]:
    """The words of a text as the index has them: lower case, without accents, CJK by the character."""
    folded = unicodedata.normalize("NFKD", text) if not text.isascii() else text
    if not folded.isascii():
        folded = "".join(char for char in folded if not unicodedata.combining(char))
        # Decomposition takes Hangul syllables apart; the index keeps them whole.
        folded = unicodedata.normalize("NFC", folded)
    return _WORD.findall(folded.lower())


def sign_words(text: str) -> list[tuple[str, str]]:
    """The words that stand for `C++` and its like, each with its spelling in lower case."""
    return [((letter + _SIGN_WORDS[sign]).lower(), (letter + sign).lower()) for letter, sign in _SIGNS.findall(text)]


def _flat(value: object, key: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and depth < 4:
        for name, item in cast("Mapping[str, object]", value).items():
            yield from _flat(item, name, depth + 1)
    elif isinstance(value, list) and depth < 4:
        for item in cast("list[object]", value):
            yield from _flat(item, key, depth + 1)
    elif isinstance(value, str):
        yield key, value
    else:
        yield key, json.dumps(value, ensure_ascii=False, default=str)
