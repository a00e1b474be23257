"""What a list of sessions says about each."""

from __future__ import annotations

import sqlite3

from vademecum.archive.sqlite import compactions
from vademecum.archive.sqlite.lineage import lineage
from vademecum.archive.sqlite.reading import tokens_in
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
    standing = compactions.head(db, ranges, "main")
    cycles = 0 if standing is None else standing.cycle
    length = max((part.stop for part in ranges), default=0)
    return SessionInfo(id, source, format, length, tokens_in(db, ranges), cycles, started, last)
