"""A session's run: reading its lineage, appending to it, branching it, noting what became of a message."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from vademecum.archive.sqlite import revisions, state
from vademecum.archive.sqlite.append import calls_of, insert
from vademecum.archive.sqlite.batch import FULL, Batch
from vademecum.archive.sqlite.hiding import settled
from vademecum.archive.sqlite.indexed import index_versions
from vademecum.archive.sqlite.lineage import clipped, generations, lineage
from vademecum.archive.sqlite.reading import StoredMessage, nodes, stored_range, tokens_in
from vademecum.archive.sqlite.rewording import whole_again
from vademecum.archive.sqlite.rows import MOST_POSITIONS, Range, message_row
from vademecum.archive.sqlite.upkeep.withholding import keep_out_versions, kept_out, remembered
from vademecum.archive.values import StoredCompaction
from vademecum.core.dialect import Dialect
from vademecum.core.identity import ROOT
from vademecum.core.messages import Message, Part
from vademecum.core.transcript import Transcript
from vademecum.errors import SessionGrew, SessionNotFound

if TYPE_CHECKING:
    from vademecum.archive.sqlite.archive import Archive

#: Messages in one transaction, and tokens from which on it ends: short ones let other writers in.
_MESSAGES, _TOKENS = 1_000, 100_000
#: Tokens appended at once of which the pages are not kept in memory: a session that is taken in whole.
_KEPT_PAGES = 300_000
_CALLS_LOOK_BACK = 64


class Run:
    """The end of a lineage, at which a session goes on.

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
        self._written: dict[bytes, Message] = {}
        self._purges: dict[str, Any] | None = None

    @property
    def run(self) -> int:
        """The run's number."""
        return self._run

    @property
    def ranges(self) -> tuple[Range, ...]:
        """The session's lineage as row ranges, oldest first."""
        with self.archive.connection.reading() as db:
            return lineage(db, self._run)

    @property
    def shares(self) -> bool:
        """Whether it shares messages with another session: it was forked from that."""
        with self.archive.connection.reading() as db:
            runs = [part.run for part in lineage(db, self._run)]
            marks = ", ".join(map(str, runs))
            sql = f"SELECT 1 FROM runs WHERE run IN ({marks}) AND session != ?"
            return db.execute(sql, (self.id,)).fetchone() is not None

    @property
    def reach(self) -> tuple[Range, ...]:
        """What a search reaches: its lineage, and those of the sessions that it continues."""
        with self.archive.connection.reading() as db:
            before = generations(db, self.archive.owner, self.id)
            return (*lineage(db, self._run), *(part for _, ranges in before for part in ranges))

    def __len__(self) -> int:
        """Messages of the lineage."""
        return max((part.stop for part in self.ranges), default=0)

    def __bool__(self) -> bool:
        """True also while it has no messages, so that `session or …` means what it says."""
        return True

    def tokens(self, start: int = 0) -> int:
        """Tokens of the messages from a position on."""
        with self.archive.connection.reading() as db:
            return tokens_in(db, clipped(lineage(db, self._run), start, MOST_POSITIONS))

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

    def append_to(self, transcript: Transcript, start: int) -> None:
        """Appends the messages of a transcript from an index on, at the places that it gives them.

        Raises:
            SessionGrew: The session does not end where the first of them is to stand.
        """
        for first, stop in _stretches(transcript.sizes, start):
            position = transcript.positions[first]
            calls = self._open_calls(position)
            with self.archive.connection.transaction() as db:
                length = self._length(db)
                if length != position:
                    raise SessionGrew(self.id, length, position)
                hiding, batch, purged = settled(db), Batch(), remembered(db, self.archive.owner)
                for index in range(first, stop):
                    message, node = transcript.messages[index], transcript.nodes[index]
                    at, size, gone = transcript.positions[index], transcript.sizes[index], frozenset[int]()
                    if purged is not None:
                        row = message_row(self._run, at)
                        message, gone = kept_out(db, row, message, self.dialect, purged, time.time())
                    calls.update(calls_of([message]))
                    evicted = insert(db, batch, self._run, at, message, node, size, calls, hiding, gone)
                    if evicted or batch.characters > FULL:
                        batch.write(db)
                        whole_again(db, evicted, message_row(self._run, at))
                batch.write(db)
                end = transcript.positions[stop - 1] + 1
                last = transcript.nodes[stop - 1]
                db.execute("UPDATE runs SET length = ?, node = ? WHERE run = ?", (end, last, self._run))
                self.archive.touch(db, self.id, transcript.messages[first:stop])
        if sum(transcript.sizes[start:]) > _KEPT_PAGES:
            self.archive.connection.let_pages_go()

    def _length(self, db: sqlite3.Connection) -> int:
        """The run's length, read before something is written to it.

        Raises:
            SessionNotFound: The session was removed meanwhile.
        """
        length, *whose = db.execute("SELECT length, owner, session FROM runs WHERE run = ?", (self._run,)).fetchone()
        if whose != [self.archive.owner, self.id]:
            raise SessionNotFound(self.id)
        return length

    def _open_calls(self, position: int) -> dict[str, Part]:
        if self._calls is None:
            self._calls = calls_of(self.messages(max(0, position - _CALLS_LOOK_BACK), position))
        return self._calls

    def branch(self, fork: int) -> None:
        """Opens a run that shares the lineage up to a position, and makes the session go on in it."""
        with self.archive.connection.transaction() as db:
            self._length(db)
            last = nodes(db, clipped(lineage(db, self._run), fork - 1, fork)) if fork else [ROOT]
            cursor = db.execute(
                "INSERT INTO runs (owner, session, parent, fork, length, node) VALUES (?, ?, ?, ?, ?, ?)",
                (self.archive.owner, self.id, self._run, fork, fork, last[0]),
            )
            run = int(cursor.lastrowid or 0)
            db.execute(
                "UPDATE sessions SET run = ? WHERE owner = ? AND session = ?",
                (run, self.archive.owner, self.id),
            )
        self._run = run
        self._calls = None

    def go_on_from(self, run: int, position: int) -> None:
        """Branches off another run of the session at a position: one that it was in before."""
        self._run = run
        self.branch(position)

    def mark(self) -> tuple[int, int]:
        """What tells whether the session has changed: the run that it is in, and its length.

        Raises:
            SessionNotFound: It was removed meanwhile.
        """
        with self.archive.connection.reading() as db:
            found = db.execute(
                "SELECT runs.run, length FROM sessions JOIN runs USING (run) WHERE sessions.owner = ? AND "
                "sessions.session = ?",
                (self.archive.owner, self.id),
            ).fetchone()
        if found is None:
            raise SessionNotFound(self.id)
        return found

    def refresh(self) -> None:
        """Goes on in the run that the session is in now, should another process have branched it."""
        run = self.mark()[0]
        if run != self._run:
            self._run, self._calls = run, None

    def revise(self, position: int, messages: Sequence[Message], tokens: Sequence[int]) -> None:
        """Notes what the caller has in a message's place now: another version, several messages, or none."""
        with self.archive.connection.transaction() as db:
            self._length(db)
            (place,) = clipped(lineage(db, self._run), position, position + 1)
            (original,) = db.execute("SELECT node FROM messages WHERE id = ?", (place.messages[0],)).fetchone()
            revisions.revise(db, self._run, place.messages[0], original, messages, tokens)
            keep_out_versions(db, self.archive.owner, place.messages[0], len(messages), self.dialect, time.time())
            index_versions(db, place.messages[0], self.dialect, len(messages))

    def revised(self) -> Mapping[int, tuple[StoredMessage, ...]]:
        """Position → what stands there now, for every message that the caller changed."""
        with self.archive.connection.reading() as db:
            return revisions.latest(db, self._run, lineage(db, self._run))

    def recall_state(self, key: str) -> dict[str, Any] | None:
        """What was remembered of the session under a key."""
        with self.archive.connection.reading() as db:
            return state.get(db, self.archive.owner, f"session:{self.id}", key)

    def remember_state(self, key: str, value: dict[str, Any]) -> None:
        """Remembers a small value with the session."""
        with self.archive.connection.transaction() as db:
            state.put(db, self.archive.owner, f"session:{self.id}", key, value)

    def recall_shared(self, key: str) -> dict[str, Any] | None:
        """What is remembered for all sessions of the archive, whoever they belong to; None when there is nothing."""
        with self.archive.connection.reading() as db:
            return state.get(db, "", "archive", key)

    def remember_shared(self, key: str, value: dict[str, Any]) -> None:
        """Remembers something for all sessions of the archive, in place of an earlier value."""
        with self.archive.connection.transaction() as db:
            state.put(db, "", "archive", key, value)

    def forget_state(self, prefix: str) -> None:
        """Forgets what is remembered under keys that begin so."""
        with self.archive.connection.transaction() as db:
            state.drop(db, self.archive.owner, f"session:{self.id}", prefix)


def _stretches(sizes: Sequence[int], start: int) -> Iterator[tuple[int, int]]:
    """What is appended in a transaction each: from which message to before which one."""
    tokens = 0
    for at in range(start, len(sizes)):
        tokens += sizes[at]
        if at + 1 == len(sizes) or tokens >= _TOKENS or at + 1 - start >= _MESSAGES:
            yield start, at + 1
            start, tokens = at + 1, 0
