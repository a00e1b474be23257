"""The directory of an archive: its sessions, found by name or by what they hold."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from vademecum.archive.sqlite.connection import Connection
from vademecum.archive.sqlite.hiding import Hiding, hiding, key, settled
from vademecum.archive.sqlite.links import link
from vademecum.archive.sqlite.listing import described
from vademecum.archive.sqlite.locate import Found, by_calls, by_nodes, forked
from vademecum.archive.sqlite.places import session_row
from vademecum.archive.sqlite.windows import StoredWindows
from vademecum.archive.values import SessionInfo
from vademecum.core.messages import Message
from vademecum.errors import ConfigError
from vademecum.redaction import Redactor


class Directory:
    """The sessions of one owner.

    Attributes:
        owner: Whose sessions are seen.
    """

    def __init__(self, connection: Connection, owner: str = "", now: Callable[[], float] = time.time) -> None:
        self.connection = connection
        self.owner = owner
        self._now = now

    @property
    def hiding(self) -> Hiding:
        """What it does about secrets."""
        with self.connection.reading() as db:
            return hiding(db)

    def hide_in_index(self, hide: bool) -> None:
        """Whether secrets stay out of the word index from now on; what is indexed already stays as it is."""
        if hide != self.hiding.index:
            with self.connection.transaction() as db:
                settled(db, hide)

    def key_marks(self, salt: bytes) -> None:
        """Keys the marks of secrets with a given salt in place of a random one.

        Then they are the same in every process, and whoever knows the salt can try guesses. For an archive that holds
        nothing yet.
        """
        with self.connection.transaction() as db:
            key(db, salt)

    @property
    def redactor(self) -> Redactor:
        """What takes secrets out of texts, with this archive's own salt."""
        return self.hiding.redactor

    def sessions(self, *, limit: int | None = None, contains: str = "") -> list[SessionInfo]:
        """The sessions, the one that was used last first.

        Args:
            limit: How many at most; all by default.
            contains: Only those with this in their id or source, whatever the case.
        """
        with self.connection.reading() as db:
            rows = db.execute(
                "SELECT session, source, format, run, started, last, parent FROM sessions WHERE owner = ? "
                "AND (instr(lower(session), lower(?)) OR instr(lower(source), lower(?))) "
                "ORDER BY last DESC, session LIMIT ?",
                (self.owner, contains, contains, -1 if limit is None else max(0, limit)),
            ).fetchall()
            return [replace(described(db, *row), parent=parent) for *row, parent in rows]

    def owners(self) -> list[str]:
        """The owners that have sessions here: hashes of the keys that a proxy was sent."""
        with self.connection.reading() as db:
            return [owner for (owner,) in db.execute("SELECT DISTINCT owner FROM sessions ORDER BY owner") if owner]

    @property
    def windows(self) -> StoredWindows:
        """What is known of models' windows, by endpoint; it is the same for all owners."""
        return StoredWindows(self.connection)

    def has(self, id: str) -> bool:
        """Whether there is a session of that id."""
        with self.connection.reading() as db:
            return session_row(db, self.owner, id) is not None

    def locate(self, nodes: Sequence[bytes], family: str = "") -> Found | None:
        """Where the longest known beginning of a transcript stands, among all sessions or one and its branches."""
        with self.connection.reading() as db:
            return by_nodes(db, self.owner, nodes, family)

    def locate_by_calls(self, calls: Sequence[str], family: str = "") -> str | None:
        """The session that knows the newest tool calls of a transcript."""
        with self.connection.reading() as db:
            return by_calls(db, self.owner, calls, family)

    def fork(self, run: int, at: int, id: str) -> str:
        """A session of its own that shares a run up to a position; what the run goes on with stays apart."""
        with self.connection.transaction() as db:
            return forked(db, self.owner, run, at, id)

    def link(self, id: str, parent: str) -> bool:
        """Notes the session that one continues, which need not be there yet: logs come in any order.

        Returns:
            False where it continues another one already, or the link would lead back to it; nothing is changed.
        """
        with self.connection.transaction() as db:
            try:
                link(db, self.owner, id, parent)
            except ConfigError:
                return False
        return True

    def touch(self, db: sqlite3.Connection, session: str, messages: Sequence[Message]) -> None:
        """Notes the times of appended messages with their session."""
        # A message without a time is taken to be of now, so that the session used last is listed first.
        times = [message.ts if message.ts is not None else self._now() for message in messages]
        if times:
            db.execute(
                "UPDATE sessions SET started = coalesce(started, ?), last = max(coalesce(last, 0), ?) "
                "WHERE owner = ? AND session = ?",
                (min(times), max(times), self.owner, session),
            )

    def envelope(self, session: str) -> bytes:
        """What stood around the messages of a session's body; empty for none."""
        with self.connection.reading() as db:
            found = db.execute(
                "SELECT envelope FROM sessions WHERE owner = ? AND session = ?", (self.owner, session)
            ).fetchone()
        return b"" if found is None or found[0] is None else bytes(found[0])

    def keep_envelope(self, session: str, envelope: bytes, source: str) -> None:
        """Notes what stands around the messages, and where they come from."""
        with self.connection.transaction() as db:
            db.execute(
                "UPDATE sessions SET envelope = ?, source = ? WHERE owner = ? AND session = ?",
                (envelope, source, self.owner, session),
            )
