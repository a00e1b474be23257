"""The archive: sessions, search over them, and restoring what they hold."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from vademecum.archive.sqlite import restore
from vademecum.archive.sqlite.connection import Connection
from vademecum.archive.sqlite.keeping import Keeping
from vademecum.archive.sqlite.lineage import within
from vademecum.archive.sqlite.links import link
from vademecum.archive.sqlite.places import copies, places, session_of, session_row, visible_to
from vademecum.archive.sqlite.postings import Scope
from vademecum.archive.sqlite.reading import StoredMessage, around
from vademecum.archive.sqlite.rows import Range
from vademecum.archive.sqlite.search import search
from vademecum.archive.sqlite.session import Session
from vademecum.archive.sqlite.upkeep import erasing, purging
from vademecum.archive.values import Hit, Purged, Restored
from vademecum.core.identity import ROOT, parse_part_id
from vademecum.errors import ConfigError, SessionNotFound
from vademecum.wire import dialect


class Archive(Keeping):
    """Every transcript, in one SQLite file or in memory. Open it with `Archive.open`.

    Attributes:
        owner: Whose sessions are seen; those of others are neither found nor restored.
    """

    @classmethod
    def open(cls, path: str | Path, *, owner: str = "", redact_index: bool | None = None) -> Self:
        """Opens an archive, making the file (private, mode 0600) where there is none.

        Args:
            path: A SQLite file.
            owner: Whose sessions are to be seen.
            redact_index: Whether secrets stay out of the word index; as it is in the file (at first: yes) by default.

        Raises:
            ConfigError: The path is a URL.
            ArchiveError: The file cannot be opened, is not an archive, or comes from a later version.
        """
        if "://" in str(path):
            raise ConfigError(
                f"cannot open {path}: only files are supported", hint="give a path, such as sessions.db"
            )
        archive = cls(Connection(Path(path).expanduser()), owner)
        if redact_index is not None:
            archive.hide_in_index(redact_index)
        return archive

    @classmethod
    def memory(cls) -> Self:
        """An archive that lives as long as the process."""
        return cls(Connection(None))

    def close(self) -> None:
        """Closes the file."""
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def session(self, id: str, *, format: str = "", source: str = "", parent: str = "") -> Session:
        """The session of that id; created on first use when a format is given, resumed afterwards.

        Args:
            id: Any non-empty text.
            format: The wire format of its messages, a key of `vademecum.wire.DIALECTS`; empty for
                `openai-chat` in a new session and whatever it is in an old one.
            source: Where it comes from, for people.
            parent: The session that it continues: search, the ledger and restoring reach it from then on.

        Raises:
            ConfigError: The id is empty, the session has another format, or it continues another session.
            SessionNotFound: There is no session of the parent's id.
        """
        if not id.strip():
            raise ConfigError("a session needs an id", hint="any text will do, such as nightly-refactor")
        if parent and not self.has(parent):
            raise SessionNotFound(parent)
        with self.connection.transaction() as db:
            found = session_row(db, self.owner, id)
            if found is None:
                chosen = dialect(format or "openai-chat")
                cursor = db.execute(
                    "INSERT INTO runs (owner, session, node) VALUES (?, ?, ?)", (self.owner, id, ROOT)
                )
                run = int(cursor.lastrowid or 0)
                db.execute(
                    "INSERT INTO sessions (owner, session, source, format, run) VALUES (?, ?, ?, ?, ?)",
                    (self.owner, id, source, chosen.name, run),
                )
                link(db, self.owner, id, parent)
                return Session(self, id, run, chosen)
            link(db, self.owner, id, parent)
        run, held = found
        if format and format != held:
            raise ConfigError(
                f"session {id!r} has the format {held}, not {format}",
                hint="use another session id, with --session",
            )
        return Session(self, id, run, dialect(held))

    def existing(self, id: str) -> Session:
        """The session of that id.

        Raises:
            SessionNotFound: There is none.
        """
        with self.connection.reading() as db:
            found = session_row(db, self.owner, id)
            if found is None:
                names = [
                    name for (name,) in db.execute("SELECT session FROM sessions WHERE owner = ?", (self.owner,))
                ]
                raise SessionNotFound(id, difflib.get_close_matches(id, names, n=3))
        return Session(self, id, found[0], dialect(found[1]))

    def search(
        self,
        query: str,
        *,
        session: str | None = None,
        role: str | None = None,
        tool: str | None = None,
        since: float | None = None,
        limit: int = 10,
        max_chars: int = 1_200,
    ) -> list[Hit]:
        """The best places for a query, whatever characters it has; an empty list when there are none.

        Args:
            query: Words and names; two to six telling ones find most.
            session: Search this session's lineage only, with those of the sessions that it continues.
            role: `system`, `user`, `assistant` or `tool`.
            tool: Calls and results of this tool only.
            since: From this time on, in seconds since the epoch.
            limit: Hits at most.
            max_chars: Characters of each hit's window.

        Raises:
            SessionNotFound: There is no such session.
        """
        ranges = None if session is None else self.existing(session).reach
        with self.connection.reading() as db:
            scope = Scope(ranges, self.owner, role, tool, since)
            place_of = places(db, self.owner, session)
            return search(db, query, scope, place_of, limit=limit, max_chars=max_chars)

    def restore(
        self,
        id: str,
        *,
        session: str | None = None,
        offset: int = 0,
        limit: int | None = None,
        pattern: str | None = None,
        wire: bool = False,
    ) -> Restored:
        """The exact bytes of what an id names, or a page of them.

        Args:
            id: A part's id, or a range `a..b` in the lineage's order: one message's wire JSON a line.
            session: Look in this session and those that it continues only.
            offset: First byte of the page.
            limit: Bytes of the page at most; all of it by default.
            pattern: Only lines that this regular expression finds.
            wire: The part's wire JSON even where it is plain text.

        Raises:
            ConfigError: The text is no id, or the pattern no regular expression.
            PartNotFound: No message has the id.
            AmbiguousId: Different messages have it.
            SessionNotFound: There is no such session.
        """
        if ".." in id:
            return restore.page(self._range(id, session), offset, limit, pattern)
        found = self.find(id, session=session)
        with self.connection.reading() as db:
            name, format = session_of(db, found)
            whole = restore.restored(db, id, found, dialect(format), name, wire=wire)
        return restore.page(whole, offset, limit, pattern)

    def _range(self, id: str, session: str | None) -> Restored:
        start, _, stop = id.partition("..")
        first, last = self.find(start, session=session), self.find(stop, session=session)
        with self.connection.reading() as db:
            name = session or session_of(db, last)[0]
            data = restore.joined(db, first, last)
        return Restored(id, name, data, "range", "", size=len(data))

    def purge(self, id: str, *, session: str | None = None, vacuum: bool = True) -> Purged:
        """Removes a part for good, or all parts of a message: a notice stands in its place.

        Copies of the message in other sessions and what edits made of it go too, and what compactions quote of
        it. The transcript is recognised all the same, and its contexts keep their form.

        Args:
            id: The id of a part or of a message.
            session: Only in this session; what it shares with others is one part.
            vacuum: Write the file anew, so that no trace of it is left.

        Raises:
            ConfigError: The text is no id.
            PartNotFound: No message has the id.
            AmbiguousId: Different messages have it.
            SessionNotFound: There is no such session.
            ArchiveBusy: Another process writes for too long.
        """
        parsed, found = parse_part_id(id), self.find(id, session=session)
        ranges = None if session is None else self.existing(session).ranges
        with self.connection.transaction(durable=True) as db:
            rows = copies(db, found, ranges, visible_to(db, self.owner))
            named = purging.named(db, rows, found, None if parsed is None else parsed[1], id)
            count, compacted, redaction = purging.purge(db, rows, named, self._now())
        erasing.merge(self.connection)
        emptied = self._cleared(vacuum=vacuum)
        hits = self.search(redaction.sample, limit=20) if redaction.sample else []
        quoted_by = tuple(dict.fromkeys(hit.id for hit in hits if redaction.text(hit.text) is not hit.text))
        return Purged(len(rows), count, compacted, quoted_by, emptied)

    def find(self, id: str, *, session: str | None = None) -> StoredMessage:
        """The message that an id names; for `Raises` see `restore`."""
        ranges: Sequence[Range] | None = None if session is None else self.existing(session).reach
        with self.connection.reading() as db:
            return restore.find(db, id, ranges, visible_to(db, self.owner, session))

    def neighbours(
        self, id: str, *, session: str | None = None, count: int = 0
    ) -> tuple[Session, list[StoredMessage]]:
        """The message that an id names with `count` messages on each side, and its session; see `restore`."""
        found = self.find(id, session=session)
        with self.connection.reading() as db:
            name = session_of(db, found)[0]
            if session is not None and within(found.row, self.existing(session).ranges):
                name = session
            held = self.existing(name)
            return held, around(db, found, held.ranges, count)
