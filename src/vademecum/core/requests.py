"""What the planner asks for: it is pure, so it yields a request and is sent the answer.

The drivers answer: a synchronous one, an asynchronous one, and tests that answer by hand. Any answer
may be `Unavailable`; the planner then does without. A log of the answers replays a run.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from vademecum.core.facts import FactKind
from vademecum.core.messages import Message
from vademecum.core.standing import Standing, Way


@dataclass(frozen=True, slots=True)
class Unavailable:
    """The answer to a request that could not be met.

    Attributes:
        reason: Why not.
        ways: For a summary, the ways in which it was asked for all the same.
    """

    reason: str
    ways: tuple[Way, ...] = ()


@dataclass(frozen=True, slots=True)
class CountTokens:
    """Tokens of each text. Answer: a tuple of ints in the same order."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueryFacts:
    """Facts of the whole lineage that stand before a position. Answer: a tuple of `StoredFact`.

    Attributes:
        kinds: Which facts.
        until: Position in the lineage that ends the search (exclusive).
        limit: At most this many, the weightiest first and the newest first among equals.
        newest_first: Order by position alone.
    """

    kinds: tuple[FactKind, ...]
    until: int
    limit: int
    newest_first: bool = False


@dataclass(frozen=True, slots=True)
class QueryRequests:
    """What the user typed last before a position, in full. Answer: a tuple of `StoredFact`, newest first.

    These are the requests since the newest end of a turn before the position, `key` being `open`; where
    there are none, the newest request of all, `key` being `answered`.

    Attributes:
        until: Position in the lineage that ends the search (exclusive).
    """

    until: int


@dataclass(frozen=True, slots=True)
class QuerySegments:
    """A table of contents of the lineage before a position. Answer: a tuple of `Segment`, oldest first."""

    until: int
    most: int


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The current content of a file inside the workspace. Answer: a `FileContent`.

    Attributes:
        path: The path as a tool call named it.
    """

    path: str


@dataclass(frozen=True, slots=True)
class FileContent:
    """A file as it is now.

    Attributes:
        text: Its text, or the beginning of it.
        size: Bytes of the whole file.
        whole: Whether `text` is all of it.
    """

    text: str
    size: int
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Summarize:
    """A structured summary of messages that are about to leave. Answer: a `SummaryReply`.

    Attributes:
        by: `active` is the model that runs the agent, `local` one on this machine.
        messages: What is to be summarised, oldest first; images and reasoning are not to be sent.
        earlier: The narrative of the compaction before, so that the new one can go on from it.
        focus: What the user wants kept above all; may be empty.
        max_tokens: Upper limit of the summary's length.
        stretches: From so many stretches at least it is to be made, each noted on its own and then joined.
        standing: The request as it stands, for a model that has read it already; who answers puts it in.
    """

    by: Literal["active", "local"]
    messages: tuple[Message, ...]
    earlier: str
    focus: str
    max_tokens: int
    stretches: int = 1
    standing: Standing | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SummaryReply:
    """A model's summary, unchecked.

    Attributes:
        text: What it wrote.
        finish: Why it stopped: `stop`, `length`, `tool_call`, `refusal` or `other`.
        model: Which model wrote it.
        covered: How many of the messages were in its input.
        input_tokens: Tokens it read, 0 if unknown.
        output_tokens: Tokens it wrote, 0 if unknown.
        cached_tokens: Tokens it read that came out of its provider's cache, 0 if unknown.
        ways: The ways in which it was asked for, in order.
    """

    text: str
    finish: str = "stop"
    model: str = ""
    covered: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    ways: tuple[Way, ...] = ()


@dataclass(frozen=True, slots=True)
class NameStats:
    """How often a name occurs in the lineage, by who used it.

    Attributes:
        kind: A key of `facts.names.WEIGHTS`.
        messages: In how many messages it occurs.
        users: In how many the user wrote it.
        calls: In how many a tool call had it among its arguments.
        last: Position of the newest of these messages.
    """

    kind: str
    messages: int
    users: int
    calls: int
    last: int


@dataclass(frozen=True, slots=True)
class StoredFact:
    """A fact with its place in the lineage.

    Attributes:
        kind: What sort of fact it is.
        source: Who said it.
        text: Its wording.
        key: For values, the name that has the value; for later system rows, their kind.
        weight: Its standing before recency and rarity.
        position: Position of its message in the lineage.
        id: Id of the part where it stands.
        names: The names in it with their figures.
        number: Its place among the facts of its message.
    """

    kind: FactKind
    source: str
    text: str
    key: str
    weight: float
    position: int
    id: str
    names: tuple[tuple[str, NameStats], ...] = ()
    number: int = 0


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of the archived lineage.

    Attributes:
        first: Id of its first message.
        last: Id of its last message.
        messages: How many it has.
        title: What it was about: the user's words at its start.
        names: Its rarest names.
    """

    first: str
    last: str
    messages: int
    title: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TierDone:
    """A tier has been tried. Answer: nothing; the driver may note the time, which the planner must not know."""

    name: str


Request = TierDone | CountTokens | QueryFacts | QueryRequests | QuerySegments | ReadFile | Summarize
T = TypeVar("T")
#: A piece of planning: yields requests, is sent their answers, returns a value.
Steps = Generator[Request, Any, T]


def count(texts: tuple[str, ...]) -> Steps[tuple[int, ...]]:
    """Asks for the tokens of texts; without a counter the driver estimates, so there is always an answer."""
    if not texts:
        return ()
    return (yield CountTokens(texts))


def facts(query: QueryFacts | QueryRequests) -> Steps[tuple[StoredFact, ...]]:
    """Asks for facts; none when the archive cannot answer."""
    answer = yield query
    return () if isinstance(answer, Unavailable) else answer


def segments(query: QuerySegments) -> Steps[tuple[Segment, ...]]:
    """Asks for the table of contents; empty when the archive cannot answer."""
    answer = yield query
    return () if isinstance(answer, Unavailable) else answer
