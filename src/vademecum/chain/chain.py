"""The fallback chain: who is asked next, until one answers."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from vademecum.archive import Archive, Session
from vademecum.chain.ask import Ask
from vademecum.chain.desk import Asked, Desk
from vademecum.chain.limits import Limits
from vademecum.chain.member import Member, checked
from vademecum.chain.memory import Memory
from vademecum.chain.moving import LARGER, Moving, cooldown_of, in_order
from vademecum.chain.own_summary import OwnSummary
from vademecum.chain.reply import ChainReply, Decision
from vademecum.chain.steps import Turn, step_of
from vademecum.chain.streaming import ChainStream
from vademecum.chain.visit import Visit
from vademecum.compactor import Compactor
from vademecum.compactor.memory import forget_anchors, view_of
from vademecum.core.messages import Wire
from vademecum.errors import ContextOverflow, ModelError, RateLimited
from vademecum.models.clients import Answer, verdict_of


class FallbackChain:
    """Asks the first member that is well, and the next where it fails; each gets the context that fits it.

    A member that failed is left alone for a while and then asked again. What is remembered stays with the session.

    Args:
        members: The members, best first. They share a wire format.
        session: A session of an archive; by default what leaves is kept in memory.
        cooldown: Seconds that a member is left alone after its first failure; twice as long after each further one.
        whole: Whether a reply that was cut off at its own output limit is asked for once more with a larger one, and
            then continued, three times at most. False gives it as it is; its `finish` is `length`.
        now: Seconds since the epoch.
        **compacting: What else a `Compactor` takes: `preset`, `trigger`, `max_output`, …; `summarizer="active"` is
            the member that is asked.

    Raises:
        ConfigError: No member is on, they mix wire formats, or an argument cannot be used.
    """

    def __init__(
        self,
        members: Sequence[Member],
        *,
        session: Session | None = None,
        cooldown: float = 30.0,
        whole: bool = True,
        now: Callable[[], float] = time.time,
        **compacting: Any,
    ) -> None:
        self._members = checked(members)
        self._format = self._members[0].client.format
        # An empty session is false: it has no messages.
        self._session = Archive.memory().session("chain", format=self._format) if session is None else session
        self._cooldown = cooldown
        self._whole = whole
        self._now = now
        self._max_output: int | None = compacting.get("max_output")
        self._limits = Limits(self._session, now)
        windows = [self._limits.window(member) for member in self._members]
        # The largest window has the main view from the start, so that a smaller one never stands in for it.
        view_of(self._session, max(window.tokens for window in windows))
        # Who is to read the context writes its summary.
        own = compacting.get("summarizer") == "active"
        self._own = OwnSummary(self._members[0], windows[0].tokens) if own else None
        if self._own is not None:
            compacting["summarizer"] = self._own
        self._compactor = Compactor(window=windows[0], session=self._session, now=now, **compacting)
        self._memory = Memory.of(self._session)
        self._lock = threading.Lock()
        self._async_lock = asyncio.Lock()

    @property
    def session(self) -> Session:
        """The session."""
        return self._session

    @property
    def active(self) -> str:
        """The member that answered last; empty before the first answer."""
        return self._memory.active

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The newest decisions, oldest first; those of earlier processes as well."""
        return tuple(self._memory.decisions)

    def send(
        self,
        messages: Sequence[Wire],
        *,
        system: object = None,
        tools: object = None,
        max_output: int | None = None,
    ) -> ChainReply:
        """The reply to a transcript.

        Args:
            messages: The whole transcript; append the answer's messages to it.
            system: The system text, where it does not stand in the messages.
            tools: The tools' schemas.
            max_output: The output limit of this request in tokens.

        Returns:
            The answer, and who gave it.

        Raises:
            ModelError: No member answered; the error is the last one's.
        """
        with self._lock:
            turn = self._turn(self._asked(messages, system, tools, max_output))
            step: Ask | ChainReply = step_of(turn, None)
            while isinstance(step, Ask):
                try:
                    given: Answer | ModelError = step.member.client.send(step.body, once=step.once)
                except ModelError as error:
                    given = error
                step = step_of(turn, given)
            return step

    async def send_async(
        self,
        messages: Sequence[Wire],
        *,
        system: object = None,
        tools: object = None,
        max_output: int | None = None,
    ) -> ChainReply:
        """The same as `send`, for asyncio; compacting is done in a worker thread.

        Raises:
            ModelError: No member answered; the error is the last one's.
        """
        async with self._async_lock:
            turn = self._turn(self._asked(messages, system, tools, max_output))
            step: Ask | ChainReply = await asyncio.to_thread(step_of, turn, None)
            while isinstance(step, Ask):
                try:
                    given: Answer | ModelError = await step.member.client.send_async(step.body, once=step.once)
                except ModelError as error:
                    given = error
                step = await asyncio.to_thread(step_of, turn, given)
            return step

    def stream(
        self,
        messages: Sequence[Wire],
        *,
        system: object = None,
        tools: object = None,
        max_output: int | None = None,
    ) -> ChainStream:
        """The reply piece by piece, with `for` or `async for`; `reply` has it whole at the end.

        Iterate to the end, or close the iterator: until then the chain takes no other stream.
        """
        turn = self._turn(self._asked(messages, system, tools, max_output, streamed=True))
        return ChainStream(turn, self._lock)

    def _asked(
        self, messages: Sequence[Wire], system: object, tools: object, most: int | None, *, streamed: bool = False
    ) -> Asked:
        return Asked(messages, system, tools, most or self._max_output, streamed=streamed, whole=self._whole)

    def _turn(self, asked: Asked) -> Turn:
        """Goes through the members; what was decided is kept with the session however it ends."""
        redact = self._session.archive.redactor
        desk = Desk(self._format, self._compactor, self._memory, self._limits, self._now, redact, self._own)
        try:
            return (yield from self._asking(desk, asked))
        finally:
            self._memory.keep(self._session)

    def _asking(self, desk: Desk, asked: Asked) -> Turn:
        moving = Moving()
        error: ModelError | None = None
        for member in self._order():
            window = desk.window(member).tokens
            if not moving.allows(window):
                desk.note(member, "skipped", f"its window is not larger than {moving.floor:,} tokens")
                continue
            if self._memory.active != member.called:
                forget_anchors(self._session)
            found = yield from Visit(desk, member, asked).talk()
            if not isinstance(found, ModelError):
                answer, receipt = found
                self._memory.served(member.called, len(asked.messages))
                desk.note(member, "answered", answer.model, receipt.tokens_after)
                return ChainReply(answer, member.called, receipt, tuple(desk.decisions))
            error, kind = found, verdict_of(found).kind
            if kind in LARGER or isinstance(found, ContextOverflow):
                moving.outgrown(desk.window(member).tokens)
                desk.note(member, "moves_on", "to a larger window: nothing more can be compacted")
                continue
            self._cool(desk, member, found)
            if not moving.on(kind):
                desk.note(member, "stopped", "it would not be another's fault either")
                break
        raise error or ModelError("no member of the chain could be asked")

    def _order(self) -> list[Member]:
        by_name = {member.called: member for member in self._members}
        return [by_name[name] for name in in_order(list(by_name), self._memory, self._now())]

    def _cool(self, desk: Desk, member: Member, error: ModelError) -> None:
        kind = verdict_of(error).kind
        cooldown = cooldown_of(kind, self._cooldown)
        if cooldown is None:
            desk.note(member, "moves_on", f"{kind}: {error}")
            return
        asked = error.retry_after_s if isinstance(error, RateLimited) else None
        wait = self._memory.failed(member.called, self._now(), cooldown, asked or 0.0)
        desk.note(member, "cools_down", f"for {wait:,.0f} s; {kind}: {error}")
