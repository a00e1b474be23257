"""Retention: which sessions are older than their owner wants to keep, and large strings that make room."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from vademecum.archive.sqlite.blobs import EVICTED, unpack
from vademecum.archive.sqlite.connection import Connection
from vademecum.archive.sqlite.places import places
from vademecum.archive.sqlite.rewording import reworded
from vademecum.archive.sqlite.rows import run_of
from vademecum.archive.sqlite.search import Place
from vademecum.core.edits import MARK
from vademecum.core.text import head, tail

#: Characters of an evicted string's beginning and end that are kept.
_KEPT = 300
#: Strings that are evicted in one transaction.
_BATCH = 50


def outdated(db: sqlite3.Connection, owner: str, before: float) -> list[str]:
    """The sessions that were used last before a moment, the oldest first; one that a younger one continues stays."""
    rows = db.execute(
        "SELECT session, parent, last FROM sessions WHERE owner = ? ORDER BY last, session", (owner,)
    ).fetchall()
    parents = {name: parent for name, parent, _ in rows}
    kept: set[str] = set()
    for name, _, last in rows:
        if last is None or last >= before:
            held: str | None = name
            while held is not None and held not in kept:
                kept.add(held)
                held = parents.get(held)
    return [name for name, _, _ in rows if name not in kept]


def used_bytes(db: sqlite3.Connection) -> int:
    """Bytes of the file that are in use."""
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    (free,) = db.execute("PRAGMA freelist_count").fetchone()
    (size,) = db.execute("PRAGMA page_size").fetchone()
    return (pages - free) * size


def evict(connection: Connection, most_bytes: int, now: float) -> tuple[int, int]:
    """Leaves only a stand-in of the large strings that are oldest and in no context, until the file fits its cap.

    Returns:
        How many strings went, and the bytes that they had.
    """
    with connection.reading() as db:
        over = used_bytes(db) - most_bytes
        queue = _oldest(db) if over > 0 else []
    count = freed = 0
    while queue and freed < over:
        batch, queue = queue[:_BATCH], queue[_BATCH:]
        with connection.transaction() as db:
            place_of = {owner: places(db, owner, None) for owner in _owners(db)}
            for digest in batch:
                if freed >= over:
                    break
                if _in_context(db, digest, place_of):
                    continue
                gained = _replaced(db, digest, now)
                count, freed = count + bool(gained), freed + gained
    return count, freed


def _owners(db: sqlite3.Connection) -> list[str]:
    return [owner for (owner,) in db.execute("SELECT DISTINCT owner FROM runs")]


def _oldest(db: sqlite3.Connection) -> list[bytes]:
    """Large strings by the age of the newest message that uses them."""
    rows = db.execute(
        "SELECT uses.hash FROM uses JOIN messages ON messages.id = uses.message JOIN blobs ON blobs.hash = uses.hash "
        "JOIN runs ON runs.run = uses.message >> 24 LEFT JOIN sessions ON sessions.owner = runs.owner AND "
        "sessions.session = runs.session WHERE blobs.packed != ? GROUP BY uses.hash "
        "ORDER BY max(coalesce(messages.ts, sessions.last, 0)), uses.hash",
        (EVICTED,),
    )
    return [digest for (digest,) in rows]


def _in_context(db: sqlite3.Connection, digest: bytes, place_of: Mapping[str, Callable[[int], Place | None]]) -> bool:
    for (row,) in db.execute("SELECT message FROM uses WHERE hash = ?", (digest,)).fetchall():
        (owner,) = db.execute("SELECT owner FROM runs WHERE run = ?", (run_of(row),)).fetchone()
        place = place_of[owner](run_of(row))
        if place is not None and place.in_context(row):
            return True
    return False


def _replaced(db: sqlite3.Connection, digest: bytes, now: float) -> int:
    """Puts a stand-in in a string's place; the bytes that this frees."""
    packed, data = db.execute("SELECT packed, data FROM blobs WHERE hash = ?", (digest,)).fetchone()
    literal = unpack(packed, data)
    if not literal.startswith(b'"'):
        return 0
    text = json.loads(literal.decode("utf-8", "surrogateescape"))
    said = f"{MARK} {len(text):,} characters evicted on {datetime.fromtimestamp(now, UTC):%Y-%m-%d}]"
    if text.lstrip().startswith("{"):  # a call's arguments stay JSON
        left = json.dumps({"evicted": said})
    else:
        left = f"{head(text, _KEPT)}\n{said}\n{tail(text, _KEPT)}"
    stand_in = json.dumps(left).encode("ascii")
    gained = len(data) - len(stand_in)
    if gained <= 0:
        return 0
    sql = "UPDATE blobs SET packed = ?, data = ? WHERE hash = ?"
    reworded(db, digest, lambda: db.execute(sql, (EVICTED, stand_in, digest)))
    return gained
