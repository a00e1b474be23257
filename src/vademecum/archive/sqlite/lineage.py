"""Lineages: a session's run with the stretches of the runs that it goes on from."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from vademecum.archive.sqlite.rows import Range


def lineage(db: sqlite3.Connection, run: int) -> tuple[Range, ...]:
    """The ranges of a run and its ancestors, oldest first; together they are positions 0 to its length.

    The run itself is there even while it has no messages of its own: what is committed on it counts.
    """
    found: list[Range] = []
    current: int | None = run
    stop: int | None = None
    while current is not None:
        parent, fork, length = db.execute(
            "SELECT parent, fork, length FROM runs WHERE run = ?", (current,)
        ).fetchone()
        end = length if stop is None else min(length, stop)
        if end > fork or not found:
            found.append(Range(current, fork, end))
        stop = fork if stop is None else min(stop, fork)
        current = parent
    return tuple(reversed(found))


def ancestry(db: sqlite3.Connection, run: int) -> list[int]:
    """A run and all that it goes on from, nearest first."""
    found: list[int] = []
    current: int | None = run
    while current is not None:
        found.append(current)
        (current,) = db.execute("SELECT parent FROM runs WHERE run = ?", (current,)).fetchone()
    return found


def clipped(ranges: Sequence[Range], start: int, stop: int) -> tuple[Range, ...]:
    """The part of a lineage within two positions."""
    return tuple(
        replace(part, start=max(part.start, start), stop=min(part.stop, stop))
        for part in ranges
        if max(part.start, start) < min(part.stop, stop)
    )


def common(left: Sequence[Range], right: Sequence[Range]) -> int:
    """The position up to which two lineages are the same."""
    upto = 0
    for one, other in zip(left, right, strict=False):
        if one.run != other.run:
            break
        upto = min(one.stop, other.stop)
        if one.stop != other.stop:
            break
    return upto


def within(row: int, ranges: Sequence[Range]) -> bool:
    """Whether a message's row is in a lineage."""
    return any(part.messages[0] <= row <= part.messages[1] for part in ranges)
