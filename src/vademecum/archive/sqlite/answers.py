"""Answers to what the planner asks about the whole history: queries with a limit, however long it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, get_args

from vademecum.archive.sqlite.lineage import clipped
from vademecum.archive.sqlite.reading import stored
from vademecum.archive.sqlite.rows import Range, message_of, number_of, position_of, short_text
from vademecum.core.dialect import Dialect
from vademecum.core.facts.extract import FactKind, Source
from vademecum.core.identity import parse_part_id
from vademecum.core.messages import Part
from vademecum.core.requests import NameStats, QueryFacts, QueryRequests, StoredFact

_COLUMNS = "id, kind, source, part, parts, short, weight, key, text, names"
Row = tuple[Any, ...]
#: Names of a fact beyond these do not change what it is worth.
_MOST_NAMES = 6
#: One object for each of these words, which thousands of rows have.
_ONE = {word: word for word in (*get_args(FactKind), *get_args(Source))}
#: Rows or names that one statement asks for.
_AT_ONCE = 500


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
    scope = [(part, 0) for part in clipped(ranges, 0, query.until)]
    start = 0
    for earlier in before:
        start -= max((part.stop for part in earlier), default=0)
        scope += [(part, start) for part in earlier]
    return _with_names(db, scope, list(_rows(db, _places(db, scope, query))))


def _places(db: sqlite3.Connection, scope: Sequence[tuple[Range, int]], query: QueryFacts) -> list[tuple[int, int]]:
    """Row and shift of the facts that a query asks for, in order; the indexes alone are read."""
    columns, order = ("id, 0.0", "id DESC") if query.newest_first else ("id, weight", "weight DESC, id DESC")
    places: list[tuple[float, int, int, int, int]] = []
    for part, shift in scope:
        for kind in query.kinds:
            places += [
                (-weight, -position_of(message_of(id)) - shift, -number_of(id), id, shift)
                for id, weight in db.execute(
                    f"SELECT {columns} FROM facts WHERE run = ? AND kind = ? AND id BETWEEN ? AND ? "
                    f"ORDER BY {order} LIMIT ?",
                    (part.run, kind, *part.numbered, query.limit),
                )
            ]
    # What is said first in the newest message comes first there, what is weightiest elsewhere.
    places.sort(key=_newest if query.newest_first else _weightiest)
    return [(id, shift) for *_, id, shift in places[: query.limit]]


def _rows(db: sqlite3.Connection, places: Sequence[tuple[int, int]]) -> Iterator[tuple[Row, int]]:
    """The rows at some places, in their order."""
    for start in range(0, len(places), _AT_ONCE):
        some = places[start : start + _AT_ONCE]
        marks = ",".join("?" * len(some))
        held = {
            row[0]: row
            for row in db.execute(f"SELECT {_COLUMNS} FROM facts WHERE id IN ({marks})", [id for id, _ in some])
        }
        yield from ((held[id], shift) for id, shift in some)


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


def _fact(row: Row, shift: int, names: tuple[tuple[str, NameStats], ...]) -> StoredFact:
    number, kind, source, part, parts, short, weight, key, text, _ = row
    return StoredFact(
        kind=_ONE.get(kind, kind),
        source=_ONE.get(source, source),
        text=text,
        key=key,
        weight=weight,
        position=position_of(message_of(number)) + shift,
        id=short_text(short) + ("" if parts == 1 else f".{part + 1}"),
        number=number_of(number),
        names=names,
    )


def _with_names(
    db: sqlite3.Connection, scope: Sequence[tuple[Range, int]], rows: Sequence[tuple[Row, int]]
) -> tuple[StoredFact, ...]:
    names = [row[9].split("\n")[:_MOST_NAMES] for row, _ in rows]
    wanted = {name for some in names for name in some if name}
    figures = _figures(db, scope, sorted(wanted)) if wanted else {}
    pairs = {name: (name, stats) for name, stats in figures.items()}  # one for all facts that have the name
    return tuple(
        _fact(row, shift, tuple(pairs[name] for name in some if name in pairs))
        for (row, shift), some in zip(rows, names, strict=True)
    )


def _figures(db: sqlite3.Connection, scope: Sequence[tuple[Range, int]], names: list[str]) -> dict[str, NameStats]:
    found: dict[str, NameStats] = {}
    for part, shift in scope:
        for start in range(0, len(names), _AT_ONCE):
            some = names[start : start + _AT_ONCE]
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


def _newest(place: tuple[float, int, int, int, int]) -> tuple[int, int]:
    return place[1], -place[2]


def _weightiest(place: tuple[float, int, int, int, int]) -> tuple[float, int, int]:
    return place[:3]
