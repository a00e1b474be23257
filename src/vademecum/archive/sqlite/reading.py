"""Reading messages back: their exact bytes, and as messages of their format."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from vademecum.archive.sqlite.blobs import join, unpack, value_of
from vademecum.archive.sqlite.lineage import clipped, lineage, within
from vademecum.archive.sqlite.rows import Range, position_of, run_of
from vademecum.core.dialect import Dialect
from vademecum.core.edits import MARK
from vademecum.core.messages import Message
from vademecum.errors import ArchiveCorrupt


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message as the archive has it; `raw` are its exact bytes, `tool` one line for each call and result."""

    row: int
    node: bytes
    role: str
    tool: str
    tokens: int
    typed: bool
    ts: float | None
    raw: bytes

    @property
    def position(self) -> int:
        """Its position in the lineage."""
        return position_of(self.row)

    @property
    def lacks(self) -> bool:
        """Whether something of it may be gone from the archive: purged, or evicted."""
        return _MARK in self.raw and (b" purged on " in self.raw or b" evicted on " in self.raw)

    def load(self, dialect: Dialect) -> Message:
        """The message, read by its format."""
        # A file's bytes that are no UTF-8 are read as they were when it was imported.
        wire = value_of(self.raw.decode("utf-8", "surrogateescape"))
        return dialect.load(wire, self.position, raw=self.raw, harness=not self.typed)


_MARK = MARK.encode()
#: Positions of a stretch in the table `sizes`, as a power of two.
_STRETCH_BITS = 10
_COLUMNS = "id, node, role, tool, tokens, typed, ts, packed, wire"


def stored(db: sqlite3.Connection, row: int) -> StoredMessage | None:
    """The message of a row, or None."""
    found = db.execute(f"SELECT {_COLUMNS} FROM messages WHERE id = ?", (row,)).fetchone()
    return None if found is None else _message(db, found)


def stored_range(db: sqlite3.Connection, ranges: Sequence[Range]) -> Iterator[StoredMessage]:
    """The messages of a lineage's ranges, in order."""
    for part in ranges:
        for found in db.execute(
            f"SELECT {_COLUMNS} FROM messages WHERE id BETWEEN ? AND ? ORDER BY id", part.messages
        ).fetchall():
            yield _message(db, found)


def around(
    db: sqlite3.Connection, message: StoredMessage, ranges: Sequence[Range], count: int
) -> list[StoredMessage]:
    """A message with `count` on each side: in a lineage where that has it, else in the branch that it was left in."""
    own = ranges if within(message.row, ranges) else lineage(db, run_of(message.row))
    return list(stored_range(db, clipped(own, message.position - count, message.position + count + 1)))


def nodes(db: sqlite3.Connection, ranges: Sequence[Range]) -> list[bytes]:
    """The node ids of a lineage's ranges, in order."""
    found: list[bytes] = []
    for part in ranges:
        rows = db.execute("SELECT node FROM messages WHERE id BETWEEN ? AND ? ORDER BY id", part.messages)
        found.extend(node for (node,) in rows)
    return found


def tokens_in(db: sqlite3.Connection, ranges: Sequence[Range]) -> int:
    """Tokens of a lineage's ranges: whole stretches as they are noted, what is left message by message."""
    total = 0
    for part in ranges:
        first, last = part.messages
        whole, after = -(-first >> _STRETCH_BITS), (last + 1) >> _STRETCH_BITS
        if whole >= after:
            total += _sum(db, "messages", "id", first, last)
            continue
        total += _sum(db, "messages", "id", first, (whole << _STRETCH_BITS) - 1)
        total += _sum(db, "sizes", "stretch", whole, after - 1)
        total += _sum(db, "messages", "id", after << _STRETCH_BITS, last)
    return total


def _sum(db: sqlite3.Connection, table: str, key: str, first: int, last: int) -> int:
    sql = f"SELECT coalesce(sum(tokens), 0) FROM {table} WHERE {key} BETWEEN ? AND ?"
    return int(db.execute(sql, (first, last)).fetchone()[0])


def _message(db: sqlite3.Connection, found: tuple[Any, ...]) -> StoredMessage:
    row, node, role, tool, tokens, typed, ts, packed, wire = found

    def blob(digest: bytes) -> bytes:
        held = db.execute("SELECT packed, data FROM blobs WHERE hash = ?", (digest,)).fetchone()
        if held is None:
            raise ArchiveCorrupt(f"message {row} misses a string that it shares", hint="run `vademecum db verify`")
        return unpack(held[0], held[1])

    raw = join(unpack(packed, wire), blob)
    return StoredMessage(row, node, role, tool, tokens, bool(typed), ts, raw)
