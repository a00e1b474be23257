"""Shapes of identifiers, from `shapes.toml`: the bench has its own, so that it is not bent by what it measures."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

_WORD = re.compile(r"[^\W\d_]{4,}")


@cache
def shapes() -> Mapping[str, re.Pattern[str]]:
    """The shapes by name, in the order in which they are tried."""
    return {name: re.compile(pattern) for name, pattern in _table()["shape"].items()}


@cache
def about() -> Mapping[str, re.Pattern[str]]:
    """What a sentence may be about: `decision`, `constraint`, `cause`."""
    return {name: re.compile(pattern) for name, pattern in _table()["sentence"].items()}


@cache
def _table() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("vademecum.bench").joinpath("shapes.toml").read_text("utf-8"))


def identifiers(text: str) -> Iterator[tuple[str, str, int]]:
    """(shape, identifier, start) of each identifier in a text; each place is of the first shape that fits it."""
    taken: set[int] = set()
    for shape, pattern in shapes().items():
        for found in pattern.finditer(text):
            if found.start() not in taken:
                taken.add(found.start())
                yield shape, found.group(), found.start()


def ordinary_words(sentence: str, *names: str) -> list[str]:
    """The ordinary words of a sentence, lower case, each once: never an identifier, nor a piece of the names."""
    rest = sentence
    for name in sorted({*names, *(found for _, found, _ in identifiers(sentence))}, key=len, reverse=True):
        rest = rest.replace(name, " ")
    pieces = " ".join(names).lower()
    words = dict.fromkeys(word.lower() for word in _WORD.findall(rest))
    return [word for word in words if word not in pieces]


def word_starts(text: str) -> Iterator[tuple[str, int]]:
    """(word, start) of each ordinary word of a text, lower case."""
    for found in _WORD.finditer(text):
        yield found.group().lower(), found.start()
