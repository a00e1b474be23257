"""Compactions: what was emitted, stored byte for byte, and the head of each view moved in one step."""

from __future__ import annotations

import json
import sqlite3
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Any

from vademecum.archive.sqlite.blobs import damaged, pack, unpack, value_of
from vademecum.archive.sqlite.lineage import common, lineage
from vademecum.archive.sqlite.rows import Range
from vademecum.archive.values import Cycle, Piece, StoredCompaction

_COLUMNS = "id, cycle, folded, cut, covered, tokens, packed, emitted, narrative, receipt"


def head_row(db: sqlite3.Connection, ranges: Sequence[Range], view: str) -> int:
    """The row of the compaction that a view of a lineage stands on, 0 for none.

    A run without one of its own goes on from its ancestors' newest that lies before the fork.
    """
    for number in range(len(ranges) - 1, -1, -1):
        part = ranges[number]
        held = db.execute("SELECT head FROM views WHERE run = ? AND view = ?", (part.run, view)).fetchone()
        row = held[0] if held is not None else None
        while row and number < len(ranges) - 1:
            covered, parent = db.execute("SELECT covered, parent FROM compactions WHERE id = ?", (row,)).fetchone()
            if covered <= part.stop:
                break
            row = parent
        if row is not None:
            return int(row)
    return 0


def load(db: sqlite3.Connection, row: int) -> StoredCompaction:
    """The compaction of a row."""
    return _compaction(db.execute(f"SELECT {_COLUMNS} FROM compactions WHERE id = ?", (row,)).fetchone())


def head(db: sqlite3.Connection, ranges: Sequence[Range], view: str) -> StoredCompaction | None:
    """The compaction that a view of a lineage stands on."""
    row = head_row(db, ranges, view)
    return load(db, row) if row else None


def commit(db: sqlite3.Connection, run: int, view: str, compaction: StoredCompaction, created: float | None) -> None:
    """Writes a compaction and moves the view's head to it."""
    how, data = pack(dumped(compaction.pieces))
    cursor = db.execute(
        "INSERT INTO compactions (run, view, cycle, parent, folded, cut, covered, tokens, packed, emitted, narrative,"
        " receipt, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            run,
            view,
            compaction.cycle,
            compaction.id or None,
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


def undo(db: sqlite3.Connection, run: int, row: int, view: str) -> int:
    """Moves a view's head back to the compaction before; see `Session.undo`."""
    if not row:
        return -1
    (parent,) = db.execute("SELECT parent FROM compactions WHERE id = ?", (row,)).fetchone()
    db.execute("INSERT OR REPLACE INTO views (run, view, head) VALUES (?, ?, ?)", (run, view, parent or 0))
    if not parent:
        return 0
    (cycle,) = db.execute("SELECT cycle FROM compactions WHERE id = ?", (parent,)).fetchone()
    return int(cycle)


def cycles(db: sqlite3.Connection, row: int, most: int) -> tuple[Cycle, ...]:
    """Figures of a compaction and of those before it, oldest first."""
    found: list[Cycle] = []
    while row and len(found) < most:
        cycle, covered, tokens, parent = db.execute(
            "SELECT cycle, covered, tokens, parent FROM compactions WHERE id = ?", (row,)
        ).fetchone()
        found.append(Cycle(cycle, covered, tokens))
        row = parent or 0
    return tuple(reversed(found))


def past(db: sqlite3.Connection, row: int) -> list[StoredCompaction]:
    """A compaction and those that it went on from, the newest first."""
    found: list[StoredCompaction] = []
    while row:
        found.append(load(db, row))
        (parent,) = db.execute("SELECT parent FROM compactions WHERE id = ?", (row,)).fetchone()
        row = parent or 0
    return found


def left_behind(db: sqlite3.Connection, run: int) -> list[tuple[str, StoredCompaction, int]]:
    """Compactions of the runs that a run goes on from which reach beyond its fork, but fold nothing behind it.

    Returns:
        (view, compaction, fork) for each view that has no compaction in the run itself.
    """
    stops = _stops(db, run)
    own = {view for (view,) in db.execute("SELECT view FROM views WHERE run = ?", (run,))}
    found: dict[str, tuple[int, int]] = {}
    for ancestor, stop in stops:
        for view, head in db.execute("SELECT view, head FROM views WHERE run = ?", (ancestor,)).fetchall():
            if view in own:
                continue
            row = head
            while row:
                covered, folded, parent = db.execute(
                    "SELECT covered, folded, parent FROM compactions WHERE id = ?", (row,)
                ).fetchone()
                if covered <= stop:
                    break
                if folded <= stop:
                    found[view] = (row, stop)
                    break
                row = parent
            if row is not None:
                own.add(view)
    return [(view, load(db, row), stop) for view, (row, stop) in sorted(found.items())]


def newest(db: sqlite3.Connection) -> int:
    """The row of the compaction that was committed last, 0 for none."""
    return db.execute("SELECT coalesce(max(id), 0) FROM compactions").fetchone()[0]


def committed_since(
    db: sqlite3.Connection, session: tuple[str, str], run: int, view: str, row: int, cycle: int
) -> list[tuple[StoredCompaction, int]]:
    """Compactions of a cycle or later that other runs of a session have got since, newest first, each with the
    position up to which its run is the same as this one: those that fold nothing behind it.
    """
    here = lineage(db, run)
    rows = db.execute(
        "SELECT compactions.id, compactions.run, folded, covered FROM compactions JOIN runs USING (run) "
        "WHERE compactions.id > ? AND cycle >= ? AND view = ? AND runs.owner = ? AND runs.session = ? "
        "AND compactions.run != ? ORDER BY compactions.id DESC",
        (row, cycle, view, *session, run),
    ).fetchall()
    shared = [
        (found, min(covered, common(here, lineage(db, other))), folded) for found, other, folded, covered in rows
    ]
    return [(load(db, found), upto) for found, upto, folded in shared if folded <= upto]


def _stops(db: sqlite3.Connection, run: int) -> list[tuple[int, int]]:
    """The runs that a run goes on from, nearest first, each with the position up to which it is shared."""
    found: list[tuple[int, int]] = []
    parent, stop = db.execute("SELECT parent, fork FROM runs WHERE run = ?", (run,)).fetchone()
    while parent is not None:
        found.append((parent, stop))
        above, fork = db.execute("SELECT parent, fork FROM runs WHERE run = ?", (parent,)).fetchone()
        parent, stop = above, min(stop, fork)
    return found


def _compaction(row: tuple[Any, ...]) -> StoredCompaction:
    identifier, cycle, folded, cut, covered, tokens, packed, emitted, narrative, receipt = row
    pieces = _loaded(unpack(packed, emitted))
    return StoredCompaction(cycle, folded, cut, covered, tokens, pieces, narrative, receipt, identifier)


def dumped(pieces: Sequence[Piece]) -> bytes:
    """Pieces as the archive keeps them."""
    rows = [[piece.start, piece.stop, b64encode(piece.data).decode("ascii"), piece.carry] for piece in pieces]
    return json.dumps(rows, separators=(",", ":")).encode("ascii")


def _loaded(data: bytes) -> tuple[Piece, ...]:
    try:
        return tuple(Piece(start, stop, b64decode(text), carry) for start, stop, text, carry in value_of(data))
    except (ValueError, TypeError) as error:
        raise damaged(error) from error
