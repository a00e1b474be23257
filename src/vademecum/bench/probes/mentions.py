"""Where names stand in a transcript: by themselves, or as a piece of a longer name, as `present` finds them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Sequence
from functools import cache

from vademecum.bench.passages import Passage
from vademecum.bench.shapes import identifiers

#: What names are made of; a piece ends where `present` says that a word ends.
_RUN = re.compile(r"[\w@-]+(?:[./:@]+[\w-]+)+")
_PIECE = re.compile(r"[\w-]+")
#: A name begins with one of these, or with its first piece.
_LEADS = "@."
#: Pieces of a name at most; the longest runs are no names (minified code, data).
_MOST = 16


def mentions(texts: Sequence[Passage]) -> tuple[dict[str, tuple[int, ...]], dict[str, str]]:
    """Identifier → the messages that it stands in, each once, in order; identifier → its shape.

    Args:
        texts: What a model reads.
    """
    found: dict[str, dict[int, None]] = defaultdict(dict)
    shape: dict[str, str] = {}
    for text in texts:
        for kind, name, _ in identifiers(text.text):
            found[name][text.message] = None
            shape.setdefault(name, kind)

    @cache
    def within(run: str) -> tuple[str, ...]:
        return tuple(pieces(run, shape))

    for text in texts:
        for run in set(_RUN.findall(text.text)):
            for name in within(run):
                found[name][text.message] = None
    return {name: tuple(sorted(places)) for name, places in found.items()}, shape


def pieces(run: str, names: Container[str]) -> list[str]:
    """The names that stand in a longer one, from a word's beginning to a word's end.

    Args:
        run: The longer one.
        names: What is looked for.
    """
    spans = [match.span() for match in _PIECE.finditer(run)][:_MOST]
    found: list[str] = []
    for first, (start, _) in enumerate(spans):
        starts = (start - 1, start) if start and run[start - 1] in _LEADS else (start,)
        found += [run[at:end] for at in starts for _, end in spans[first:] if run[at:end] in names]
    return found
