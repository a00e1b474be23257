"""The window of a hit: the stretch of text where the query's terms stand closest together."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from vademecum.archive.sqlite.passages import CJK
from vademecum.archive.sqlite.query import Term

#: Terms within this many characters of each other are taken to belong together.
_NEAR = 260


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of text in characters, and what the terms that meet in it are worth."""

    start: int
    stop: int
    worth: float


def best_window(text: str, start: int, stop: int, weights: list[tuple[Term, float]], max_chars: int) -> Window:
    """The window around the best cluster of terms within a passage.

    It may reach beyond the passage, keeps to line ends where one is near, and has `max_chars` at most.
    """
    spots = _spots(text[start:stop], weights)
    if not spots:
        return Window(start, min(stop, start + max_chars), 0.0)
    worth, first, last = _best_cluster(spots, [weight for _, weight in weights])
    middle = start + (first + last) // 2
    left = max(0, min(middle - max_chars // 2, len(text) - max_chars))
    right = min(len(text), left + max_chars)
    return Window(_line_start(text, left, start + first), _line_end(text, right, start + last), worth)


def folded(text: str) -> str:
    """Lower case, words only: what two texts have in common when they say the same."""
    return " ".join(re.findall(r"\w+", text.lower()))


def _spots(passage: str, weights: list[tuple[Term, float]]) -> list[tuple[int, int]]:
    """(place, index of the term), sorted, for every place where a term stands."""
    lowered = passage.lower()
    spots: list[tuple[int, int]] = []
    for number, (term, _) in enumerate(weights):
        pattern = r"[\W_]*".join(re.escape(word) for word in term.words)
        edge = "" if re.match(f"[{CJK}]", term.words[0]) else r"(?<![^\W_])"
        spots += [(found.start(), number) for found in re.finditer(edge + pattern, lowered)][:50]
    return sorted(spots)


def _best_cluster(spots: list[tuple[int, int]], weights: list[float]) -> tuple[float, int, int]:
    """The terms within `_NEAR` characters whose distinct weights add up to the most."""
    clusters = (_cluster(spots, at, weights) for at in range(len(spots)))
    return max(clusters, key=lambda cluster: (cluster[0], -cluster[1]))


def _cluster(spots: list[tuple[int, int]], at: int, weights: list[float]) -> tuple[float, int, int]:
    first = spots[at][0]
    stop = bisect_left(spots, (first + _NEAR, 0))
    distinct = {number for _, number in spots[at:stop]}
    return sum(weights[number] for number in distinct), first, spots[stop - 1][0]


def _line_start(text: str, left: int, first: int) -> int:
    if left == 0:
        return 0
    line = text.find("\n", left, min(left + 120, first))
    return line + 1 if line >= 0 else left


def _line_end(text: str, right: int, last: int) -> int:
    if right == len(text):
        return right
    line = text.rfind("\n", max(right - 120, last), right)
    return line if line > last else right
