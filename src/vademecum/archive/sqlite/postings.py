"""The rows of terms within a scope, newest first and capped: what a common word costs is bounded."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace

from vademecum.archive.sqlite.query import Term
from vademecum.archive.sqlite.rows import (
    MOST_NUMBERS,
    MOST_POSITIONS,
    Range,
    message_of,
    position_of,
    run_of,
)

#: A word of this many letters that the scope does not have is looked up as the beginning of longer ones.
_SHORTEST_PREFIX = 4
_LAST_ROW = (1 << 63) - 1
#: Passages of a message, as transcripts go.
_PER_MESSAGE = 4 / 3
_RUN_BITS = (MOST_POSITIONS.bit_length()) + (MOST_NUMBERS.bit_length())


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to search.

    Attributes:
        ranges: Row ranges of the lineage, None for everything that the owner has.
        owner: Whose runs are searched where there are no ranges.
        role: Only messages of this role.
        tool: Only calls and results of this tool.
        since: Only messages from this time on, in seconds since the epoch.
    """

    ranges: tuple[Range, ...] | None = None
    owner: str = ""
    role: str | None = None
    tool: str | None = None
    since: float | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """A term with its rows in the scope, newest first.

    Attributes:
        term: The term, as it was found.
        rows: Its newest rows.
        more: Whether the cap cut off older ones.
        frequency: How many passages of the scope have it; an estimate where older ones were cut off.
    """

    term: Term
    rows: list[int]
    more: bool
    frequency: float


class Postings:
    """Reads rows of terms within a scope.

    Args:
        db: A connection.
        scope: Where to search.
    """

    def __init__(self, db: sqlite3.Connection, scope: Scope) -> None:
        self._db = db
        self._scope = scope
        #: About how many passages the scope has.
        self.total = _passages_in(db, scope)
        self._alone = scope.ranges is None and _owns_all(db, scope.owner)

    def held(self, term: Term, cap: int) -> Held:
        """A term with its rows; a word that the scope does not have is taken for the beginning of longer ones."""
        rows = self._of(term, cap + 1)
        if not rows and len(term.words) == 1 and not term.literal and len(term.words[0]) >= _SHORTEST_PREFIX:
            term = replace(term, prefix=True)
            rows = self._of(term, cap + 1)
        more = len(rows) > cap
        rows = rows[:cap]
        return Held(term, rows, more, self._frequency(rows) if more else len(rows))

    def _of(self, term: Term, most: int) -> list[int]:
        if len(term.words) > 1:
            # Most names are rare: then all of the index is gone through, forwards in a third of the time.
            rows = self.rows(term.match, most, forwards=True)
            if len(rows) < most:
                return rows[::-1]
        return self.rows(term.match, most)

    def rows(self, match: str, most: int, *, since: int = 0, forwards: bool = False) -> list[int]:
        """The newest rows of the scope that match, or the oldest, from one row on."""
        sql = "SELECT rowid FROM passages WHERE passages MATCH ? AND rowid BETWEEN ? AND ?"
        order = f" ORDER BY rowid {'ASC' if forwards else 'DESC'} LIMIT ?"
        scope = self._scope
        if scope.ranges is None:
            if not self._alone:
                sql += f" AND (rowid >> {_RUN_BITS}) IN (SELECT run FROM runs WHERE owner = ?)"
            owner = () if self._alone else (scope.owner,)
            return [row for (row,) in self._db.execute(sql + order, (match, since, _LAST_ROW, *owner, most))]
        found: list[int] = []
        for part in scope.ranges if forwards else reversed(scope.ranges):
            first, last = part.numbered
            if len(found) < most and last >= since:
                values = (match, max(first, since), last, most - len(found))
                found += [row for (row,) in self._db.execute(sql + order, values)]
        return found

    def _frequency(self, rows: list[int]) -> float:
        after = self._messages_after(message_of(rows[-1]))
        return min(float(self.total), len(rows) * self.total / max(1.0, _PER_MESSAGE * after))

    def _messages_after(self, row: int) -> int:
        """How many messages of the scope stand from one of them on."""
        run, position = run_of(row), position_of(row)
        if self._scope.ranges is None:
            later = "SELECT coalesce(sum(length - fork), 0) FROM runs WHERE run > ? AND owner = ?"
            count = self._db.execute(later, (run, self._scope.owner)).fetchone()[0]
            return count + self._db.execute("SELECT length FROM runs WHERE run = ?", (run,)).fetchone()[0] - position
        count = 0
        for part in reversed(self._scope.ranges):
            if part.run == run:
                return count + part.stop - position
            count += part.stop - part.start
        return count


def _owns_all(db: sqlite3.Connection, owner: str) -> bool:
    """Whether nobody else has anything here, so that no row needs to be asked for its owner."""
    sql = "SELECT EXISTS (SELECT 1 FROM runs WHERE owner < ?) OR EXISTS (SELECT 1 FROM runs WHERE owner > ?)"
    return not db.execute(sql, (owner, owner)).fetchone()[0]


def _passages_in(db: sqlite3.Connection, scope: Scope) -> int:
    """About how many passages the scope has."""
    if scope.ranges is None:
        sql = "SELECT coalesce(sum(length - fork), 0) FROM runs WHERE owner = ?"
        (count,) = db.execute(sql, (scope.owner,)).fetchone()
    else:
        count = sum(part.stop - part.start for part in scope.ranges)
    return int(count * _PER_MESSAGE)
