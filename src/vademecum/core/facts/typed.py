"""What the agent typed itself: lines of a call's arguments that name something."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.core.facts.actions import strings_in
from vademecum.core.facts.names import names_in
from vademecum.core.facts.sentences import sentences
from vademecum.core.messages import Part

#: Lines of one call, and characters of each line.
_MOST, _LONGEST = 60, 140
#: How far into a text of the arguments is looked, in characters.
_SCANNED = 60_000


def typed_lines(call: Part) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(line, names in it) for the lines of a call's arguments that name something, each once."""
    found: dict[str, tuple[str, ...]] = {}
    for text in strings_in(call):
        for line in sentences(text[:_SCANNED]):
            for piece in _pieces(line):
                names = tuple(names_in(piece))
                if names:
                    found.setdefault(piece, names)
                if len(found) == _MOST:
                    yield from found.items()
                    return
    yield from found.items()


def _pieces(line: str) -> Iterator[str]:
    """A line, or a long one in pieces that end between words."""
    while len(line) > _LONGEST:
        stop = line.rfind(" ", _LONGEST // 2, _LONGEST)
        stop = stop if stop > 0 else _LONGEST
        yield line[:stop].strip()
        line = line[stop:].strip()
    if line:
        yield line
