"""What an archive holds and how large it is."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

#: Tables whose rows are counted.
_COUNTED = ("sessions", "messages", "compactions", "facts", "blobs", "revisions", "purged")
_RUN_BITS = 24


@dataclass(frozen=True, slots=True)
class SessionSize:
    """A session with its own messages: those that it shares belong to the session that had them first."""

    id: str
    owner: str
    messages: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Status:
    """What an archive holds.

    Attributes:
        path: The file; empty in memory.
        schema: The schema of its tables.
        bytes: The size of the file.
        log_bytes: The size of the write-ahead log beside it.
        free_bytes: What of the file is free; `db vacuum` gives it back.
        counts: Rows by kind.
        evicted: Large strings of which only a stand-in is left.
        erasing: Whether a removal was interrupted and is still to be finished.
        largest: The sessions with the most bytes.
    """

    path: str
    schema: int
    bytes: int
    log_bytes: int
    free_bytes: int
    counts: dict[str, int]
    evicted: int
    erasing: bool
    largest: tuple[SessionSize, ...]


def status(db: sqlite3.Connection, path: Path | None, most: int = 10) -> Status:
    """What an archive holds, with its `most` largest sessions."""
    (page,) = db.execute("PRAGMA page_size").fetchone()
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    (free,) = db.execute("PRAGMA freelist_count").fetchone()
    counts = {name: db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in _COUNTED}
    (evicted,) = db.execute("SELECT count(*) FROM blobs WHERE packed = 2").fetchone()
    (erasing,) = db.execute("SELECT count(*) FROM doomed").fetchone()
    return Status(
        path="" if path is None else str(path),
        schema=db.execute("PRAGMA user_version").fetchone()[0],
        bytes=page * pages,
        log_bytes=_size(path, "-wal"),
        free_bytes=page * free,
        counts=counts,
        evicted=evicted,
        erasing=bool(erasing),
        largest=_largest(db, most),
    )


def _largest(db: sqlite3.Connection, most: int) -> tuple[SessionSize, ...]:
    rows = db.execute(
        "WITH own AS (SELECT id >> ? AS run, count(*) AS messages, sum(length(wire)) AS bytes FROM messages"
        " GROUP BY 1),"
        " shared AS (SELECT message >> ? AS run, sum(length(data)) AS bytes FROM blobs JOIN"
        " (SELECT hash, min(message) AS message FROM uses GROUP BY hash) USING (hash) GROUP BY 1)"
        " SELECT session, owner, sum(own.messages), sum(own.bytes + coalesce(shared.bytes, 0)) AS total FROM runs"
        " JOIN own USING (run) LEFT JOIN shared USING (run) GROUP BY owner, session ORDER BY total DESC LIMIT ?",
        (_RUN_BITS, _RUN_BITS, most),
    )
    return tuple(SessionSize(*row) for row in rows)


def _size(path: Path | None, beside: str) -> int:
    file = None if path is None else path.with_name(path.name + beside)
    return file.stat().st_size if file is not None and file.exists() else 0
