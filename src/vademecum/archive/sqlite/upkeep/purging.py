"""Purging a part for good: a notice stands in its place, so that the transcript and its contexts keep their form."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from vademecum.archive.sqlite import compactions, state
from vademecum.archive.sqlite.append import index, keep_large
from vademecum.archive.sqlite.batch import Batch
from vademecum.archive.sqlite.blobs import pack, split
from vademecum.archive.sqlite.hiding import settled
from vademecum.archive.sqlite.indexed import answered
from vademecum.archive.sqlite.reading import StoredMessage, stored
from vademecum.archive.sqlite.revisions import versions
from vademecum.archive.sqlite.rows import run_of
from vademecum.archive.sqlite.upkeep.erasing import forget, let_go
from vademecum.archive.sqlite.upkeep.notices import without
from vademecum.archive.sqlite.upkeep.redaction import Redaction
from vademecum.archive.sqlite.upkeep.withholding import purged_parts, remember, rewrite_versions
from vademecum.archive.values import Piece
from vademecum.core.dialect import Dialect
from vademecum.core.identity import short
from vademecum.core.messages import Message
from vademecum.errors import PartNotFound
from vademecum.wire.values import encoded

#: Everything of a message.
ALL = -1


def purge(
    db: sqlite3.Connection, rows: Sequence[tuple[int, Dialect]], part: int, now: float
) -> tuple[int, int, Redaction]:
    """Removes a part of some messages (the same one in several sessions), inside a transaction.

    Returns:
        How many parts were removed, in how many compactions they were quoted, and what finds them in a text.
    """
    removed: list[str] = []
    count = 0
    for row, format in rows:
        message = stored(db, row)
        if message is None:
            continue
        later = versions(db, row)
        forget(db, message, format)
        loaded = message.load(format)
        gone = purged_parts(db, row)
        numbers = [at for at in (range(len(loaded.parts)) if part == ALL else [part]) if at not in gone]
        texts = [loaded.parts[number].text for number in numbers]
        texts += [held.text for version in later for held in version.load(format).parts]
        removed += texts
        count += len(numbers)
        for number in numbers:
            db.execute("INSERT OR REPLACE INTO purged VALUES (?, ?, ?)", (row, number, now))
        _rewrite(db, message, loaded, numbers, format, now)
        rewrite_versions(db, row, later, format, now)
    runs = {run_of(row) for row, _ in rows}
    remember(db, _owner(db, rows), removed)
    redaction = Redaction(removed, lambda word: _stands_elsewhere(db, runs, word))
    quoted = 0
    for run in _reached(db, runs):
        quoted += _redact_compactions(db, run, redaction)
    _redact_state(db, redaction)
    before = state.get(db, "", "archive", "purges") or {}
    state.put(db, "", "archive", "purges", {"count": before.get("count", 0) + 1})
    return count, quoted, Redaction(removed)


def named(
    db: sqlite3.Connection, rows: Sequence[tuple[int, Dialect]], found: StoredMessage, part: int | None, id: str
) -> int:
    """Which part of a message an id names; `ALL` for one without a number, or one of what an edit made of it.

    Raises:
        PartNotFound: The message has no part of that number.
    """
    held = stored(db, rows[0][0])
    count = len(found.load(rows[0][1]).parts)
    if part is not None and part >= count:
        if any(part < len(later.load(rows[0][1]).parts) for later in versions(db, found.row)):
            return ALL  # an edit made more parts of it
        raise PartNotFound(id, [f"{short(found.node)}.{at + 1}" for at in range(min(count, 8))])
    return ALL if part is None or held is None or held.node != found.node else part


def _rewrite(
    db: sqlite3.Connection,
    message: StoredMessage,
    loaded: Message,
    numbers: Sequence[int],
    format: Dialect,
    now: float,
) -> None:
    calls = answered(db, message, loaded, format)
    raw = without(loaded, numbers, format, now)
    skeleton, large = split(raw)
    how, data = pack(skeleton)
    let_go(db, message.row, keep=[digest for digest, _ in large])
    keep_large(db, message.row, large)
    db.execute(
        "UPDATE messages SET packed = ?, wire = ?, tokens = min(tokens, ?) WHERE id = ?",
        (how, data, 16 + len(raw) // 4, message.row),
    )
    kept = StoredMessage(
        message.row, message.node, message.role, message.tool, message.tokens, message.typed, message.ts, raw
    ).load(format)
    batch = Batch()
    index(db, batch, message.row, kept, message.node, calls, settled(db), purged_parts(db, message.row))
    batch.write(db)


def _owner(db: sqlite3.Connection, rows: Sequence[tuple[int, Dialect]]) -> str:
    """Whose the messages are."""
    return db.execute("SELECT owner FROM runs WHERE run = ?", (run_of(rows[0][0]),)).fetchone()[0]


def _stands_elsewhere(db: sqlite3.Connection, runs: set[int], word: str) -> bool:
    return any(
        db.execute("SELECT 1 FROM names WHERE run = ? AND name = ?", (run, word)).fetchone() is not None
        for run in runs
    )


def _reached(db: sqlite3.Connection, runs: set[int]) -> set[int]:
    """These runs and all that go on from them."""
    found = set(runs)
    for run, parent in db.execute("SELECT run, parent FROM runs WHERE parent IS NOT NULL ORDER BY run").fetchall():
        if parent in found:
            found.add(run)
    return found


def _redact_compactions(db: sqlite3.Connection, run: int, redaction: Redaction) -> int:
    count = 0
    for (row,) in db.execute("SELECT id FROM compactions WHERE run = ?", (run,)).fetchall():
        made = compactions.load(db, row)
        pieces = tuple(_redacted(piece, redaction) for piece in made.pieces)
        narrative, told = redaction.text(made.narrative), json.loads(made.receipt)
        kept = redaction.value(told)
        receipt = made.receipt if kept is told else json.dumps(kept)
        if pieces != made.pieces or narrative != made.narrative or receipt != made.receipt:
            how, data = pack(compactions.dumped(pieces))
            db.execute(
                "UPDATE compactions SET packed = ?, emitted = ?, narrative = ?, receipt = ? WHERE id = ?",
                (how, data, narrative, receipt, row),
            )
            count += 1
    return count


def _redacted(piece: Piece, redaction: Redaction) -> Piece:
    if not piece.data:
        return piece
    value: object = json.loads(piece.data.decode("utf-8", "surrogateescape"))
    kept = redaction.value(value)
    return piece if kept is value else Piece(piece.start, piece.stop, encoded(kept), piece.carry)


def _redact_state(db: sqlite3.Connection, redaction: Redaction) -> None:
    for owner, scope, key, text in db.execute("SELECT owner, scope, key, value FROM state").fetchall():
        value: object = json.loads(text)
        kept = redaction.value(value)
        if kept is not value:
            db.execute(
                "UPDATE state SET value = ? WHERE owner = ? AND scope = ? AND key = ?",
                (json.dumps(kept), owner, scope, key),
            )
