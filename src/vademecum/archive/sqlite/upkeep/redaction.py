"""Redaction: taking words that were removed for good out of texts that quote them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from vademecum.core.edits import MARK

#: So many words in a row that a text has in common with what was removed are a quotation of it.
_SHINGLE = 4
#: A single word is one if it is a name, or has so many characters and not letters alone.
_TELLING = 6
#: So many characters are hardly the same by chance.
_LONG = 40
_WORD = re.compile(r"\w+")
PURGED = "[purged]"
#: How the notice begins that stands in the place of what was removed; it gives nothing away.
NOTICE = f"{MARK} purged on "
#: Keys whose strings tell what a thing is, not what it says.
FORM = frozenset({"type", "id", "role", "name", "call_id", "tool_call_id", "tool_use_id", "status", "index"})


class Redaction:
    """What is to be taken out of texts.

    Args:
        texts: What was removed.
        stays: Whether a word stands elsewhere, too, and so gives nothing away; without it none does.
    """

    def __init__(self, texts: Sequence[str], stays: Callable[[str], bool] | None = None) -> None:
        self._shingles: set[tuple[str, ...]] = set()
        self._telling: set[str] = set()
        whole = [text.strip() for text in texts if len(text.strip()) >= 3 and NOTICE not in text[:60]]
        for text in whole:
            words = [word.lower() for word in _WORD.findall(text)]
            size = min(_SHINGLE, len(words))
            if size > 1 or (words and len(text) >= _TELLING):
                self._shingles |= {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}
            self._telling |= {
                word
                for word in re.findall(r"[^\s\"'`,;()\[\]{}<>]+", text)
                if _is_telling(word) and not (stays and stays(word))
            }
        names = sorted(self._telling, key=lambda word: (-len(word), word))
        self._names = re.compile("|".join(map(re.escape, names))) if names else None
        self._sizes = sorted({len(shingle) for shingle in self._shingles}, reverse=True)

        #: What to search for to find who else says the same.
        self.sample = " ".join([*sorted(self._telling)[:4], *(text[:200] for text in whole[:1])])

    def text(self, text: str) -> str:
        """The text with a mark in place of every quotation; the same object when it has none."""
        spans = self._quotations(text) if self._shingles else []
        if self._names is not None:
            spans += [found.span() for found in self._names.finditer(text)]
        if not spans:
            return text
        out: list[str] = []
        done = 0
        for start, stop in _joined(sorted(spans)):
            out += [text[done:start], PURGED]
            done = stop
        return "".join([*out, text[done:]])

    def value(self, value: Any) -> Any:
        """A JSON value with all of its strings redacted; the same object when nothing was in it."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            items = cast("Mapping[str, Any]", value)
            new = {key: item if key in FORM else self.value(item) for key, item in items.items()}
            return new if any(new[key] is not items[key] for key in items) else items
        if isinstance(value, list):
            before = cast("list[Any]", value)
            after = [self.value(item) for item in before]
            return after if any(a is not b for a, b in zip(after, before, strict=True)) else before
        return value

    def _quotations(self, text: str) -> list[tuple[int, int]]:
        words = [(found[0].lower(), found.start(), found.end()) for found in _WORD.finditer(text)]
        return [
            (words[at][1], words[at + size - 1][2])
            for size in self._sizes
            for at in range(len(words) - size + 1)
            if tuple(word for word, _, _ in words[at : at + size]) in self._shingles
        ]


def is_particular(text: str) -> bool:
    """Whether a text is hardly said twice by chance: a long one, or one with a name in it. A notice is none."""
    bare = text.strip()
    if NOTICE in bare[:60]:
        return False
    return len(bare) >= _LONG or any(_is_telling(word) for word in bare.split())


def _is_telling(word: str) -> bool:
    return len(word) >= _TELLING and not word.isalpha() and any(char.isalnum() for char in word)


def _joined(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, stop in spans:
        if joined and start <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(stop, joined[-1][1]))
        else:
            joined.append((start, stop))
    return joined
