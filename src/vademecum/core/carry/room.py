"""Filling a section: the most valuable lines that its budget has room for."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.core.requests import Steps, count


def best_that_fit(lines: Sequence[str], budget: int) -> Steps[list[int]]:
    """Indexes, ascending, of the lines to take, when they are offered most valuable first.

    A line that does not fit is passed over, so that one long line does not end the section; after
    several of them in a row the room is taken to be used up.
    """
    sizes = yield from count(tuple(f"{line}\n" for line in lines))
    left, taken, misses = budget, list[int](), 0
    for index, size in enumerate(sizes):
        if size <= left:
            taken.append(index)
            left -= size
            misses = 0
        else:
            misses += 1
            if misses > 40:
                break
    return sorted(taken)
