"""Rewording: other bytes in a large string's place, and the word index of whatever uses it with them.

The index can forget a text only while it can be told again; so it has to change together with the text.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace

from vademecum.archive.sqlite.append import insert_facts, insert_words, without_own
from vademecum.archive.sqlite.blobs import pack
from vademecum.archive.sqlite.hiding import settled
from vademecum.archive.sqlite.indexed import all_versions, answered
from vademecum.archive.sqlite.reading import StoredMessage, stored
from vademecum.archive.sqlite.rows import run_of
from vademecum.archive.sqlite.upkeep.erasing import forget_words, format_of
from vademecum.core.dialect import Dialect
from vademecum.core.facts import extract


def reworded(db: sqlite3.Connection, digest: bytes, write: Callable[[], object], *, new: int = 0) -> None:
    """Puts other bytes in a string's place, inside a transaction; facts that were taken from the old ones stay.

    Args:
        db: A connection inside a transaction.
        digest: The string.
        write: Writes its new bytes.
        new: The row of a message that is indexed with the new bytes already, 0 for none.
    """
    rows = [row for (row,) in db.execute("SELECT message FROM uses WHERE hash = ?", (digest,)) if row != new]
    for row in rows:
        message = stored(db, row)
        if message is not None:
            format, kept = format_of(db, run_of(row))
            forget_words(db, message, format, names=kept)
    write()
    for row in rows:
        message = stored(db, row)
        if message is not None:
            format, kept = format_of(db, run_of(row))
            _index(db, message, format, names=kept)


def whole_again(db: sqlite3.Connection, evicted: Sequence[tuple[bytes, bytes]], row: int) -> None:
    """Strings that were evicted and came again with the message of that row."""
    sql = "UPDATE blobs SET packed = ?, data = ? WHERE hash = ?"
    for digest, literal in evicted:
        packed = pack(literal)
        reworded(db, digest, lambda packed=packed, digest=digest: db.execute(sql, (*packed, digest)), new=row)


def _index(db: sqlite3.Connection, message: StoredMessage, format: Dialect, *, names: bool) -> None:
    purged = db.execute("SELECT part FROM purged WHERE message = ?", (message.row,)).fetchall()
    gone = frozenset(part for (part,) in purged)
    seen: set[str] = set()
    hiding = settled(db)
    for version in all_versions(db, message, format):
        calls = answered(db, message, version.loaded, format)
        own, told = without_own(version.loaded, calls, gone if version.stored is message else ())
        insert_words(db, message.row, version.loaded, own, hiding, version.first)
        if names:
            told, bare = hiding.told(told, calls)
            found = extract(told, bare)
            mentions = tuple(mention for mention in found.mentions if mention.name not in seen)
            seen |= {mention.name for mention in mentions}
            insert_facts(db, message.row, told, version.stored.node, replace(found, facts=(), mentions=mentions))
