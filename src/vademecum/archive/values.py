"""What the archive gives back: values, detached from the store."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hit:
    """A place that a search found.

    Attributes:
        id: Id of the part, to restore it by.
        session: The session it is in.
        role: Who wrote it.
        tool: The tool of a call or result, else empty.
        text: A window around the match.
        score: Relevance; comparable within one search only.
        in_context: Whether the message stands in the session's context as it is now.
        position: Position of the message in its lineage.
        ts: Seconds since the epoch where the log tells.
    """

    id: str
    session: str
    role: str
    tool: str
    text: str
    score: float
    in_context: bool
    position: int
    ts: float | None = None


@dataclass(frozen=True, slots=True)
class Restored:
    """A restored part.

    Attributes:
        id: Its id.
        session: The session it is in.
        data: Its exact bytes: UTF-8 text where it is a string or one text part, else its wire JSON.
        kind: The part's kind, or `message` for a whole message of several parts.
        role: Who wrote it.
        tool: The tool of a call, or of the call that a result answers.
        arguments: The arguments of that call.
        ts: Seconds since the epoch where the log tells.
        size: Bytes of the whole part, of which `data` may be a page.
        offset: Where the page begins.
        rest: Bytes that stand after the page, of the lines that match where a pattern was given.
    """

    id: str
    session: str
    data: bytes
    kind: str
    role: str
    tool: str = ""
    arguments: str = ""
    ts: float | None = None
    size: int = 0
    offset: int = 0
    rest: int = 0

    @property
    def next_offset(self) -> int | None:
        """Where the next page begins; None for the last one."""
        return self.offset + len(self.data) if self.rest else None


@dataclass(frozen=True, slots=True)
class Purged:
    """What became of a purge.

    Attributes:
        messages: Messages from which something was removed: copies of one that stand in several sessions.
        parts: How many parts were.
        compactions: Compactions whose emitted bytes had quoted them and do not any more.
        quoted_by: Ids of parts that still say the same, in words of their own right.
        log_emptied: Whether the write-ahead log is empty now, too; a process that reads holds on to it.
    """

    messages: int
    parts: int
    compactions: int
    quoted_by: tuple[str, ...]
    log_emptied: bool


@dataclass(frozen=True, slots=True)
class Removed:
    """What became of the removal of sessions.

    Attributes:
        sessions: Their ids.
        messages: Messages that were erased; what other sessions go on from is still there.
        log_emptied: Whether the write-ahead log is empty now, too; a process that reads holds on to it.
    """

    sessions: tuple[str, ...]
    messages: int
    log_emptied: bool = True


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """One line about a session."""

    id: str
    source: str
    format: str
    messages: int
    tokens: int
    cycles: int
    started: float | None
    last: float | None
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Cycle:
    """The figures of a past compaction.

    Attributes:
        cycle: Its number.
        covered: Messages of the session when it was made.
        tokens: Tokens of the context right after it.
    """

    cycle: int
    covered: int
    tokens: int


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """What one model reported for the calls of a session, all together.

    Attributes:
        model: The model's name as it gave it; empty where it gave none.
        calls: How many calls.
        prompt_tokens: All prompt tokens, cached ones included.
        cached_tokens: Those read from the provider's cache.
        written_tokens: Those put into it.
        output_tokens: Tokens of the replies, reasoning included.
        reasoning_tokens: Those of them that are reasoning.
        kind: `reply`, or `summary` for calls that compactions made.
    """

    model: str
    calls: int
    prompt_tokens: int
    cached_tokens: int
    written_tokens: int
    output_tokens: int
    reasoning_tokens: int
    kind: str = "reply"


@dataclass(frozen=True, slots=True)
class Savings:
    """What the compactions of a session have saved: input tokens that were not sent again.

    The sum over all calls since the first compaction of `whole transcript - context`, which is the sum of
    `tokens_before - tokens_after` of the compactions that stood when the call was made. A call is a reply of the
    model in the transcript (messages of it that follow each other count as one). A transcript that would not have
    fitted the window could not have been sent: then it is what would have had to be paid for a larger window.

    Attributes:
        calls: Calls that were made on a compacted context.
        tokens: Input tokens that they did not have.
    """

    calls: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a context: a range of messages as they came, or the bytes of one that was written.

    Attributes:
        start: Position of the first message of the range, or of the message that was rewritten (-1: none).
        stop: Position after the range.
        data: The bytes of a written message; empty for a range.
        carry: How many of a written message's texts are the carry's; the others are the caller's.
    """

    start: int
    stop: int
    data: bytes = b""
    carry: int = 0


@dataclass(frozen=True, slots=True)
class StoredCompaction:
    """A compaction as it was committed.

    Attributes:
        cycle: Its number in the view, from 1.
        folded: Positions before it have left, the head excepted.
        cut: Positions before it leave in the next cycle at the latest: what was stubbed folds into its carry.
        covered: Positions from it on were appended later.
        tokens: Tokens of the context right after it.
        pieces: What was emitted.
        narrative: The model's summary, if one was used.
        receipt: The receipt as JSON text.
        id: Its row; before it is committed, the row of the one that it follows (0 for none).
    """

    cycle: int
    folded: int
    cut: int
    covered: int
    tokens: int
    pieces: tuple[Piece, ...]
    narrative: str
    receipt: str
    id: int = 0

    def shows(self, position: int) -> bool:
        """Whether a message stands unchanged in the context that this compaction gave."""
        return position >= self.covered or any(
            not piece.data and piece.start <= position < piece.stop for piece in self.pieces
        )
