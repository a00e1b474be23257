"""A session of the archive: append, read, project, commit, search, restore."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from vademecum.archive.sqlite import answers, compactions, revisions, state
from vademecum.archive.sqlite.append import calls_of, insert
from vademecum.archive.sqlite.lineage import clipped, lineage
from vademecum.archive.sqlite.reading import StoredMessage, nodes, stored_range
from vademecum.archive.sqlite.rows import MOST_POSITIONS, Range
from vademecum.archive.sqlite.segments import segments
from vademecum.archive.values import Hit, Restored, StoredCompaction
from vademecum.core.dialect import Dialect
from vademecum.core.identity import ROOT, chain, common_prefix
from vademecum.core.messages import Message, Part
from vademecum.core.requests import QueryFacts, QueryRequests, QuerySegments, Segment, StoredFact
from vademecum.core.transcript import Transcript
from vademecum.errors import SessionGrew

if TYPE_CHECKING:
    from vademecum.archive.sqlite.archive import Archive

#: Messages in one transaction: short ones let other writers in.
_BATCH = 200
_CALLS_LOOK_BACK = 64


class Session:
    """One session, at the end of one run. Get it from `Archive.session`.

    Attributes:
        id: The session's id.
        dialect: Its wire format.
    """

    def __init__(self, archive: Archive, session: str, run: int, dialect: Dialect) -> None:
        self.archive = archive
        self.id = session
        self.dialect = dialect
        self._run = run
        self._calls: dict[str, Part] | None = None
        self._standing: dict[str, StoredCompaction] = {}

    @property
    def ranges(self) -> tuple[Range, ...]:
        """The session's lineage as row ranges, oldest first."""
        with self.archive.connection.reading() as db:
            return lineage(db, self._run)

    def __len__(self) -> int:
        """Messages of the lineage."""
        return max((part.stop for part in self.ranges), default=0)

    def nodes(self) -> list[bytes]:
        """The node ids of the lineage, in order."""
        with self.archive.connection.reading() as db:
            return nodes(db, lineage(db, self._run))

    def stored(self, start: int = 0, stop: int = MOST_POSITIONS) -> list[StoredMessage]:
        """The messages of the lineage within two positions."""
        with self.archive.connection.reading() as db:
            return list(stored_range(db, clipped(lineage(db, self._run), start, stop)))

    def messages(self, start: int = 0, stop: int = MOST_POSITIONS) -> tuple[Message, ...]:
        """The same, read by the session's format."""
        return tuple(message.load(self.dialect) for message in self.stored(start, stop))

    def follow(self, transcript: Transcript) -> int:
        """Takes in a transcript that the session is to have: what is new of it is appended.

        Where the transcript differs from what the session has, it goes on as a branch from there, and
        what came after stays in the archive.

        Returns:
            How many messages were new.
        """
        known = self.nodes()
        common = common_prefix(transcript.nodes, known)
        if common == len(transcript) == len(known):
            return 0
        if common < len(known):
            self.branch(common)
        self.append_to(transcript, common)
        return len(transcript) - common

    def append(self, messages: Sequence[Message], tokens: Sequence[int]) -> None:
        """Appends messages at the end of the session; they are durable when this returns.

        Args:
            messages: The new messages.
            tokens: The size of each.
        """
        with self.archive.connection.reading() as db:
            length, last = db.execute("SELECT length, node FROM runs WHERE run = ?", (self._run,)).fetchone()
        ids = chain(messages, last)
        positions = tuple(range(length, length + len(messages)))
        self.append_to(Transcript(tuple(messages), ids, tuple(tokens), positions, length + len(messages)), 0)

    def append_to(self, transcript: Transcript, start: int) -> None:
        """Appends the messages of a transcript from an index on, at the places that it gives them.

        Raises:
            SessionGrew: The session does not end where the first of them is to stand.
        """
        for first in range(start, len(transcript), _BATCH):
            stop = min(len(transcript), first + _BATCH)
            position = transcript.positions[first]
            calls = self._open_calls(position)
            with self.archive.connection.transaction() as db:
                (length,) = db.execute("SELECT length FROM runs WHERE run = ?", (self._run,)).fetchone()
                if length != position:
                    raise SessionGrew(self.id, length, position)
                for index in range(first, stop):
                    message, node = transcript.messages[index], transcript.nodes[index]
                    calls.update(calls_of([message]))
                    insert(db, self._run, transcript.positions[index], message, node, transcript.sizes[index], calls)
                end = transcript.positions[stop - 1] + 1
                last = transcript.nodes[stop - 1]
                db.execute("UPDATE runs SET length = ?, node = ? WHERE run = ?", (end, last, self._run))
                self.archive.touch(db, self.id, transcript.messages[first:stop])

    def _open_calls(self, position: int) -> dict[str, Part]:
        if self._calls is None:
            self._calls = calls_of(self.messages(max(0, position - _CALLS_LOOK_BACK), position))
        return self._calls

    def branch(self, fork: int) -> None:
        """Opens a run that shares the lineage up to a position, and makes the session go on in it."""
        known = self.nodes()
        with self.archive.connection.transaction() as db:
            cursor = db.execute(
                "INSERT INTO runs (owner, session, parent, fork, length, node) VALUES (?, ?, ?, ?, ?, ?)",
                (self.archive.owner, self.id, self._run, fork, fork, known[fork - 1] if fork else ROOT),
            )
            run = int(cursor.lastrowid or 0)
            db.execute(
                "UPDATE sessions SET run = ? WHERE owner = ? AND session = ?",
                (run, self.archive.owner, self.id),
            )
        self._run = run
        self._calls = None

    def mark(self) -> tuple[int, int]:
        """What tells whether the session has changed: the run that it is in, and its length."""
        with self.archive.connection.reading() as db:
            return db.execute(
                "SELECT runs.run, length FROM sessions JOIN runs USING (run) WHERE sessions.owner = ? AND "
                "sessions.session = ?",
                (self.archive.owner, self.id),
            ).fetchone()

    def refresh(self) -> None:
        """Goes on in the run that the session is in now, should another process have branched it."""
        run = self.mark()[0]
        if run != self._run:
            self._run, self._calls = run, None

    def revise(self, position: int, messages: Sequence[Message], tokens: Sequence[int]) -> None:
        """Notes what the caller has in a message's place now: another version, several messages, or none."""
        with self.archive.connection.transaction() as db:
            (place,) = clipped(lineage(db, self._run), position, position + 1)
            (original,) = db.execute("SELECT node FROM messages WHERE id = ?", (place.messages[0],)).fetchone()
            revisions.revise(db, place.messages[0], original, messages, tokens)

    def revised(self) -> Mapping[int, tuple[StoredMessage, ...]]:
        """Position → what stands there now, for every message that the caller changed."""
        with self.archive.connection.reading() as db:
            return revisions.latest(db, lineage(db, self._run))

    def recall_state(self, key: str) -> dict[str, Any] | None:
        """What was remembered of the session under a key."""
        with self.archive.connection.reading() as db:
            return state.get(db, self.archive.owner, f"session:{self.id}", key)

    def remember_state(self, key: str, value: dict[str, Any]) -> None:
        """Remembers a small value with the session."""
        with self.archive.connection.transaction() as db:
            state.put(db, self.archive.owner, f"session:{self.id}", key, value)

    def compaction(self, view: str = "main") -> StoredCompaction | None:
        """The compaction that the context stands on, None before the first one."""
        with self.archive.connection.reading() as db:
            row = compactions.head_row(db, lineage(db, self._run), view)
            if row == 0:
                return None
            held = self._standing.get(view)
            if held is None or held.id != row:
                held = self._standing[view] = compactions.load(db, row)
            return held

    def commit(
        self, compaction: StoredCompaction, *, expected: int, view: str = "main", created: float | None = None
    ) -> bool:
        """Commits a compaction durably, if the view still stands where it was planned on.

        Args:
            compaction: What was emitted, and its receipt.
            expected: The row of the compaction that it was planned on, 0 for none.
            view: The view it belongs to.
            created: When, in seconds since the epoch.

        Returns:
            False when another process was first; its compaction is the one to use.
        """
        with self.archive.connection.transaction(durable=True) as db:
            if compactions.head_row(db, lineage(db, self._run), view) != expected:
                return False
            compactions.commit(db, self._run, view, compaction, created)
            return True

    def undo(self, view: str = "main") -> int:
        """Takes the newest compaction of a view back: the one before it stands again.

        Returns:
            The cycle that stands now, 0 for the whole transcript; -1 when there was nothing to take back.
        """
        with self.archive.connection.transaction(durable=True) as db:
            return compactions.undo(db, self._run, compactions.head_row(db, lineage(db, self._run), view), view)

    def context(self, view: str = "main") -> list[bytes]:
        """The context as it is now, the exact bytes of each message: a projection, nothing is rendered."""
        standing = self.compaction(view)
        with self.archive.connection.reading() as db:
            ranges = lineage(db, self._run)
            revised = revisions.latest(db, ranges)
            if standing is None:
                return self._raw(db, ranges, revised, 0, MOST_POSITIONS)
            out: list[bytes] = []
            for piece in standing.pieces:
                out += [piece.data] if piece.data else self._raw(db, ranges, revised, piece.start, piece.stop)
            return out + self._raw(db, ranges, revised, standing.covered, MOST_POSITIONS)

    @staticmethod
    def _raw(
        db: sqlite3.Connection,
        ranges: Sequence[Range],
        revised: Mapping[int, tuple[StoredMessage, ...]],
        start: int,
        stop: int,
    ) -> list[bytes]:
        return [
            now.raw
            for message in stored_range(db, clipped(ranges, start, stop))
            for now in revised.get(message.position, (message,))
        ]

    def facts(self, query: QueryFacts) -> tuple[StoredFact, ...]:
        """Answers the planner's question about facts."""
        with self.archive.connection.reading() as db:
            return answers.facts(db, lineage(db, self._run), query)

    def requests(self, query: QueryRequests) -> tuple[StoredFact, ...]:
        """Answers the planner's question about the user's open requests."""
        with self.archive.connection.reading() as db:
            return answers.requests(db, lineage(db, self._run), query, self.dialect)

    def segments(self, query: QuerySegments) -> tuple[Segment, ...]:
        """Answers the planner's question about the table of contents."""
        with self.archive.connection.reading() as db:
            return segments(db, lineage(db, self._run), query.until, query.most)

    def search(
        self,
        query: str,
        *,
        role: str | None = None,
        tool: str | None = None,
        since: float | None = None,
        limit: int = 5,
        max_chars: int = 1_200,
    ) -> list[Hit]:
        """Searches this session's whole lineage; see `Archive.search`."""
        return self.archive.search(
            query, session=self.id, role=role, tool=tool, since=since, limit=limit, max_chars=max_chars
        )

    def restore(
        self,
        id: str,
        *,
        offset: int = 0,
        limit: int | None = None,
        pattern: str | None = None,
        wire: bool = False,
    ) -> Restored:
        """Restores a part of this session; see `Archive.restore`."""
        return self.archive.restore(id, session=self.id, offset=offset, limit=limit, pattern=pattern, wire=wire)

    def around(self, id: str, count: int = 5) -> Iterator[StoredMessage]:
        """The messages before and after the one that an id names, `count` on each side."""
        found = self.archive.find(id, session=self.id)
        yield from self.stored(max(0, found.position - count), found.position + count + 1)
