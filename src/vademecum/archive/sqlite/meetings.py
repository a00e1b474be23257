"""Where the terms of a query meet, however old: what a cap on the newest rows of common words would lose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vademecum.archive.sqlite.postings import Held, Postings

#: Terms that are looked for together: those that say the most.
_MOST_TERMS = 6
#: Terms are close where so many words at most lie between them: a short line, a clause.
_CLOSE = 8
#: The newest rows that are read for terms that meet.
_MOST_ROWS = 200
#: Rows that are gone through for all meetings of a query, by the rarest term of each; of those where all terms meet,
#: so many for each are gone through in any case, and beyond them only newer meetings are found.
_MOST_WALKED, _ALL_WALKED = 25_000, 10_000


@dataclass(frozen=True, slots=True)
class Meeting:
    """Passages that several terms stand in.

    Attributes:
        mask: Which terms, a bit for each.
        rows: The passages.
        near: Whether they are known to stand close together.
    """

    mask: int
    rows: list[int]
    near: bool


def meetings(postings: Postings, found: Sequence[Held], weights: Sequence[float]) -> Iterator[Meeting]:
    """Where all of the weightiest terms meet, and where all but one of them do.

    Args:
        postings: The index.
        found: The terms.
        weights: What each is worth.
    """
    # The words of a name are in the name already.
    units = [number for number, held in enumerate(found) if held.term.weight >= 1.0]
    units = sorted(sorted(units, key=lambda number: -weights[number])[:_MOST_TERMS])
    if len(units) < 2:
        return
    yield from _meeting(postings, found, units)
    left = _MOST_WALKED - min(_ALL_WALKED, _walked(found, units))
    # Without the word that says the least first.
    for least in sorted(units, key=lambda number: weights[number]) if len(units) > 2 else ():
        numbers = [number for number in units if number != least]
        left -= _walked(found, numbers)
        if left < 0:
            return
        yield from _meeting(postings, found, numbers)


def _walked(found: Sequence[Held], numbers: Sequence[int]) -> float:
    """How many rows are gone through where terms are looked up together."""
    return min(found[number].frequency for number in numbers)


def _meeting(postings: Postings, found: Sequence[Held], numbers: Sequence[int]) -> Iterator[Meeting]:
    terms = [found[number] for number in numbers]
    mask = sum(1 << number for number in numbers)
    since = _since(min(terms, key=lambda held: held.frequency))
    matches = [held.term.match for held in terms]
    near = postings.rows(f"NEAR({' '.join(matches)}, {_CLOSE})", _MOST_ROWS, since=since)
    yield Meeting(mask, near, near=True)
    if len(near) < _MOST_ROWS and any(held.more for held in terms):
        yield Meeting(mask, postings.rows(" AND ".join(matches), _MOST_ROWS, since=since), near=False)


def _since(rarest: Held) -> int:
    """The row from which on meetings are looked for."""
    if rarest.frequency <= _ALL_WALKED:
        return 0
    newest, oldest = rarest.rows[0], rarest.rows[-1]
    return max(0, newest - (newest - oldest) * _ALL_WALKED // len(rarest.rows))
