"""Removing sessions for good. What another session goes on from stays, and is its own from then on."""

from __future__ import annotations

import sqlite3

from vademecum.archive.sqlite.lineage import lineage
from vademecum.archive.sqlite.rows import message_row
from vademecum.archive.sqlite.upkeep.erasing import NOBODY, doom
from vademecum.core.identity import ROOT


def remove(db: sqlite3.Connection, owner: str, session: str) -> int:
    """Takes a session out, inside a transaction; its rows are doomed and erased by `erasing.finish`.

    Returns:
        How many messages are to be erased.
    """
    (format,) = db.execute("SELECT format FROM sessions WHERE owner = ? AND session = ?", (owner, session)).fetchone()
    runs = db.execute(
        "SELECT run, fork, length FROM runs WHERE owner = ? AND session = ?", (owner, session)
    ).fetchall()
    needed = _needed(db, owner, session, {run for run, _, _ in runs})
    erased = 0
    for run, fork, length in runs:
        stop, heir = needed.get(run, (fork, ""))
        erased += max(0, length - stop)
        doom(db, run, stop, length)
        if stop > fork:
            _inherited(db, run, stop, owner, heir)
        else:
            _emptied(db, run, format)
    _drop_compactions(db, runs, needed)
    db.execute(
        "UPDATE sessions SET parent = (SELECT parent FROM sessions WHERE owner = ?1 AND session = ?2) "
        "WHERE owner = ?1 AND parent = ?2",
        (owner, session),
    )
    db.execute("DELETE FROM sessions WHERE owner = ? AND session = ?", (owner, session))
    db.execute("DELETE FROM state WHERE owner = ? AND scope = ?", (owner, f"session:{session}"))
    db.execute("DELETE FROM usage WHERE owner = ? AND session = ?", (owner, session))
    return erased


def _needed(db: sqlite3.Connection, owner: str, session: str, runs: set[int]) -> dict[int, tuple[int, str]]:
    """Run → up to which position another session needs it, and the first such session."""
    found: dict[int, tuple[int, str]] = {}
    others = db.execute(
        "SELECT run, session FROM runs WHERE owner = ? AND session != ? AND parent IS NOT NULL ORDER BY run",
        (owner, session),
    ).fetchall()
    for other, name in others:
        for part in lineage(db, other):
            if part.run in runs and part.stop > part.start:
                stop, heir = found.get(part.run, (0, name))
                found[part.run] = (max(stop, part.stop), heir)
    return found


def _inherited(db: sqlite3.Connection, run: int, stop: int, owner: str, heir: str) -> None:
    (node,) = db.execute("SELECT node FROM messages WHERE id = ?", (message_row(run, stop - 1),)).fetchone()
    db.execute(
        "UPDATE runs SET owner = ?, session = ?, length = ?, node = ? WHERE run = ?", (owner, heir, stop, node, run)
    )


def _emptied(db: sqlite3.Connection, run: int, format: str) -> None:
    db.execute(
        "UPDATE runs SET owner = ?, session = ?, parent = NULL, fork = 0, length = 0, node = ? WHERE run = ?",
        (NOBODY, format, ROOT, run),
    )
    db.execute("UPDATE runs SET parent = NULL WHERE parent = ? AND fork = 0", (run,))
    db.execute("DELETE FROM names WHERE run = ?", (run,))


def _drop_compactions(
    db: sqlite3.Connection, runs: list[tuple[int, int, int]], needed: dict[int, tuple[int, str]]
) -> None:
    """Drops the compactions of runs that are gone, or that cover more than is left; views go back before them."""
    for run, fork, _ in runs:
        stop = needed.get(run, (fork, ""))[0]
        gone = [
            (row, parent)
            for row, parent in db.execute(
                "SELECT id, parent FROM compactions WHERE run = ? AND (covered > ? OR ?) ORDER BY id DESC",
                (run, stop, stop == fork),
            )
        ]
        for row, parent in gone:
            db.execute("UPDATE compactions SET parent = ? WHERE parent = ?", (parent, row))
            db.execute("UPDATE views SET head = ? WHERE head = ?", (parent or 0, row))
            db.execute("DELETE FROM compactions WHERE id = ?", (row,))
        if stop == fork:
            db.execute("DELETE FROM views WHERE run = ?", (run,))
