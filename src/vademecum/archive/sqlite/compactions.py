"""Compactions: what was emitted, stored byte for byte, and the head of each view moved in one step."""

from __future__ import annotations

import json
import sqlite3
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Any

from vademecum.archive.sqlite.blobs import pack, unpack
from vademecum.archive.sqlite.rows import Range
from vademecum.archive.values import Piece, StoredCompaction

_COLUMNS = "id, cycle, folded, cut, covered, tokens, packed, emitted, narrative, receipt"


def head(db: sqlite3.Connection, ranges: Sequence[Range], view: str) -> StoredCompaction | None:
    """The compaction that a view of a lineage stands on.

    A run without one of its own goes on from its ancestors' newest that lies before the fork.
    """
    for number in range(len(ranges) - 1, -1, -1):
        part = ranges[number]
        stop = part.stop
        found = db.execute(
            f"SELECT {_COLUMNS} FROM compactions WHERE id = (SELECT head FROM views WHERE run = ? AND view = ?)",
            (part.run, view),
        ).fetchone()
        while found is not None and number < len(ranges) - 1 and found[4] > stop:
            found = db.execute(
                f"SELECT {_COLUMNS} FROM compactions WHERE id = (SELECT parent FROM compactions WHERE id = ?)",
                (found[0],),
            ).fetchone()
        if found is not None:
            return _compaction(found)
    return None


def commit(
    db: sqlite3.Connection,
    run: int,
    view: str,
    expected: int,
    compaction: StoredCompaction,
    created: float | None,
) -> int | None:
    """Writes a compaction and moves the view's head to it, if the head is still the expected one.

    Returns:
        The new row, or None when another process was first.
    """
    current = db.execute("SELECT head FROM views WHERE run = ? AND view = ?", (run, view)).fetchone()
    if current is not None and current[0] != expected:
        return None
    how, data = pack(_dumped(compaction.pieces))
    cursor = db.execute(
        "INSERT INTO compactions (run, view, cycle, parent, folded, cut, covered, tokens, packed, emitted, narrative,"
        " receipt, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            run,
            view,
            compaction.cycle,
            expected or None,
            compaction.folded,
            compaction.cut,
            compaction.covered,
            compaction.tokens,
            how,
            data,
            compaction.narrative,
            compaction.receipt,
            created,
        ),
    )
    db.execute("INSERT OR REPLACE INTO views (run, view, head) VALUES (?, ?, ?)", (run, view, cursor.lastrowid))
    return cursor.lastrowid


def _compaction(row: tuple[Any, ...]) -> StoredCompaction:
    identifier, cycle, folded, cut, covered, tokens, packed, emitted, narrative, receipt = row
    pieces = _loaded(unpack(packed, emitted))
    return StoredCompaction(cycle, folded, cut, covered, tokens, pieces, narrative, receipt, identifier)


def _dumped(pieces: Sequence[Piece]) -> bytes:
    rows = [[piece.start, piece.stop, b64encode(piece.data).decode("ascii")] for piece in pieces]
    return json.dumps(rows, separators=(",", ":")).encode("ascii")


def _loaded(data: bytes) -> tuple[Piece, ...]:
    return tuple(Piece(start, stop, b64decode(text)) for start, stop, text in json.loads(data))
