"""Locating a transcript: which run has it already, by its node ids or by the ids of its tool calls."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from vademecum.archive.sqlite.lineage import clipped, lineage
from vademecum.archive.sqlite.rows import position_of, run_of, short_int

#: Tool-call ids that are looked up: the newest ones of the transcript.
_MOST_CALLS = 24


@dataclass(frozen=True, slots=True)
class Found:
    """Where a transcript stands in the archive.

    Attributes:
        session: The session.
        run: The run.
        messages: How many leading messages it has in common with the run.
        grows: Whether the run ends there, and its session with it.
    """

    session: str
    run: int
    messages: int
    grows: bool


def of_family(session: str, family: str) -> bool:
    """Whether a session is the one of that name or one of its branches, which are called `name~…`."""
    return not family or session == family or session.startswith(f"{family}~")


def by_nodes(db: sqlite3.Connection, owner: str, nodes: Sequence[bytes], family: str) -> Found | None:
    """The run with the longest common beginning; see `Archive.locate`.

    A chain of hashes makes this a binary search: a node is there only where all before it are.
    """
    low, high = 0, len(nodes)
    best: Found | None = None
    while low < high:
        middle = (low + high + 1) // 2
        found = _holder(db, owner, nodes[middle - 1], middle, family)
        if found is None:
            high = middle - 1
        else:
            low, best = middle, found
    if best is not None and not best.grows:
        return _branch_without_messages(db, owner, nodes[low - 1], low, family) or best
    return best


def by_calls(db: sqlite3.Connection, owner: str, calls: Sequence[str], family: str) -> str | None:
    """The session that knows most of the newest tool calls, and at least half of them; the newest of equals."""
    newest = list(dict.fromkeys(reversed(calls)))[:_MOST_CALLS]
    votes: Counter[int] = Counter()
    for call in newest:
        votes.update({run_of(row) for (row,) in db.execute("SELECT message FROM calls WHERE call_id = ?", (call,))})
    for run, count in sorted(votes.items(), key=lambda item: (-item[1], -item[0])):
        found = db.execute("SELECT owner, session FROM runs WHERE run = ?", (run,)).fetchone()
        if found is not None and found[0] == owner and of_family(found[1], family):
            return str(found[1]) if 2 * count >= len(newest) else None
    return None


def newest(db: sqlite3.Connection, owner: str, family: str, most: int) -> list[str]:
    """The sessions that were begun or branched last, the newest first."""
    rows = db.execute("SELECT session FROM runs WHERE owner = ? ORDER BY run DESC LIMIT ?", (owner, 4 * most))
    names = dict.fromkeys(str(name) for (name,) in rows if of_family(name, family))
    return list(names)[:most]


def _holder(db: sqlite3.Connection, owner: str, node: bytes, messages: int, family: str) -> Found | None:
    rows = db.execute(
        "SELECT messages.id, runs.session, runs.length, sessions.run FROM messages "
        "JOIN runs ON runs.run = messages.id >> 24 "
        "JOIN sessions ON sessions.owner = runs.owner AND sessions.session = runs.session "
        "WHERE short = ? AND messages.node = ? AND runs.owner = ? ORDER BY messages.id DESC",
        (short_int(node), node, owner),
    ).fetchall()
    candidates = [
        Found(session, run_of(row), messages, length == position_of(row) + 1 and current == run_of(row))
        for row, session, length, current in rows
        if of_family(session, family)
    ]
    return max(candidates, key=lambda found: found.grows, default=None)


def _branch_without_messages(
    db: sqlite3.Connection, owner: str, node: bytes, messages: int, family: str
) -> Found | None:
    """A session that was branched off there and has nothing of its own yet; the newest one."""
    rows = db.execute(
        "SELECT runs.session, runs.run FROM runs JOIN sessions ON sessions.owner = runs.owner "
        "AND sessions.session = runs.session AND sessions.run = runs.run "
        "WHERE runs.owner = ? AND runs.node = ? AND runs.length = runs.fork ORDER BY runs.run DESC",
        (owner, node),
    ).fetchall()
    return next((Found(name, run, messages, True) for name, run in rows if of_family(name, family)), None)


def forked(db: sqlite3.Connection, owner: str, run: int, at: int, session: str) -> str:
    """Makes a session whose lineage is a run's up to a position; see `Archive.fork`."""
    (node,) = db.execute("SELECT node FROM messages WHERE id = ?", (_row(db, run, at - 1),)).fetchone()
    cursor = db.execute(
        "INSERT INTO runs (owner, session, parent, fork, length, node) VALUES (?, ?, ?, ?, ?, ?)",
        (owner, session, run, at, at, node),
    )
    db.execute(
        "INSERT INTO sessions (owner, session, source, format, run, started, last) "
        "SELECT owner, ?, source, format, ?, started, last FROM sessions WHERE owner = ? AND session = "
        "(SELECT session FROM runs WHERE run = ?)",
        (session, cursor.lastrowid, owner, run),
    )
    return session


def _row(db: sqlite3.Connection, run: int, position: int) -> int:
    (place,) = clipped(lineage(db, run), position, position + 1)
    return place.messages[0]
