"""The window of a hit: the stretch of text where the query's terms stand closest together."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from vademecum.archive.sqlite.passages import CJK_CHAR, folded
from vademecum.archive.sqlite.query import Term

#: Terms within this many characters of each other are taken to belong together.
_NEAR = 260
#: What terms on one line count beside that, what of it is lost as they stand apart, and what the query's order adds.
_LINE, _APART, _ORDER = 1.5, 0.2, 0.3
#: What tools put before the lines of a file.
_LINE_NUMBER = re.compile(r"^[ \t]*\d+(?:\u2192|[:|-]|\t)[ \t]*|^[ \t]+", re.MULTILINE)
#: Places of one term in a passage that are looked at.
_MOST_SPOTS = 60


@dataclass(frozen=True, slots=True)
class Weighed:
    """A term with what it is worth in the scope, and the pattern that finds it in folded text."""

    term: Term
    weight: float
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of text in characters.

    Attributes:
        start: Where it begins.
        stop: Where it ends.
        worth: What the terms that meet in it are worth.
        first: Where they begin.
        last: Where they end.
        total: What all terms of the passage are worth, wherever they stand in it.
    """

    start: int
    stop: int
    worth: float
    first: int
    last: int
    total: float


@dataclass(frozen=True, slots=True)
class _Spot:
    start: int
    stop: int
    number: int


def weighed(term: Term, weight: float) -> Weighed:
    """A term made ready for looking at passages."""
    if term.literal:
        return Weighed(term, weight, re.compile(re.escape(term.literal)))
    return Weighed(term, weight, re.compile(r"[\W_]*".join(re.escape(folded(word)) for word in term.words)))


def best_window(text: str, start: int, stop: int, terms: Sequence[Weighed], max_chars: int) -> Window:
    """The window around the best cluster of terms within a passage.

    It may reach beyond the passage, keeps to line ends where one is near, and has `max_chars` at most.
    """
    spots = _spots(text[start:stop], terms)
    if not spots:
        return Window(start, min(stop, start + max_chars), 0.0, start, start, 0.0)
    worth, first, last = _best_cluster(text[start:stop], spots, [term.weight for term in terms])
    first, last = start + first, start + last
    middle = (first + last) // 2
    left = max(0, min(middle - max_chars // 2, len(text) - max_chars))
    right = min(len(text), left + max_chars)
    total = sum(terms[number].weight for number in {spot.number for spot in spots})
    return Window(_line_start(text, left, first), _line_end(text, right, last), worth, first, last, total)


def folded_words(text: str) -> frozenset[str]:
    """The words of a text in lower case: what two texts have in common when they say the same."""
    return frozenset(re.findall(r"\w+", text.lower()))


def met_lines(text: str, window: Window) -> str:
    """The lines of a window that the query's terms meet in, but for their numbers and how they are indented."""
    start = text.rfind("\n", window.start, window.first) + 1 or window.start
    stop = text.find("\n", window.last, window.stop)
    return _LINE_NUMBER.sub("", text[start : window.stop if stop < 0 else stop]).strip()


def _with_places(text: str) -> tuple[str, Sequence[int]]:
    """The text as terms are spelled, and for each of its characters the place in the text."""
    plain = folded(text)
    if len(plain) == len(text):
        return plain, range(len(text))
    return plain, [at for at, char in enumerate(text) if not unicodedata.combining(char)]


def _spots(passage: str, terms: Sequence[Weighed]) -> list[_Spot]:
    """Every place where a term stands, in order."""
    plain, places = _with_places(passage)
    spots: list[_Spot] = []
    for number, weighed_term in enumerate(terms):
        count = 0
        for found in weighed_term.pattern.finditer(plain):
            after = places[found.end()] if found.end() < len(places) else len(passage)
            first, last = places[found.start()], after - 1
            if _begins_word(passage, first) and (weighed_term.term.prefix or _ends_word(passage, last)):
                spots.append(_Spot(first, last + 1, number))
                count += 1
                if count == _MOST_SPOTS:
                    break
    spots.sort(key=lambda spot: spot.start)
    return spots


def _begins_word(text: str, at: int) -> bool:
    """Whether a word may begin at a place: after no letter or digit, or where the case or the script changes."""
    return at == 0 or _parted(text[at - 1], text[at]) or (text[at].isupper() and text[at + 1 : at + 2].islower())


def _ends_word(text: str, at: int) -> bool:
    """Whether a word may end with the character at a place."""
    after = text[at + 1 : at + 3]
    return (
        not after
        or _parted(text[at], after[0])
        or (text[at].isupper() and after[0].isupper() and after[1:].islower())
    )


def _parted(left: str, right: str) -> bool:
    if not (left.isalnum() and right.isalnum()):
        return not unicodedata.combining(right)
    if left.islower() and right.isupper():
        return True
    return left.isdigit() != right.isdigit() or bool(CJK_CHAR.match(left) or CJK_CHAR.match(right))


def _best_cluster(text: str, spots: Sequence[_Spot], weights: Sequence[float]) -> tuple[float, int, int]:
    """The place where terms of the most worth meet: (worth, first character, last character)."""
    best = (0.0, 0, 0)
    line_end = -1
    for at, spot in enumerate(spots):
        if spot.start >= line_end:
            line_end = text.find("\n", spot.start)
            line_end = len(text) if line_end < 0 else line_end
        near, line, last, line_last = 0.0, 0.0, spot.stop, spot.stop
        ordered, before = 0, spot.number
        seen: set[int] = set()
        for other in spots[at:]:
            if other.start >= spot.start + _NEAR:
                break
            if other.number in seen:
                continue
            seen.add(other.number)
            near += weights[other.number]
            last = other.stop
            if other.start < line_end:
                line += weights[other.number]
                line_last = other.stop
            ordered += other.number > before
            before = other.number
        # The closer they stand, the likelier it is one statement; the more so on one line, in the query's order.
        worth = near + line * (_LINE - _APART * min(1.0, (line_last - spot.start) / _NEAR))
        if len(seen) > 1:
            worth += _ORDER * near * ordered / (len(seen) - 1)
        if worth > best[0]:
            best = (worth, spot.start, last)
    return best


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
