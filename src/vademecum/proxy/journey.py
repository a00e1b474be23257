"""A request's journey: to which upstream it goes, and what is sent in its place where it is refused (M-7, M-8)."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from vademecum.chain.memory import Memory
from vademecum.chain.moving import LARGER, Moving, cooldown_of
from vademecum.chain.reply import Decision, What
from vademecum.models.clients.failure import told
from vademecum.models.errors import Verdict
from vademecum.proxy.attempt import Attempt
from vademecum.proxy.config import ProxyConfig
from vademecum.proxy.fitted import Fitted
from vademecum.proxy.fitting import Fitter
from vademecum.proxy.members import Member
from vademecum.proxy.metrics import Metrics
from vademecum.proxy.refusal import Refusal
from vademecum.proxy.usage_tap import UsageTap

_log = logging.getLogger("vademecum.proxy")
#: How often a request that an upstream refuses is changed and sent to it again (C-33).
_MOST_CHANGED = 3
#: The same request again does not help at once where a whole wait for an answer was in vain.
NO_ANSWER = Refusal(Verdict("unavailable", row="no answer in time"))
UNREACHED = Refusal(Verdict("unavailable", row="no answer"))


class Journey:
    """One request on its way.

    With one upstream it stays there: only another body is sent in place of one that was refused. In a chain the next
    member is asked where one is away, or the request remains too large for it.

    Args:
        fitter: Fits contexts.
        config: The proxy's settings.
        members: The upstreams, best first.
        metrics: Where it is counted.
        body: The client's bytes.
        headers: Its headers, with names in lower case.
    """

    def __init__(
        self,
        fitter: Fitter,
        config: ProxyConfig,
        members: Sequence[Member],
        metrics: Metrics,
        body: bytes,
        headers: Mapping[str, str],
    ) -> None:
        self._fitter, self._config, self._members, self._metrics = fitter, config, members, metrics
        self._body, self._headers = body, headers
        self._now = config.now
        self._moving = Moving()
        self._left: list[Member] = []
        self._changed = self._sent = 0
        self._noted = False
        self._attempt: Attempt | None = None

    async def first(self, ready: Fitted) -> Attempt:
        """The first attempt.

        Args:
            ready: The request as it was fitted to the member that comes first.
        """
        placed = ready.placed
        attempt = self._attempt = Attempt(self._members[0] if placed is None else placed.member, ready)
        self._left = [] if placed is None else list(placed.others)
        # What cannot fit goes out as it came only where no other member takes it.
        elsewhere = None if ready.fits or not self._left else await self._outgrown(attempt)
        return self._go(elsewhere or attempt)

    @property
    def may_change(self) -> bool:
        """Whether anything at all may be sent in place of the request, should it be refused."""
        return len(self._members) > 1 or self._changed < _MOST_CHANGED

    async def lost(self) -> None:
        """Takes down that nobody answered."""
        if self._noted and self._attempt is not None and self._attempt.ready.live is not None:
            await self._fitter.keep(self._attempt.ready.live)

    async def again(self, refusal: Refusal) -> Attempt | None:
        """What is sent in place of the request that was refused; None where nothing is: then the error passes on."""
        attempt, verdict = self._attempt, refusal.verdict
        if attempt is not None:
            self._metrics.refused(attempt.member, refusal)
        if attempt is None or attempt.ready.placed is None:
            return None
        if self._changed < _MOST_CHANGED and not (verdict.kind == "rate_budget" and self._left):
            other = await self._fitter.smaller(attempt.ready, verdict)
            if other is not None:
                self._changed += 1
                self._note(
                    attempt.member, "compacts" if other.sent is not attempt.ready.sent else "less_output", verdict
                )
                return self._go(Attempt(attempt.member, other))
        if len(self._members) == 1:
            return None
        pause = self._pause(attempt.member, refusal)
        if pause is not None:
            return self._go(Attempt(attempt.member, attempt.ready, pause))
        if verdict.kind in LARGER:
            return self._went(await self._outgrown(attempt))
        return self._went(await self._next() if self._may_move(attempt.member, refusal) else None)

    async def ended(self, status: int, tap: UsageTap) -> str:
        """Takes down how the request ended, once its reply has been passed on.

        Args:
            status: The reply's status.
            tap: What was seen of it.

        Returns:
            The kind of what went wrong in it; empty where it is whole.
        """
        attempt = self._attempt
        if attempt is None:
            return ""
        verdict = await self._fitter.settle(attempt.ready, tap) if status == 200 else None
        kind = "" if verdict is None else verdict.kind
        self._metrics.answered(attempt.member, status, kind)
        if attempt.ready.live is None:
            return kind
        memory, member, placed = attempt.ready.live.chain, attempt.member, attempt.ready.placed
        if memory is not None and placed is not None:
            if verdict is not None and cooldown_of(verdict.kind, 1.0) is not None:
                self._cool(member, Refusal(verdict))
            elif status < 400:
                changed = memory.active != member.called or member.called in memory.failures
                memory.served(member.called, len(placed.asked.messages))
                if changed:
                    self._note(member, "answered")
            await self.lost()
        return kind

    async def _outgrown(self, attempt: Attempt) -> Attempt | None:
        """The next member with a larger window."""
        receipt = attempt.ready.receipt
        placed = attempt.ready.placed
        if receipt is not None:
            self._moving.outgrown(receipt.window.tokens)
        elif placed is not None:
            self._moving.outgrown(await self._fitter.window(placed) or 0)
        self._note(attempt.member, "moves_on", why="to a larger window: nothing more can be compacted")
        return await self._next()

    async def _next(self) -> Attempt | None:
        """The next member that may be asked, with the context that fits it."""
        placed = None if self._attempt is None else self._attempt.ready.placed
        while self._left and placed is not None:
            member = self._left.pop(0)
            ready = await self._fitter.at(placed, member, self._body, self._headers, self._moving.allows)
            if ready is None:
                self._note(member, "skipped", why=f"its window is not larger than {self._moving.floor:,} tokens")
            elif not ready.fits:
                self._note(member, "does_not_fit")
            else:
                self._changed = self._sent = 0
                return Attempt(member, ready)
        return None

    def _pause(self, member: Member, refusal: Refusal) -> float | None:
        """Seconds until the same is sent to the same member once more; None where it is not."""
        memory = self._memory
        if refusal is NO_ANSWER or (memory is not None and member.called in memory.failures):
            return None
        error = told(refusal.verdict, "", member.called, retry_after=refusal.wait)
        return self._config.retries.pause(self._sent, error)

    def _may_move(self, member: Member, refusal: Refusal) -> bool:
        self._cool(member, refusal)
        if self._moving.on(refusal.verdict.kind):
            return True
        self._note(member, "stopped", refusal.verdict)
        return False

    def _cool(self, member: Member, refusal: Refusal) -> None:
        memory, kind = self._memory, refusal.verdict.kind
        cooldown = cooldown_of(kind, self._config.cooldown)
        if memory is None or cooldown is None:
            self._note(member, "moves_on", refusal.verdict)
            return
        wait = memory.failed(member.called, self._now(), cooldown, refusal.wait or 0.0)
        self._note(member, "cools_down", refusal.verdict, why=f"for {wait:,.0f} s")

    def _go(self, attempt: Attempt) -> Attempt:
        self._attempt = attempt
        self._sent += 1
        return attempt

    def _went(self, attempt: Attempt | None) -> Attempt | None:
        return None if attempt is None else self._go(attempt)

    @property
    def _memory(self) -> Memory | None:
        live = None if self._attempt is None else self._attempt.ready.live
        return None if live is None else live.chain

    def _note(self, member: Member, what: What, verdict: Verdict | None = None, *, why: str = "") -> None:
        """Takes a decision of a chain down; errors only by their kind, since their texts may quote the request."""
        memory = self._memory
        if memory is None or self._attempt is None:
            return
        receipt, why = self._attempt.ready.receipt, "; ".join(filter(None, (why, verdict and verdict.kind)))
        size, window = (0, 0) if receipt is None else (receipt.tokens_after, receipt.window.tokens)
        memory.decisions.append(Decision(self._now(), member.called, what, why, size, window))
        self._noted = True
        _log.info("session=%s upstream=%s %s %s", self._attempt.ready.session, member.called, what, why)
