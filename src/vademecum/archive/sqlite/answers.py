"""Answers to what the planner asks about the whole history: queries with a limit, however long it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from vademecum.archive.sqlite.lineage import clipped
from vademecum.archive.sqlite.reading import stored
from vademecum.archive.sqlite.rows import Range, message_of, number_of, position_of, short_text
from vademecum.core.dialect import Dialect
from vademecum.core.identity import parse_part_id
from vademecum.core.messages import Part
from vademecum.core.requests import NameStats, QueryFacts, QueryRequests, StoredFact

_COLUMNS = "id, kind, source, part, parts, short, weight, key, text, names"
Row = tuple[Any, ...]
#: Names of a fact beyond these do not change what it is worth.
_MOST_NAMES = 6


def facts(
    db: sqlite3.Connection, ranges: Sequence[Range], query: QueryFacts, before: Sequence[Sequence[Range]] = ()
) -> tuple[StoredFact, ...]:
    """The facts that a query asks for, weightiest or newest first.

    Args:
        db: A connection.
        ranges: The session's lineage.
        query: What is asked for.
        before: The lineages of the sessions that it continues, nearest first; their positions are below 0.
    """
    order = "id DESC" if query.newest_first else "weight DESC, id DESC"
    rows: list[tuple[StoredFact, str]] = []
    scope = [(part, 0) for part in clipped(ranges, 0, query.until)]
    start = 0
    for earlier in before:
        start -= max((part.stop for part in earlier), default=0)
        scope += [(part, start) for part in earlier]
    for part, shift in scope:
        for kind in query.kinds:
            rows += [
                (_fact(row, shift), row[9])
                for row in db.execute(
                    f"SELECT {_COLUMNS} FROM facts WHERE run = ? AND kind = ? AND id BETWEEN ? AND ? "
                    f"ORDER BY {order} LIMIT ?",
                    (part.run, kind, *part.numbered, query.limit),
                )
            ]
    rows.sort(key=_newest if query.newest_first else _weightiest)
    rows = rows[: query.limit]
    return _with_names(db, scope, [fact for fact, _ in rows], [names for _, names in rows])


def requests(
    db: sqlite3.Connection, ranges: Sequence[Range], query: QueryRequests, dialect: Dialect
) -> tuple[StoredFact, ...]:
    """The user's open requests in full, newest first; where there are none, all parts of the newest one."""
    latest = facts(db, ranges, QueryFacts(("outcome",), query.until, 1, newest_first=True))
    answered = latest[0].position if latest else -1
    asked = facts(db, ranges, QueryFacts(("request",), query.until, 50, newest_first=True))
    still_open = [fact for fact in asked if fact.position > answered]
    chosen = still_open or [fact for fact in asked if fact.position == asked[0].position]
    key = "open" if still_open else "answered"
    return tuple(_in_full(db, ranges, fact, key, dialect) for fact in chosen)


def _in_full(
    db: sqlite3.Connection, ranges: Sequence[Range], fact: StoredFact, key: str, dialect: Dialect
) -> StoredFact:
    (place,) = clipped(ranges, fact.position, fact.position + 1)
    held = stored(db, place.messages[0])
    text = fact.text if held is None else _part_text(held.load(dialect).parts, fact)
    return replace(fact, text=text, key=key)


def _part_text(parts: Sequence[Part], fact: StoredFact) -> str:
    parsed = parse_part_id(fact.id)
    number = parsed[1] if parsed and parsed[1] is not None else 0
    return parts[number].text


def _fact(row: Row, shift: int) -> StoredFact:
    number, kind, source, part, parts, short, weight, key, text, _ = row
    return StoredFact(
        kind=kind,
        source=source,
        text=text,
        key=key,
        weight=weight,
        position=position_of(message_of(number)) + shift,
        id=short_text(short) + ("" if parts == 1 else f".{part + 1}"),
        number=number_of(number),
    )


def _with_names(
    db: sqlite3.Connection, scope: Sequence[tuple[Range, int]], found: list[StoredFact], names: list[str]
) -> tuple[StoredFact, ...]:
    wanted = {name for joined in names for name in joined.split("\n")[:_MOST_NAMES] if name}
    figures = _figures(db, scope, sorted(wanted)) if wanted else {}
    out: list[StoredFact] = []
    for fact, joined in zip(found, names, strict=True):
        held = tuple((name, figures[name]) for name in joined.split("\n")[:_MOST_NAMES] if name in figures)
        out.append(replace(fact, names=held))
    return tuple(out)


def _figures(db: sqlite3.Connection, scope: Sequence[tuple[Range, int]], names: list[str]) -> dict[str, NameStats]:
    found: dict[str, NameStats] = {}
    for part, shift in scope:
        for start in range(0, len(names), 500):
            some = names[start : start + 500]
            marks = ",".join("?" * len(some))
            for name, kind, messages, users, calls, last in db.execute(
                f"SELECT name, kind, messages, users, calls, last FROM names WHERE run = ? AND name IN ({marks})",
                (part.run, *some),
            ):
                old = found.get(name)
                found[name] = NameStats(
                    kind,
                    messages + (old.messages if old else 0),
                    users + (old.users if old else 0),
                    calls + (old.calls if old else 0),
                    max(position_of(last) + shift, old.last if old else shift),
                )
    return found


def _newest(row: tuple[StoredFact, str]) -> tuple[int, int]:
    return -row[0].position, row[0].number


def _weightiest(row: tuple[StoredFact, str]) -> tuple[float, int, int]:
    return -row[0].weight, -row[0].position, -row[0].number
