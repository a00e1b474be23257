"""Answers to the planner's requests, from a session, a counter and a summariser."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from vademecum.archive import Session
from vademecum.compactor.workspace import Workspace
from vademecum.core.redacted import redacted_request
from vademecum.core.requests import (
    CountTokens,
    FileContent,
    QueryFacts,
    QueryRequests,
    QuerySegments,
    ReadFile,
    Request,
    Segment,
    StoredFact,
    Summarize,
    SummaryReply,
    TierDone,
    Unavailable,
)
from vademecum.core.standing import Standing, Way
from vademecum.core.tokens import TokenCounter
from vademecum.wire.usage import Usage


class Answers:
    """Answers each request of a planner; an instance is a function for `core.driver.drive`.

    Args:
        session: Whose facts are asked for.
        counter: What counts tokens.
        summarize: What writes summaries; None answers that there is no model.
        clock: Seconds that only grow.
        workspace: The folder whose files may be read; None reads none.
        standing: The request as it stands, for a summary of so many live messages; None where it is not known.

    Attributes:
        ms: Milliseconds that each tier took.
        paid: What models reported for the summaries that were asked for, used or not.
        ways: How they were asked for.
    """

    def __init__(
        self,
        session: Session,
        counter: TokenCounter,
        summarize: Callable[[Summarize], SummaryReply | Unavailable] | None,
        clock: Callable[[], float],
        workspace: Workspace | None = None,
        standing: Callable[[int], Standing] | None = None,
    ) -> None:
        self._session = session
        self._counter = counter
        self._summarize = summarize
        self._clock = clock
        self._workspace = workspace
        self._standing = standing
        # A carry may be written several times over: what it asks again is the same, and a file that changes meanwhile
        # must not change with it.
        self._facts: dict[QueryFacts, tuple[StoredFact, ...]] = {}
        self._segments: dict[QuerySegments, tuple[Segment, ...]] = {}
        self._files: dict[str, FileContent | Unavailable] = {}
        self._last = clock()
        self.ms: dict[str, int] = {}
        self.paid: list[Usage] = []
        self.ways: list[Way] = []

    def __call__(self, request: Request) -> Any:
        """The answer to a request."""
        match request:
            case CountTokens():
                return self._counter.texts(request.texts)
            case QueryFacts():
                if request not in self._facts:
                    self._facts[request] = self._session.facts(request)
                return self._facts[request]
            case QueryRequests():
                asked = self._session.requests(request)
                return tuple(replace(fact, text=self._session.archive.redactor(fact.text)) for fact in asked)
            case QuerySegments():
                if request not in self._segments:
                    self._segments[request] = self._session.segments(request)
                return self._segments[request]
            case Summarize():
                return self._summary(request)
            case ReadFile():
                return self._file(request.path)
            case TierDone():
                now = self._clock()
                self.ms[request.name] = round((now - self._last) * 1000)
                self._last = now
                return None

    def _file(self, path: str) -> FileContent | Unavailable:
        if self._workspace is None:
            return Unavailable("no workspace was given")
        if path not in self._files:
            held = self._workspace.read(path)
            if isinstance(held, FileContent):
                held = replace(held, text=self._session.archive.redactor(held.text))
            self._files[path] = held
        return self._files[path]

    def _summary(self, ask: Summarize) -> SummaryReply | Unavailable:
        """The summary; no secret reaches its author, and none that it knows otherwise comes from it."""
        if self._summarize is None:
            return Unavailable("no model")
        redact = self._session.archive.redactor
        bare = redacted_request(ask, redact, self._session.dialect)
        if ask.by == "active" and self._standing is not None:
            bare = replace(bare, standing=self._ridable(ask, bare))
        reply = self._summarize(bare)
        self.ways += reply.ways
        if isinstance(reply, Unavailable):
            return Unavailable(redact(reply.reason))
        if reply.input_tokens or reply.output_tokens:
            usage = Usage(reply.input_tokens, reply.cached_tokens, reply.output_tokens, reply.model)
            self.paid.append(usage)
        return replace(reply, text=redact(reply.text))

    def _ridable(self, ask: Summarize, bare: Summarize) -> Standing:
        """The request as it stands; where it holds a secret nothing rides on it."""
        assert self._standing is not None  # noqa: S101  # asked by the caller
        standing = self._standing(len(ask.messages))
        open_ = all(new is old for new, old in zip(bare.messages, ask.messages, strict=True))
        return standing if open_ else replace(standing, obstacle="it holds secrets")
