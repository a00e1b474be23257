"""Erasing messages: their rows, the strings that nobody else uses, and what was noted of them elsewhere."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from vademecum.archive.sqlite.connection import Connection
from vademecum.archive.sqlite.hiding import unnote
from vademecum.archive.sqlite.indexed import indexed_texts, mentioned
from vademecum.archive.sqlite.reading import StoredMessage, stored
from vademecum.archive.sqlite.rows import message_row, numbered_row, run_of
from vademecum.core.dialect import Dialect
from vademecum.wire import dialect

#: Whose the runs of removed sessions are: nobody's. They stay, so that no number is used twice.
NOBODY = "\0"
#: Messages that are erased in one transaction, and pages of the word index that are merged in one.
_BATCH, _MERGED = 200, 400


def finish(connection: Connection) -> int:
    """Erases what is doomed, a few messages at a time so that other writers get in; returns how many there were."""
    count = 0
    while True:
        with connection.transaction() as db:
            found = db.execute("SELECT first, last FROM doomed ORDER BY first LIMIT 1").fetchone()
            if found is None:
                break
            count += _erased_batch(db, *found)
    if count:
        merge(connection)
    return count


def _erased_batch(db: sqlite3.Connection, first: int, last: int) -> int:
    rows = [
        row
        for (row,) in db.execute(
            "SELECT id FROM messages WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT ?", (first, last, _BATCH)
        )
    ]
    format, kept = format_of(db, run_of(first))
    for row in rows:
        erase(db, row, format, names=kept)
    if len(rows) < _BATCH:
        db.execute("DELETE FROM doomed WHERE first = ?", (first,))
    else:
        db.execute("UPDATE doomed SET last = ? WHERE first = ?", (rows[-1] - 1, first))
    return len(rows)


def format_of(db: sqlite3.Connection, run: int) -> tuple[Dialect, bool]:
    """The format of a run's messages, kept in the place of its session where that was removed; whether it goes on."""
    (owner, name) = db.execute("SELECT owner, session FROM runs WHERE run = ?", (run,)).fetchone()
    if owner != NOBODY:
        (name,) = db.execute("SELECT format FROM sessions WHERE owner = ? AND session = ?", (owner, name)).fetchone()
    return dialect(name), owner != NOBODY


def erase(db: sqlite3.Connection, row: int, format: Dialect, *, names: bool) -> None:
    """Removes a message and everything that is kept about it; the names of its run are counted where that goes on."""
    message = stored(db, row)
    if message is None:
        return
    forget(db, message, format, names=names)
    for table, column in (
        ("messages", "id"),
        ("revisions", "message"),
        ("calls", "message"),
        ("purged", "message"),
    ):
        db.execute(f"DELETE FROM {table} WHERE {column} = ?", (row,))
    let_go(db, row)


def forget(db: sqlite3.Connection, message: StoredMessage, format: Dialect, *, names: bool = True) -> None:
    """Removes what search and the ledger know of a message and its later versions."""
    forget_words(db, message, format, names=names)
    first, last = numbered_row(message.row, 0), numbered_row(message.row + 1, 0) - 1
    db.execute("DELETE FROM facts WHERE id BETWEEN ? AND ?", (first, last))


def forget_words(db: sqlite3.Connection, message: StoredMessage, format: Dialect, *, names: bool = True) -> None:
    """Removes what search knows of a message and its later versions, while their text is what was indexed."""
    row = message.row
    first, last = numbered_row(row, 0), numbered_row(row + 1, 0) - 1
    sql = "SELECT id FROM passages_docsize WHERE id BETWEEN ? AND ?"
    kept: list[int] = [id for (id,) in db.execute(sql, (first, last))]
    if kept:
        texts = indexed_texts(db, message, format)
        db.executemany(
            "INSERT INTO passages (passages, rowid, text) VALUES ('delete', ?, ?)",
            [(id, texts[id - first]) for id in kept if id - first < len(texts)],
        )
    unnote(db, row)
    if names:
        _forget_names(db, message, format)


def _forget_names(db: sqlite3.Connection, message: StoredMessage, format: Dialect) -> None:
    run = run_of(message.row)
    for mentions in mentioned(db, message, format):
        counts: dict[str, list[int]] = {}
        for mention in mentions:
            figures = counts.setdefault(mention.name, [0, 0])
            figures[0] |= mention.source == "user"
            figures[1] |= mention.source == "call"
        db.executemany(
            "UPDATE names SET messages = messages - 1, users = max(0, users - ?), calls = max(0, calls - ?) "
            "WHERE run = ? AND name = ?",
            [(users, calls, run, name) for name, (users, calls) in counts.items()],
        )
        gone = [(run, name) for name in counts]
        db.executemany("DELETE FROM names WHERE run = ? AND name = ? AND messages <= 0", gone)
    # What an earlier version of the extraction found, and this one does not.
    db.execute("DELETE FROM names WHERE run = ? AND first = ? AND last = ?", (run, message.row, message.row))


def let_go(db: sqlite3.Connection, row: int, keep: Sequence[bytes] = ()) -> None:
    """Removes the large strings that only this message used, but those that it keeps."""
    used = [digest for (digest,) in db.execute("SELECT hash FROM uses WHERE message = ?", (row,))]
    for digest in used:
        if digest in keep:
            continue
        db.execute("DELETE FROM uses WHERE hash = ? AND message = ?", (digest, row))
        if db.execute("SELECT 1 FROM uses WHERE hash = ?", (digest,)).fetchone() is None:
            db.execute("DELETE FROM blobs WHERE hash = ?", (digest,))


def merge(connection: Connection) -> None:
    """Writes the word index anew: words of removed passages stay in its old segments until then."""
    pages = -_MERGED
    while True:
        with connection.transaction() as db:
            before = db.total_changes
            db.execute("INSERT INTO passages (passages, rank) VALUES ('merge', ?)", (pages,))
            if db.total_changes - before < 2:
                return
        pages = _MERGED


def empty_log(connection: Connection) -> bool:
    """Takes the write-ahead log into the file and empties it; False where a reader holds on to it."""
    busy, _, _ = connection.outside("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


def doom(db: sqlite3.Connection, run: int, start: int, stop: int) -> None:
    """Notes messages of a run as to be erased."""
    if start < stop:
        db.execute("INSERT INTO doomed VALUES (?, ?)", (message_row(run, start), message_row(run, stop) - 1))
