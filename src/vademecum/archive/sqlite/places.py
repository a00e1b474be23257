"""Which session a row belongs to, and who may see it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from functools import lru_cache

from vademecum.archive.sqlite import compactions
from vademecum.archive.sqlite.hiding import hiding
from vademecum.archive.sqlite.lineage import generations, lineage, within
from vademecum.archive.sqlite.reading import StoredMessage
from vademecum.archive.sqlite.rows import Range, position_of, run_of, short_int
from vademecum.archive.sqlite.search import Place
from vademecum.core.dialect import Dialect
from vademecum.wire import dialect


def session_row(db: sqlite3.Connection, owner: str, session: str) -> tuple[int, str] | None:
    """The run and the format of a session."""
    return db.execute("SELECT run, format FROM sessions WHERE owner = ? AND session = ?", (owner, session)).fetchone()


def session_of(db: sqlite3.Connection, message: StoredMessage) -> tuple[str, str]:
    """The id and the format of the session that a message is in."""
    return db.execute(
        "SELECT session, sessions.format FROM runs JOIN sessions USING (owner, session) WHERE runs.run = ?",
        (run_of(message.row),),
    ).fetchone()


def visible_to(db: sqlite3.Connection, owner: str, session: str | None = None) -> Callable[[int], bool]:
    """Whether a run belongs to an owner, and to one session or those that it continues where that is given."""
    names = None if session is None else {session, *(name for name, _ in generations(db, owner, session))}

    @lru_cache(maxsize=1_024)
    def visible(run: int) -> bool:
        found = db.execute("SELECT owner, session FROM runs WHERE run = ?", (run,)).fetchone()
        return found is not None and found[0] == owner and (names is None or found[1] in names)

    return visible


def places(db: sqlite3.Connection, owner: str, session: str | None) -> Callable[[int], Place | None]:
    """The place of each run: its session, or the one searched where that goes on from the run."""
    own: set[int] = set()
    if session is not None and (searched := session_row(db, owner, session)) is not None:
        own = {part.run for part in lineage(db, searched[0])}

    @lru_cache(maxsize=256)
    def place(run: int) -> Place | None:
        found = db.execute("SELECT owner, session FROM runs WHERE run = ?", (run,)).fetchone()
        if found is None or found[0] != owner:
            return None
        name = session if session is not None and run in own else found[1]
        held = session_row(db, owner, name)
        if held is None:
            return None
        ranges = lineage(db, held[0])
        standing = compactions.head(db, ranges, "main")

        def in_context(row: int) -> bool:
            # What an edit of the transcript left behind is in the archive, not in the context.
            if session not in (None, name):  # the session searched continues that one, whose context is another
                return False
            return within(row, ranges) and (standing is None or standing.shows(position_of(row)))

        policy = hiding(db)
        return Place(name, dialect(held[1]), in_context, policy.redactor if policy.index else None)

    return place


def copies(
    db: sqlite3.Connection, message: StoredMessage, ranges: Sequence[Range] | None, visible: Callable[[int], bool]
) -> list[tuple[int, Dialect]]:
    """The rows of a message wherever it stands, in some ranges or all that is visible, each with its format."""
    (node,) = db.execute("SELECT node FROM messages WHERE id = ?", (message.row,)).fetchone()
    rows = db.execute(
        "SELECT messages.id, format FROM messages JOIN runs ON runs.run = messages.id >> 24 "
        "JOIN sessions USING (owner, session) WHERE short = ? AND messages.node = ? ORDER BY messages.id",
        (short_int(node), node),
    ).fetchall()
    return [
        (row, dialect(format))
        for row, format in rows
        if (visible(run_of(row)) if ranges is None else within(row, ranges) or row == message.row)
    ]
