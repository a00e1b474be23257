"""Candidates: the passages of a scope that have a query's terms, scored by how rare those are in it.

The index's own ranking reads every posting of a common word; instead each term's rows are read within
the scope's ranges, newest first and capped, and a term's weight follows from how few of the scope's
passages have it.
"""

from __future__ import annotations

import math
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vademecum.archive.sqlite.query import Term
from vademecum.archive.sqlite.rows import MOST_NUMBERS, MOST_POSITIONS, Range
from vademecum.archive.sqlite.window import Weighed, weighed

#: Rows of one term that are read at most: the newest. A term with more of them says little.
MOST_ROWS = 20_000
#: A word of this many letters that the scope does not have is looked up as the beginning of longer ones.
_SHORTEST_PREFIX = 4
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


def scored(
    db: sqlite3.Connection, wanted: Sequence[Term], scope: Scope
) -> tuple[list[Weighed], list[tuple[int, float]]]:
    """The terms that the scope has, with their weights, and its passages by the terms in them, best first."""
    total = _passages_in(db, scope)
    terms: list[Weighed] = []
    scores: dict[int, float] = defaultdict(float)
    for word in wanted:
        term, rows = _found(db, word, scope)
        if not rows:
            continue
        rarity = math.log(1 + max(0.0, total - len(rows) + 0.5) / (len(rows) + 0.5))
        weight = term.weight * max(rarity, 0.05)
        terms.append(weighed(term, weight))
        for row in rows:
            scores[row] += weight
    return terms, sorted(scores.items(), key=lambda item: (-item[1], -item[0]))


def _found(db: sqlite3.Connection, term: Term, scope: Scope) -> tuple[Term, list[int]]:
    """The term with its rows; a word that the scope does not have is taken for the beginning of longer ones."""
    rows = _rows(db, term, scope)
    if rows or len(term.words) != 1 or term.literal or len(term.words[0]) < _SHORTEST_PREFIX:
        return term, rows
    longer = replace(term, prefix=True)
    return longer, _rows(db, longer, scope)


def _rows(db: sqlite3.Connection, term: Term, scope: Scope) -> list[int]:
    sql = "SELECT rowid FROM passages WHERE passages MATCH ?"
    order = " ORDER BY rowid DESC LIMIT ?"
    if scope.ranges is None:
        own = f" AND (rowid >> {_RUN_BITS}) IN (SELECT run FROM runs WHERE owner = ?)"
        return [row for (row,) in db.execute(sql + own + order, (term.match, scope.owner, MOST_ROWS))]
    found: list[int] = []
    for part in scope.ranges:
        values = (term.match, *part.numbered, MOST_ROWS)
        found += [row for (row,) in db.execute(sql + " AND rowid BETWEEN ? AND ?" + order, values)]
    return found


def _passages_in(db: sqlite3.Connection, scope: Scope) -> int:
    """About how many passages the scope has; a third more than messages, as transcripts go."""
    if scope.ranges is None:
        sql = "SELECT coalesce(sum(length - fork), 0) FROM runs WHERE owner = ?"
        (count,) = db.execute(sql, (scope.owner,)).fetchone()
    else:
        count = sum(part.stop - part.start for part in scope.ranges)
    return count + count // 3
