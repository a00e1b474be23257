"""Revisions: what a caller made of its messages later, kept beside the originals."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from vademecum.archive.sqlite.blobs import pack, unpack
from vademecum.archive.sqlite.lineage import ancestry
from vademecum.archive.sqlite.reading import StoredMessage
from vademecum.archive.sqlite.rows import Range, position_of, short_int
from vademecum.core.identity import node as node_after
from vademecum.core.messages import Message
from vademecum.wire.values import encoded

_GONE = -1


def revise(
    db: sqlite3.Connection, run: int, row: int, original: bytes, messages: Sequence[Message], sizes: Sequence[int]
) -> None:
    """Notes what stands in a message's place now: another version of it, several messages, or none.

    Args:
        db: A connection inside a transaction.
        run: The run in which it comes about; others that share the message do not see it.
        row: The message's row.
        original: Its node id.
        messages: What stands in its place.
        sizes: Their tokens.
    """
    (version,) = db.execute(
        "SELECT coalesce(max(version), 0) + 1 FROM revisions WHERE message = ?", (row,)
    ).fetchone()
    if not messages:
        db.execute(_INSERT, (row, version, _GONE, run, original, short_int(original), "", 0, 0, 0, b""))
    for number, message in enumerate(messages):
        identifier = node_after(original, message.identity)
        how, data = pack(message.raw or encoded(message.wire))
        db.execute(
            _INSERT,
            (row, version, number, run, identifier, short_int(identifier), message.role, sizes[number],
             int(message.typed), how, data),
        )  # fmt: skip


_INSERT = "INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def latest(db: sqlite3.Connection, run: int, ranges: Sequence[Range]) -> Mapping[int, tuple[StoredMessage, ...]]:
    """Position → what stands there now in a run, for every message of its lineage that was revised."""
    runs = ", ".join(map(str, ancestry(db, run)))
    found: dict[int, list[StoredMessage]] = {}
    for part in ranges:
        rows = db.execute(
            "SELECT message, number, node, role, tokens, typed, packed, wire FROM revisions AS held "
            f"WHERE message BETWEEN ? AND ? AND run IN ({runs}) AND version = (SELECT max(version) FROM revisions "
            f"WHERE message = held.message AND run IN ({runs})) ORDER BY message, number",
            part.messages,
        )
        for row, number, identifier, role, tokens, typed, packed, wire in rows:
            place = found.setdefault(position_of(row), [])
            if number != _GONE:
                raw = unpack(packed, wire)
                place.append(StoredMessage(row, identifier, role, "", tokens, bool(typed), None, raw))
    return {position: tuple(held) for position, held in found.items()}


def versions(db: sqlite3.Connection, row: int) -> list[StoredMessage]:
    """Every later version of a message, the oldest first."""
    rows = db.execute(
        "SELECT node, role, tokens, typed, packed, wire FROM revisions WHERE message = ? AND number >= 0 "
        "ORDER BY version, number",
        (row,),
    )
    return [
        StoredMessage(row, node, role, "", tokens, bool(typed), None, unpack(packed, wire))
        for node, role, tokens, typed, packed, wire in rows
    ]


def named(db: sqlite3.Connection, short: int) -> list[StoredMessage]:
    """The versions that a short id names, the newest first."""
    rows = db.execute(
        "SELECT message, node, role, tokens, typed, packed, wire FROM revisions WHERE short = ? AND number >= 0 "
        "ORDER BY message DESC, version DESC",
        (short,),
    )
    return [
        StoredMessage(row, node, role, "", tokens, bool(typed), None, unpack(packed, wire))
        for row, node, role, tokens, typed, packed, wire in rows
    ]
