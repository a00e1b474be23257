"""The table of contents of a lineage: stretches of even size that begin where the user spoke."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from vademecum.archive.sqlite.lineage import clipped
from vademecum.archive.sqlite.rows import Range, message_row, position_of, short_text
from vademecum.core.facts.names import WEIGHTS
from vademecum.core.requests import Segment

#: Names shown for each stretch.
_NAMES = 4
#: Sentences of a stretch that are looked at for them: what it begins with, so that a long history costs no more.
_MOST_STATEMENTS = 400
#: Names that one query asks for.
_AT_ONCE = 500


def segments(db: sqlite3.Connection, ranges: Sequence[Range], until: int, most: int) -> tuple[Segment, ...]:
    """At most `most` stretches that cover every position before `until`, oldest first."""
    scope = clipped(ranges, 0, until)
    if not scope:
        return ()
    starts = _starts(db, scope, until, most)
    return tuple(
        _segment(db, scope, start, stop)
        for start, stop in zip(starts, [*starts[1:], until], strict=True)
        if stop > start
    )


def _starts(db: sqlite3.Connection, scope: Sequence[Range], until: int, most: int) -> list[int]:
    """Positions at which stretches begin: users' words nearest to an even division."""
    spoken = [
        position_of(row)
        for part in scope
        for (row,) in db.execute(
            "SELECT id FROM messages WHERE id BETWEEN ? AND ? AND typed = 1 ORDER BY id", part.messages
        )
    ]
    if len(spoken) < most:
        candidates = spoken
    else:
        width = until / most
        buckets: dict[int, int] = {}
        for position in spoken:
            buckets.setdefault(int(position / width), position)
        candidates = sorted(buckets.values())
    starts = sorted({0, *candidates})
    # One long turn is divided too, so that a range never covers more than its share twice over.
    widest = max(1, 2 * until // most)
    filled: list[int] = []
    for start, stop in zip(starts, [*starts[1:], until], strict=True):
        filled.append(start)
        filled.extend(range(start + widest, stop, widest))
    return filled[:most] if len(filled) <= most else _thinned(filled, most)


def _thinned(starts: list[int], most: int) -> list[int]:
    return [starts[index * len(starts) // most] for index in range(most)]


def _segment(db: sqlite3.Connection, scope: Sequence[Range], start: int, stop: int) -> Segment:
    return Segment(
        first=_short(db, scope, start),
        last=_short(db, scope, stop - 1),
        messages=stop - start,
        title=_title(db, scope, start, stop),
        names=_rarest(db, scope, start, stop),
    )


def _short(db: sqlite3.Connection, scope: Sequence[Range], position: int) -> str:
    (place,) = clipped(scope, position, position + 1)
    (short,) = db.execute("SELECT short FROM messages WHERE id = ?", (place.messages[0],)).fetchone()
    return short_text(short)


def _title(db: sqlite3.Connection, scope: Sequence[Range], start: int, stop: int) -> str:
    for kind in ("request", "outcome", "statement"):
        for part in clipped(scope, start, stop):
            found = db.execute(
                "SELECT text FROM facts WHERE run = ? AND kind = ? AND id BETWEEN ? AND ? ORDER BY id LIMIT 1",
                (part.run, kind, *part.numbered),
            ).fetchone()
            if found is not None:
                return str(found[0])
    return ""


def _rarest(db: sqlite3.Connection, scope: Sequence[Range], start: int, stop: int) -> tuple[str, ...]:
    """The stretch's own names: written by people or typed into calls, and seldom seen elsewhere."""
    scored: dict[str, tuple[float, str]] = {}
    for part in clipped(scope, start, stop):
        rows = db.execute(
            "SELECT names FROM (SELECT names, weight, id FROM facts WHERE run = ? AND kind = 'statement' "
            "AND id BETWEEN ? AND ? ORDER BY id LIMIT ?) ORDER BY weight DESC, id LIMIT 60",
            (part.run, *part.numbered, _MOST_STATEMENTS),
        ).fetchall()
        names = sorted({name for (joined,) in rows for name in joined.split("\n") if 4 <= len(name) <= 60})
        for at in range(0, len(names), _AT_ONCE):
            some = names[at : at + _AT_ONCE]
            marks = ", ".join("?" * len(some))
            for name, kind, messages, users, calls, first in db.execute(
                f"SELECT name, kind, messages, users, calls, first FROM names WHERE run = ? AND name IN ({marks})",
                (part.run, *some),
            ):
                own = 1.5 if first >= message_row(part.run, start) else 1.0
                use = 1 + bool(users) + bool(calls)
                scored[name] = (-WEIGHTS.get(kind, 0.5) * own * use / (1 + messages) ** 0.5, name)
    return tuple(name for _, name in sorted(scored.values())[:_NAMES])
