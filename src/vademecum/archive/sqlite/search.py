"""Search: candidates by row range from the word index, ranked here by rarity within the scope.

The index's own ranking reads every posting of a common word; instead each term's rows are read within
the scope's ranges, newest first and capped, a term's weight follows from how few of the scope's passages
have it, and only the best passages are read and looked at closely.
"""

from __future__ import annotations

import math
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vademecum.archive.sqlite.passages import LENGTH, passages, readable
from vademecum.archive.sqlite.query import Term, terms
from vademecum.archive.sqlite.reading import StoredMessage, stored
from vademecum.archive.sqlite.rows import Range, message_of, number_of, position_of, run_of
from vademecum.archive.sqlite.window import Window, best_window, folded
from vademecum.archive.values import Hit
from vademecum.core.dialect import Dialect
from vademecum.core.identity import part_id
from vademecum.core.messages import Message, Part

#: Rows of one term that are read at most: the newest. A term with more of them says little.
MOST_ROWS = 20_000
#: Passages that are read and looked at closely.
MOST_READ = 60


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to search.

    Attributes:
        ranges: Row ranges of the lineage, None for everything.
        role: Only messages of this role.
        tool: Only calls and results of this tool.
        since: Only messages from this time on, in seconds since the epoch.
    """

    ranges: tuple[Range, ...] | None = None
    role: str | None = None
    tool: str | None = None
    since: float | None = None

    def admits(self, message: StoredMessage) -> bool:
        """Whether a message passes the filters."""
        if self.role is not None and message.role != self.role:
            return False
        if self.tool is not None and message.tool.lower() != self.tool.lower():
            return False
        return self.since is None or (message.ts is not None and message.ts >= self.since)


@dataclass(frozen=True, slots=True)
class Place:
    """What a hit needs to know about the run that it is in."""

    session: str
    dialect: Dialect
    in_context: Callable[[int], bool]


def search(
    db: sqlite3.Connection,
    query: str,
    scope: Scope,
    place_of: Callable[[int], Place | None],
    *,
    limit: int,
    max_chars: int,
) -> list[Hit]:
    """The best places for a query.

    Args:
        db: A connection.
        query: Any string.
        scope: Where to search.
        place_of: The session of a run; None when the caller may not see it.
        limit: Hits at most.
        max_chars: Characters of each hit's window.
    """
    wanted = terms(query)
    if not wanted or limit < 1:
        return []
    weights, scores = _scored(db, wanted, scope)
    best = sorted(scores.items(), key=lambda item: (-item[1], -item[0]))
    found: list[tuple[float, Hit]] = []
    looked_at = 0
    for row, score in best:
        if looked_at >= MOST_READ:
            break
        message = stored(db, message_of(row))
        place = None if message is None else place_of(run_of(message.row))
        if message is None or place is None or not scope.admits(message):
            continue
        looked_at += 1
        hit = _hit(message, place, number_of(row), query, weights, score, max_chars)
        if hit is not None:
            found.append(hit)
    found.sort(key=lambda pair: (-pair[0], -pair[1].position))
    return _distinct([hit for _, hit in found], limit)


def _scored(
    db: sqlite3.Connection, wanted: Sequence[Term], scope: Scope
) -> tuple[list[tuple[Term, float]], dict[int, float]]:
    total = _passages_in(db, scope)
    weights: list[tuple[Term, float]] = []
    scores: dict[int, float] = defaultdict(float)
    for term in wanted:
        rows = _rows(db, term.match, scope)
        if not rows and len(term.words) == 1 and len(term.words[0]) >= 4:
            rows = _rows(db, f"{term.match} *", scope)
        if not rows:
            continue
        rarity = math.log(1 + max(0.0, total - len(rows) + 0.5) / (len(rows) + 0.5))
        weight = term.weight * max(rarity, 0.05)
        weights.append((term, weight))
        for row in rows:
            scores[row] += weight
    return weights, scores


def _rows(db: sqlite3.Connection, match: str, scope: Scope) -> list[int]:
    sql = "SELECT rowid FROM passages WHERE passages MATCH ?"
    order = " ORDER BY rowid DESC LIMIT ?"
    if scope.ranges is None:
        return [row for (row,) in db.execute(sql + order, (match, MOST_ROWS))]
    found: list[int] = []
    for part in scope.ranges:
        values = (match, *part.numbered, MOST_ROWS)
        found += [row for (row,) in db.execute(sql + " AND rowid BETWEEN ? AND ?" + order, values)]
    return found


def _passages_in(db: sqlite3.Connection, scope: Scope) -> int:
    """About how many passages the scope has; a third more than messages, as transcripts go."""
    if scope.ranges is None:
        (count,) = db.execute("SELECT coalesce(sum(length - fork), 0) FROM runs").fetchone()
    else:
        count = sum(part.stop - part.start for part in scope.ranges)
    return count + count // 3


def _hit(
    message: StoredMessage,
    place: Place,
    number: int,
    query: str,
    weights: list[tuple[Term, float]],
    score: float,
    max_chars: int,
) -> tuple[float, Hit] | None:
    loaded = message.load(place.dialect)
    found = next((item for at, item in enumerate(passages(loaded)) if at == number), None)
    if found is None:
        return None
    part = loaded.parts[found.part]
    text = readable(part)
    window = best_window(text, found.start, found.stop, weights, min(max_chars, 4 * LENGTH))
    score += window.worth + _exact(query, text[found.start : found.stop]) + 0.05 * _speech(part)
    # The newest of equals first: later words about the same thing supersede earlier ones.
    score += position_of(message.row) / (1 << 24)
    return score, _as_hit(message, place, loaded, found.part, text, window, score)


def _as_hit(
    message: StoredMessage, place: Place, loaded: Message, part: int, text: str, window: Window, score: float
) -> Hit:
    return Hit(
        id=part_id(message.node, part, len(loaded.parts)),
        session=place.session,
        role=message.role,
        tool=loaded.parts[part].tool or (message.tool if loaded.parts[part].kind == "tool_result" else ""),
        text=text[window.start : window.stop].strip(),
        score=round(score, 4),
        in_context=place.in_context(message.position),
        position=message.position,
        ts=message.ts,
    )


def _exact(query: str, text: str) -> float:
    """A bonus for names that stand in the text letter by letter, case included."""
    return sum(1.0 for unit in query.split() if len(unit) >= 4 and unit in text and not unit.isalpha())


def _speech(part: Part) -> int:
    return part.kind == "text"


def _distinct(hits: list[Hit], limit: int) -> list[Hit]:
    """Hits without restatements: nine tenths of the same words are the same hit."""
    kept: list[tuple[Hit, frozenset[str]]] = []
    for hit in hits:
        content = frozenset(folded(hit.text).split())
        if any(len(content & other) >= 0.9 * min(len(content), len(other)) for _, other in kept):
            continue
        kept.append((hit, content))
        if len(kept) == limit:
            break
    return [hit for hit, _ in kept]
