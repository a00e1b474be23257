"""Candidates: the passages of a scope that have a query's terms, scored by how rare those are in it.

The index's own ranking reads every posting of a common word; instead each term's rows are read within
the scope's ranges, newest first and capped, and a term's weight follows from how few of the scope's
passages have it. What a cap cuts off is looked up again where it matters: beside the rarer terms, and
where all common terms stand together.
"""

from __future__ import annotations

import math
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
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
from vademecum.archive.sqlite.window import Weighed, weighed

#: Rows that are read for a query: the newest, shared by its terms, but a fifth of them for each at least.
MOST_ROWS = 5_000
#: Rows in which common terms stand together, and rows of rarer ones beside which they are looked for.
_MOST_TOGETHER, _MOST_RARE = 200, 400
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


class Admission:
    """Whether messages pass a scope's filters, each looked at once and without reading its text."""

    def __init__(self, db: sqlite3.Connection, scope: Scope) -> None:
        self._db = db
        self._scope = scope
        self._open = scope.role is None and scope.tool is None and scope.since is None
        self._known: dict[int, bool] = {}

    def __call__(self, row: int) -> bool:
        """Whether the message of a row passes."""
        if self._open:
            return True
        held = self._known.get(row)
        if held is None:
            held = self._known[row] = self._admits(row)
        return held

    def _admits(self, row: int) -> bool:
        found = self._db.execute("SELECT role, tool, ts FROM messages WHERE id = ?", (row,)).fetchone()
        if found is None:
            return False
        role, tools, ts = found
        scope = self._scope
        if scope.role is not None and role != scope.role:
            return False
        if scope.tool is not None and scope.tool.lower() not in tools.lower().split("\n"):
            return False
        return scope.since is None or (ts is not None and ts >= scope.since)


@dataclass(frozen=True, slots=True)
class _Found:
    """A term with its rows in the scope, newest first; `more` where the cap cut off older ones."""

    term: Term
    rows: list[int]
    more: bool


def scored(
    db: sqlite3.Connection, wanted: Sequence[Term], scope: Scope
) -> tuple[list[Weighed], Iterator[tuple[int, float]]]:
    """The terms that the scope has, with their weights, and its passages by the terms in them, best first."""
    reader = _Reader(db, scope)
    cap = MOST_ROWS // min(5, len(wanted))
    found = [held for held in (reader.found(term, cap) for term in wanted) if held.rows]
    terms: list[Weighed] = []
    scores: dict[int, float] = defaultdict(float)
    for held, rows in zip(found, _completed(reader, found), strict=True):
        frequency = reader.frequency(held)
        rarity = math.log(1 + max(0.0, reader.total - frequency + 0.5) / (frequency + 0.5))
        weight = held.term.weight * max(rarity, 0.05)
        terms.append(weighed(held.term, weight))
        for row in rows:
            scores[row] += weight
    return terms, _best_first(scores)


def _completed(reader: _Reader, found: Sequence[_Found]) -> list[Iterable[int]]:
    """The rows of each term; of the common ones also those older ones that have the query's other terms.

    The rarest terms lead: no more of the index is looked at than their rows.
    """
    common = [held for held in found if held.more]
    if not common or len(found) == 1:
        return [held.rows for held in found]
    rare = [held for held in found if not held.more]
    phrases = [held for held in rare if len(held.term.words) > 1]
    names = [held.term.match for held in rare if len(held.term.words) == 1]
    every = " AND ".join(f"({held.term.match})" for held in common)
    if names:
        leading = sorted((row for held in rare for row in held.rows), reverse=True)[:_MOST_RARE]
        every = f"({' OR '.join(names)}) AND {every}"
    else:
        leading = max((held.rows for held in common), key=lambda rows: -rows[-1])
    together = reader.rows(every, _MOST_TOGETHER, since=leading[-1])
    rows: list[Iterable[int]] = []
    for held in found:
        if not held.more:
            rows.append(held.rows)
            continue
        # A phrase has its words.
        within = [row for phrase in phrases if set(held.term.words) <= set(phrase.term.words) for row in phrase.rows]
        rows.append({*held.rows, *together, *within})
    return rows


def _best_first(scores: dict[int, float]) -> Iterator[tuple[int, float]]:
    """The rows by their scores, newest first among equals. There are few scores, and few rows are asked for."""
    by_score: dict[float, list[int]] = defaultdict(list)
    for row, score in scores.items():
        by_score[score].append(row)
    for score in sorted(by_score, reverse=True):
        for row in sorted(by_score[score], reverse=True):
            yield row, score


class _Reader:
    """Reads rows of terms within a scope."""

    def __init__(self, db: sqlite3.Connection, scope: Scope) -> None:
        self._db = db
        self._scope = scope
        self.total = _passages_in(db, scope)
        self._alone = scope.ranges is None and _owns_all(db, scope.owner)

    def found(self, term: Term, cap: int) -> _Found:
        """A term with its rows; a word that the scope does not have is taken for the beginning of longer ones."""
        rows = self._of(term, cap + 1)
        if not rows and len(term.words) == 1 and not term.literal and len(term.words[0]) >= _SHORTEST_PREFIX:
            term = replace(term, prefix=True)
            rows = self._of(term, cap + 1)
        return _Found(term, rows[:cap], len(rows) > cap)

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

    def frequency(self, held: _Found) -> float:
        """How many passages of the scope have a term; an estimate where only the newest rows were read."""
        if not held.more:
            return len(held.rows)
        after = self._messages_after(message_of(held.rows[-1]))
        return min(float(self.total), len(held.rows) * self.total / max(1.0, _PER_MESSAGE * after))

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
