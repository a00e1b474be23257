"""Whether a masked sentence has one answer: elsewhere it may stand with another name in the gap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from operator import contains

from vademecum.bench.answerers.present import present
from vademecum.bench.passages import Passage, sentences

#: What a reading tool puts before a line: its number.
_NUMBERED = re.compile(r"^\s*\d+\s*[→:|-]\s*")

#: No name, small letters but for the first: it is not held, as most words are such. `FolderKey` and `FULL` are names.
_ORDINARY = re.compile(r"[^\W\d_][^\W\d_A-Z]*[.,;:!?]?")


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
        """Whether a name stands in one place of a sentence, and no other name in that place anywhere.

        Args:
            sentence: A sentence of it.
            name: What is masked in it.
        """
        words, parts = _words(sentence), name.split()
        places = [at for at in range(len(words)) if all(map(contains, words[at : at + len(parts)], parts))]
        if len(places) != 1:  # a sentence with two gaps may be another's with two others
            return False
        word, fills = words[places[0]], self._fills(_form(words, places[0]))
        return all(other == word or present(parts[0], (other,)) for other in fills)


def _words(sentence: str) -> list[str]:
    return _NUMBERED.sub("", sentence).split()


def _form(words: list[str], at: int) -> int:
    return hash((at, *words[:at], *words[at + 1 :]))
