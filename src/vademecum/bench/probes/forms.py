"""Whether a masked sentence has one answer: elsewhere it may stand with another name in the gap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from vademecum.bench.passages import Passage, sentences

#: What a reading tool puts before a line: its number.
_NUMBERED = re.compile(r"^\s*\d+\s*[→:|-]\s*")

#: No name: it is not held, as most words are such.
_ORDINARY = re.compile(r"[^\W\d_]+[.,;:!?]?")


class Forms:
    """The sentences of a transcript, to see which are equal but for one name.

    Args:
        texts: What a model reads of it.
    """

    def __init__(self, texts: Iterable[Passage]) -> None:
        self._first: dict[int, str] = {}
        self._more: dict[int, set[str]] = {}
        seen: set[int] = set()
        for text in texts:
            for sentence in sentences(text.text):
                words = _words(sentence)
                whole = hash(tuple(words))
                if whole not in seen:
                    seen.add(whole)
                    for at, word in enumerate(words):
                        if not _ORDINARY.fullmatch(word):
                            self._add(_form(words, at), word)

    def _add(self, form: int, word: str) -> None:
        if self._first.setdefault(form, word) != word:
            self._more.setdefault(form, set()).add(word)

    def _fills(self, form: int) -> Iterator[str]:
        if form in self._first:
            yield self._first[form]
        yield from self._more.get(form, ())

    def one(self, sentence: str, name: str) -> bool:
        """Whether no other name stands in its place anywhere.

        Args:
            sentence: A sentence of it.
            name: What is masked in it.
        """
        words = _words(sentence)
        return all(
            name in other for at, word in enumerate(words) if name in word for other in self._fills(_form(words, at))
        )


def _words(sentence: str) -> list[str]:
    return _NUMBERED.sub("", sentence).split()


def _form(words: list[str], at: int) -> int:
    return hash((at, *words[:at], *words[at + 1 :]))
