"""Lineages: a session's run with the stretches of the runs that it goes on from."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from vademecum.archive.sqlite.rows import Range

#: Sessions in a row that a session may continue; those before them are searched by their own names.
MOST_GENERATIONS = 100


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


def generations(db: sqlite3.Connection, owner: str, session: str) -> tuple[tuple[str, tuple[Range, ...]], ...]:
    """The sessions that a session continues, each with its lineage, nearest first; itself is not among them."""
    found: dict[str, tuple[Range, ...]] = {}
    name: str | None = session
    for _ in range(MOST_GENERATIONS):
        sql = "SELECT parent FROM sessions WHERE owner = ? AND session = ?"
        (name,) = db.execute(sql, (owner, name)).fetchone() or (None,)
        if name is None or name == session or name in found:
            break
        held = db.execute("SELECT run FROM sessions WHERE owner = ? AND session = ?", (owner, name)).fetchone()
        if held is None:  # it is not imported yet, or was removed
            break
        found[name] = lineage(db, held[0])
    return tuple(found.items())


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
