"""Verifying an archive: SQLite's own checks, and what must hold of its content."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from vademecum.archive.sqlite import compactions
from vademecum.archive.sqlite.blobs import EVICTED, digests, unpack
from vademecum.archive.sqlite.lineage import lineage
from vademecum.archive.sqlite.reading import stored
from vademecum.archive.sqlite.rows import message_row, run_of, short_int, short_text
from vademecum.core.dialect import Dialect
from vademecum.core.identity import ROOT, node
from vademecum.errors import ArchiveCorrupt, VademecumError
from vademecum.wire import dialect

#: Problems that are told; a damaged file may have millions.
MOST = 200


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that does not hold.

    Attributes:
        what: What sort of thing it is: `file`, `index`, `session`, `run`, `message`, `string`, `compaction`,
            `view`, `fact`, `passage` or `removal`.
        where: Which one.
        text: What is wrong with it.
    """

    what: str
    where: str
    text: str


def faults(db: sqlite3.Connection) -> Iterator[Fault]:
    """Everything that is wrong with an archive."""
    try:
        yield from _faults(db)
    except sqlite3.DatabaseError as error:  # so damaged that it cannot even be checked
        yield Fault("file", "", str(error))


def _faults(db: sqlite3.Connection) -> Iterator[Fault]:
    broken = [str(line) for (line,) in db.execute(f"PRAGMA integrity_check({MOST})") if line != "ok"]
    yield from (Fault("file", "", line) for line in broken)
    if broken:  # what stands in damaged pages says nothing
        return
    yield from _index(db)
    yield from _sessions(db)
    formats = {
        (owner, session): format
        for owner, session, format in db.execute("SELECT owner, session, format FROM sessions")
    }
    for run, owner, session in db.execute("SELECT run, owner, session FROM runs ORDER BY run").fetchall():
        format = formats.get((owner, session))
        if format is not None:
            yield from _run(db, run, dialect(format))
    yield from _strings(db)
    yield from _compactions(db, formats)
    yield from _pointers(db)
    if db.execute("SELECT 1 FROM doomed").fetchone():
        yield Fault("removal", "", "a removal was interrupted; `vademecum db vacuum` finishes it")


def _index(db: sqlite3.Connection) -> Iterator[Fault]:
    try:
        db.execute("INSERT INTO passages (passages) VALUES ('integrity-check')")
    except sqlite3.DatabaseError as error:
        yield Fault("index", "", f"is damaged ({error}); `vademecum db vacuum --reindex` makes it anew")


def _sessions(db: sqlite3.Connection) -> Iterator[Fault]:
    rows = db.execute(
        "SELECT sessions.session, sessions.run, runs.session, runs.owner = sessions.owner, format FROM sessions "
        "LEFT JOIN runs USING (run)"
    )
    for session, run, held, own, format in rows:
        if held != session or not own:
            yield Fault("session", session, f"goes on in run {run}, which is not its own")
        try:
            dialect(format)
        except VademecumError as error:
            yield Fault("session", session, str(error))


def _run(db: sqlite3.Connection, run: int, format: Dialect) -> Iterator[Fault]:
    """The chain of a run's own messages: each node is that of the one before it and its content."""
    parent, fork, length, last = db.execute(
        "SELECT parent, fork, length, node FROM runs WHERE run = ?", (run,)
    ).fetchone()
    before = ROOT
    if fork and parent is not None:
        found = [part for part in lineage(db, parent) if part.start < fork <= part.stop]
        row = message_row(found[0].run, fork - 1) if found else -1
        held = db.execute("SELECT node FROM messages WHERE id = ?", (row,)).fetchone()
        if held is None:
            yield Fault("run", str(run), f"begins after message {fork} of run {parent}, which is not there")
            return
        before = bytes(held[0])
    position = fork
    for (row,) in db.execute(
        "SELECT id FROM messages WHERE id BETWEEN ? AND ? ORDER BY id",
        (message_row(run, fork), message_row(run, length) - 1),
    ):
        if row != message_row(run, position):
            yield Fault("run", str(run), f"misses its message {position}")
            return
        fault, before = _message(db, row, before, format)
        if fault is not None:
            yield fault
        position += 1
    if position != length:
        yield Fault("run", str(run), f"has {position:,} messages, {length:,} are noted")
    elif before != last:
        yield Fault("run", str(run), "does not end with the node that is noted")


def _message(db: sqlite3.Connection, row: int, before: bytes, format: Dialect) -> tuple[Fault | None, bytes]:
    """What is wrong with a message, and the node that its successor follows."""
    node_id, short, packed, wire = db.execute(
        "SELECT node, short, packed, wire FROM messages WHERE id = ?", (row,)
    ).fetchone()
    name = short_text(short)
    if short != short_int(node_id):
        return Fault("message", name, "its short id is not that of its node"), node_id
    try:
        used = digests(unpack(packed, wire))
        whole = all(
            db.execute("SELECT packed != ? FROM blobs WHERE hash = ?", (EVICTED, digest)).fetchone() in ((1,), None)
            for digest in used
        )
        noted = {digest for (digest,) in db.execute("SELECT hash FROM uses WHERE message = ?", (row,))}
        if noted != set(used):
            return Fault("message", name, "the strings that it uses are not those that are noted"), node_id
        held = stored(db, row)
        loaded = None if held is None else held.load(format)
    except (VademecumError, ValueError) as error:
        return Fault("message", name, f"cannot be read: {error}"), node_id
    gone = db.execute("SELECT 1 FROM purged WHERE message = ?", (row,)).fetchone() is not None
    if loaded is not None and whole and not gone and node(before, loaded.identity) != node_id:
        return Fault("message", name, "its content is not what its id was made of"), node_id
    return None, node_id


def _strings(db: sqlite3.Connection) -> Iterator[Fault]:
    for digest, size, packed, data in db.execute("SELECT hash, size, packed, data FROM blobs"):
        if packed == EVICTED:
            continue
        try:
            content = unpack(packed, data)
        except ArchiveCorrupt as error:
            yield Fault("string", digest.hex()[:16], f"cannot be unpacked: {error}")
            continue
        if hashlib.sha256(content).digest() != digest or len(content) != size:
            yield Fault("string", digest.hex()[:16], "its content does not match its hash")
    unused = db.execute("SELECT hash FROM blobs WHERE NOT EXISTS (SELECT 1 FROM uses WHERE uses.hash = blobs.hash)")
    yield from (Fault("string", digest.hex()[:16], "no message uses it") for (digest,) in unused.fetchmany(MOST))


def _compactions(db: sqlite3.Connection, formats: dict[tuple[str, str], str]) -> Iterator[Fault]:
    rows = db.execute(
        "SELECT compactions.id, run, owner, session, compactions.parent FROM compactions LEFT JOIN runs USING (run)"
    ).fetchall()
    for row, run, owner, session, parent in rows:
        format = formats.get((owner, session))
        if format is None:
            yield Fault("compaction", str(row), f"belongs to run {run}, which no session has")
            continue
        if parent and db.execute("SELECT 1 FROM compactions WHERE id = ?", (parent,)).fetchone() is None:
            yield Fault("compaction", str(row), f"follows compaction {parent}, which is not there")
        yield from _projects(db, row, run, dialect(format))
    for run, view, head in db.execute("SELECT run, view, head FROM views WHERE head != 0"):
        if db.execute("SELECT 1 FROM compactions WHERE id = ?", (head,)).fetchone() is None:
            yield Fault("view", f"{run} {view}", f"stands on compaction {head}, which is not there")


def _projects(db: sqlite3.Connection, row: int, run: int, format: Dialect) -> Iterator[Fault]:
    try:
        made = compactions.load(db, row)
        for piece in made.pieces:
            if piece.data:
                format.load(json.loads(piece.data), 0, raw=piece.data)
        json.loads(made.receipt)
    except (VademecumError, ValueError, TypeError) as error:
        yield Fault("compaction", str(row), f"cannot be projected: {error}")
        return
    length = max((part.stop for part in lineage(db, run)), default=0)
    if max([made.covered, *(piece.stop for piece in made.pieces)]) > length:
        yield Fault("compaction", str(row), f"covers more than the {length:,} messages of its run")


def _pointers(db: sqlite3.Connection) -> Iterator[Fault]:
    """Facts, passages and versions stand at messages."""
    asked = (
        (
            "fact",
            "SELECT id, id >> 16 FROM facts WHERE NOT EXISTS (SELECT 1 FROM messages WHERE id = facts.id >> 16)",
        ),
        (
            "passage",
            (
                "SELECT id, id >> 16 FROM passages_docsize AS held "
                "WHERE NOT EXISTS (SELECT 1 FROM messages WHERE id = held.id >> 16)"
            ),
        ),
        (
            "message",
            (
                "SELECT message, message FROM revisions AS held "
                "WHERE NOT EXISTS (SELECT 1 FROM messages WHERE id = held.message)"
            ),
        ),
    )
    for what, sql in asked:
        for row, message in db.execute(sql).fetchmany(MOST):
            yield Fault(what, str(row), f"stands at message {message} of run {run_of(message)}, which is not there")
