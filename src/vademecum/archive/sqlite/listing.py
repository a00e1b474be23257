"""What a list of sessions says about each."""

from __future__ import annotations

import sqlite3

from vademecum.archive.sqlite import compactions
from vademecum.archive.sqlite.lineage import lineage
from vademecum.archive.values import SessionInfo


def described(
    db: sqlite3.Connection,
    id: str,
    source: str,
    format: str,
    run: int,
    started: float | None,
    last: float | None,
) -> SessionInfo:
    """One line about a session, from its row."""
    ranges = lineage(db, run)
    tokens = 0
    for part in ranges:
        sql = "SELECT coalesce(sum(tokens), 0) FROM messages WHERE id BETWEEN ? AND ?"
        tokens += db.execute(sql, part.messages).fetchone()[0]
    standing = compactions.head(db, ranges, "main")
    cycles = 0 if standing is None else standing.cycle
    return SessionInfo(
        id, source, format, max((part.stop for part in ranges), default=0), tokens, cycles, started, last
    )
