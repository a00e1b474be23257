"""A session of the archive: take a transcript in, project, commit, answer the planner, search, restore."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence

from vademecum.archive.sqlite import answers, compactions, revisions, state
from vademecum.archive.sqlite import usage as usage_rows
from vademecum.archive.sqlite.blobs import value_of
from vademecum.archive.sqlite.lineage import clipped, generations, lineage
from vademecum.archive.sqlite.reading import StoredMessage, stored_range
from vademecum.archive.sqlite.rows import MOST_POSITIONS, Range
from vademecum.archive.sqlite.segments import segments
from vademecum.archive.sqlite.steering import Steered
from vademecum.archive.values import Hit, ModelUsage, Piece, Restored, Savings, StoredCompaction
from vademecum.core.identity import chain
from vademecum.core.messages import Message, Wire
from vademecum.core.requests import QueryFacts, QueryRequests, QuerySegments, Segment, StoredFact
from vademecum.core.transcript import Transcript
from vademecum.wire.usage import Usage
from vademecum.wire.values import encoded

#: Written messages that are kept read; those of a few compactions.
_MOST_WRITTEN = 2_000


class Session(Steered):
    """One session, at the end of its run. Get it from `Archive.session`."""

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

    def left_behind(self) -> list[tuple[str, StoredCompaction, int]]:
        """What a branch would lose of its ancestors' compactions; see `compactions.left_behind`."""
        with self.archive.connection.reading() as db:
            return compactions.left_behind(db, self._run)

    def newest_compaction(self) -> int:
        """The row of the compaction that was committed last in the whole archive, 0 for none."""
        with self.archive.connection.reading() as db:
            return compactions.newest(db)

    def committed_since(self, row: int, cycle: int, view: str) -> list[tuple[StoredCompaction, int]]:
        """What other processes have committed in branches of the session; see `compactions.committed_since`."""
        with self.archive.connection.reading() as db:
            return compactions.committed_since(db, (self.archive.owner, self.id), self._run, view, row, cycle)

    def compaction(self, view: str = "main") -> StoredCompaction | None:
        """The compaction that the context stands on, None before the first one."""
        with self.archive.connection.reading() as db:
            row = compactions.head_row(db, lineage(db, self._run), view)
            if row == 0:
                return None
            purges = state.get(db, "", "archive", "purges")
            if purges != self._purges:  # what is kept read may say what is gone
                self._purges = purges
                self._standing.clear()
                self._written.clear()
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
            self._length(db)
            if compactions.head_row(db, lineage(db, self._run), view) != expected:
                return False
            compactions.commit(db, self._run, view, compaction, created)
            return True

    def written(self, piece: Piece) -> Message:
        """The message that a compaction wrote; read once, since it stands in every context from then on."""
        held = self._written.get(piece.data)
        if held is None:
            if len(self._written) >= _MOST_WRITTEN:
                self._written.clear()
            held = self._written[piece.data] = self.dialect.load(value_of(piece.data), 0, raw=piece.data)
        return held

    def past(self, view: str = "main") -> list[StoredCompaction]:
        """The compactions that a view's context stands on, the newest first."""
        with self.archive.connection.reading() as db:
            return compactions.past(db, compactions.head_row(db, lineage(db, self._run), view))

    def context(self, view: str = "main") -> list[bytes]:
        """The context as it is now, the exact bytes of each message: a projection, nothing is rendered."""
        standing = self.compaction(view)
        with self.archive.connection.reading() as db:
            ranges = lineage(db, self._run)
            revised = revisions.latest(db, self._run, ranges)
            if standing is None:
                return _raw(db, ranges, revised, 0, MOST_POSITIONS)
            out: list[bytes] = []
            for piece in standing.pieces:
                if piece.data:
                    out += self._beside(piece, revised.get(piece.start))
                else:
                    out += _raw(db, ranges, revised, piece.start, piece.stop)
            return out + _raw(db, ranges, revised, standing.covered, MOST_POSITIONS)

    def transcript(self) -> list[Wire]:
        """The whole transcript as it was sent last, to go on with after a restart.

        What was edited since is as it is now; `messages` has everything as it was taken in first.
        """
        with self.archive.connection.reading() as db:
            ranges = lineage(db, self._run)
            raws = _raw(db, ranges, revisions.latest(db, self._run, ranges), 0, MOST_POSITIONS)
        return [value_of(raw.decode("utf-8", "surrogateescape")) for raw in raws]

    def projection(self, view: str = "main") -> tuple[Message, ...]:
        """The context, read by the session's format."""
        raws = self.context(view)
        return tuple(self.dialect.load(value_of(raw), at, raw=raw) for at, raw in enumerate(raws))

    def _beside(self, piece: Piece, now: Sequence[StoredMessage] | None) -> list[bytes]:
        """A written message with what the caller has put in at its place since, or what is left of it."""
        if now is None or len(now) == 1:
            return [piece.data]
        written = self.written(piece)
        if not now:
            texts = [part.text for part in written.parts if part.kind == "text"][: piece.carry]
            return [encoded(self.dialect.user(texts))] if texts else []
        own = next((at for at, held in enumerate(now) if held.role == written.role), 0)
        return [piece.data if at == own else held.raw for at, held in enumerate(now)]

    def record_usage(self, usage: Usage, *, cycle: int, at: float, kind: str = "reply") -> None:
        """Notes what a provider reported for one call (M-9).

        Args:
            usage: What was reported.
            cycle: The cycle that the call's context stood on.
            at: When, in seconds since the epoch.
            kind: `reply`, or `summary` for a call that a compaction made.
        """
        with self.archive.connection.transaction() as db:
            usage_rows.record(db, self.archive.owner, self.id, usage, cycle=cycle, kind=kind, at=at)

    def usage(self) -> tuple[ModelUsage, ...]:
        """What was reported for the session's calls, by model and kind; replies first, then by calls."""
        with self.archive.connection.reading() as db:
            return usage_rows.totals(db, self.archive.owner, self.id)

    def savings(self) -> Savings:
        """What the session's compactions have saved so far."""
        with self.archive.connection.reading() as db:
            return usage_rows.savings(db, lineage(db, self._run))

    def facts(self, query: QueryFacts) -> tuple[StoredFact, ...]:
        """Answers the planner's question about facts."""
        with self.archive.connection.reading() as db:
            before = [ranges for _, ranges in generations(db, self.archive.owner, self.id)]
            return answers.facts(db, lineage(db, self._run), query, before)

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
        limit: int = 10,
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
        yield from self.archive.neighbours(id, session=self.id, count=count)[1]


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
