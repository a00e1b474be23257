"""Passages: how a message's text is cut, spelled out and looked up in the word index.

The index takes words apart at punctuation, so `src/foo_bar.py:42` is five words in a row and a quoted
query for it is those five in a row. What that would miss is added: the words inside camelCase, `C++`,
and each CJK character as a word of its own, also where Latin text is glued to it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from vademecum.core.facts.actions import arguments
from vademecum.core.messages import Message, Part
from vademecum.core.text import clean
from vademecum.redaction import Secret

#: Characters of a passage, and of what it repeats of the one before it.
LENGTH, OVERLAP = 2_000, 200

CJK = (
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff"
)
CJK_CHAR = re.compile(f"([{CJK}])")
#: Runs of this many characters without a break are data, not words.
_LONGEST_WORD = 512
#: Colours and cursor moves of terminals.
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_DENSE = re.compile(rf"[A-Za-z0-9+/=_-]{{{_LONGEST_WORD},}}")
# In JSON inside JSON `\nport` is a line end and a word; in a Windows path it is a folder: both are kept.
_AFTER_ESCAPE = re.compile(r"\\[nrtbf]([A-Za-z0-9][^\s\\]{1,80})")
_UNICODE = re.compile(r"(?<!\w)\w*(?:\\u[0-9a-fA-F]{4}\w*)+")
#: `aB`, `1B` or `ABc`, looked for at its capitals.
_HUMP = re.compile(r"[A-Z](?:(?<=[a-z0-9].)|(?<=[A-Z].)[a-z])")
#: Names in which case may tell words apart; words with no capital but their first letter are passed over.
_CASED = re.compile(r"(?:[A-Z]?[a-z0-9_]*+[^A-Za-z0-9_]++)++|([A-Za-z0-9_]++)")
_CAMEL_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# Looked for at the sign, and only then at the letter before it: headings and shells are full of `#`. A line may end
# between them: what an archive was given has to be spelled the same way when it leaves.
_SIGN = re.compile(r"#(?:(?<=[A-Za-z]#)|(?<=[A-Za-z]\n#))|\+\+(?:(?<=[A-Za-z]\+\+)|(?<=[A-Za-z]\n\+\+))")
_LETTER_BEFORE = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z]$")
_SIGN_WORDS = {"++": "plusplus", "#": "sharp"}
_WORD = re.compile(rf"[{CJK}]|(?:[^\W_{CJK}]|[\u0300-\u036f])+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a part's readable text; `start` and `stop` in characters."""

    part: int
    start: int
    stop: int


def readable(part: Part) -> str:
    """A part's text as a person would read it: a call's arguments unquoted, line by line."""
    if part.kind != "tool_call":
        return part.text
    given = arguments(part)
    if not given:
        return f"{part.tool}\n{part.text}"
    return part.tool + "\n" + "\n".join(f"{key}: {text}" for key, text in _flat(given))


def passages(message: Message) -> Iterator[Passage]:
    """The passages of a message, always the same for the same message."""
    return cut(map(readable, message.parts))


def cut(texts: Iterable[str]) -> Iterator[Passage]:
    """The passages of the readable texts of a message's parts."""
    for number, text in enumerate(texts):
        length = len(text)
        start = 0
        while start < length:
            yield Passage(number, start, min(length, start + LENGTH))
            if start + LENGTH >= length:
                break
            start += LENGTH - OVERLAP


def indexed(text: str, passage: Passage, hidden: Sequence[Secret]) -> str:
    """A passage of a text as the index is given it: of a secret that reaches into it, its kind is all there is."""
    pieces: list[str] = []
    at = passage.start
    for secret in hidden:
        if secret.stop <= at or secret.start >= passage.stop:
            continue
        pieces += [text[at : max(at, secret.start)], f" {secret.kind} "]
        at = min(secret.stop, passage.stop)
    return spelled_out("".join([*pieces, text[at : passage.stop]]) if pieces else text[passage.start : passage.stop])


def spelled_out(text: str) -> str:
    """The text as the index is to read it."""
    text = clean(text)
    if "\x1b" in text:
        text = _ANSI.sub(" ", text)
    if _may_be_dense(text):
        text = _DENSE.sub(" ", text)
    names = dict.fromkeys(name.lstrip("0123456789_") for name in _CASED.findall(text))
    extra = [word for parts in map(_humps, names) for word in parts]
    extra += [word for word, _ in sign_words(text)]
    if "\\" in text:
        extra += _AFTER_ESCAPE.findall(text)
        extra += [_unescaped(found) for found in _UNICODE.findall(text)] if "\\u" in text else []
    if extra:
        text = f"{text}\n{' '.join(extra)}"
    return text if text.isascii() else CJK_CHAR.sub(r" \1 ", unicodedata.normalize("NFC", text))


@lru_cache(maxsize=4_096)
def _humps(name: str) -> tuple[str, ...]:
    """The words in a name where case tells them apart, none in one like any other."""
    return tuple(camel_parts(name)) if len(name) > 2 and not name[1:].islower() and _HUMP.search(name) else ()


def camel_parts(word: str) -> list[str]:
    """The words in a word that are told apart by their case."""
    return _CAMEL_PARTS.findall(word)


def words(text: str) -> list[str]:
    """The words of a text as the index parts them, CJK by the character; it folds case and accents itself."""
    return _WORD.findall(text if text.isascii() else unicodedata.normalize("NFC", text))


class _Folding(dict[int, str]):
    """Characters in lower case and without accents, each worked out once; of a combining mark nothing is left."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if unicodedata.combining(char):
            plain = ""
        else:
            base = char if CJK_CHAR.match(char) else unicodedata.normalize("NFD", char)[0]
            plain = lowered if len(lowered := base.lower()) == 1 else base
        self[code] = plain
        return plain


_FOLDING = _Folding()


def folded(text: str) -> str:
    """A text without case and accents; as long as it was, if it has no combining marks."""
    return text.lower() if text.isascii() else text.translate(_FOLDING)


def _unescaped(text: str) -> str:
    """A word of JSON with its escapes by code as the characters that they stand for."""
    raw = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text)
    return clean(raw.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))


def sign_words(text: str) -> list[tuple[str, str]]:
    """The words that stand for `C++` and its like, each with its spelling, in lower case."""
    found: list[tuple[str, str]] = []
    if "#" not in text and "++" not in text:
        return found
    for sign in _SIGN.finditer(text):
        letter = _LETTER_BEFORE.search(text, max(0, sign.start() - 2), sign.start())
        after = text[sign.end() : sign.end() + 1]
        if letter and not (after.isascii() and (after.isalnum() or after == "_")):
            low = letter[0].lower()
            found.append((low + _SIGN_WORDS[sign[0]], low + sign[0]))
    return found


def _may_be_dense(text: str) -> bool:
    """Whether a run of `_LONGEST_WORD` characters may be there: half of it would stand beside one of these places."""
    half = _LONGEST_WORD // 2
    for at in range(_LONGEST_WORD - 1, len(text), _LONGEST_WORD):
        if text.find(" ", at - half + 1, at + 1) < 0 or text.find(" ", at, at + half) < 0:
            return True
    return False


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
