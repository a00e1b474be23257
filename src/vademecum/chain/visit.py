"""A visit: one member is asked, as often as something else can be sent to it, and then left."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from vademecum.chain.ask import Ask
from vademecum.chain.cut_off import CutOff
from vademecum.chain.desk import Asked, Desk
from vademecum.chain.member import Member
from vademecum.chain.reasoning import without
from vademecum.compactor.options import Compaction
from vademecum.core.budget import SMALLEST_WINDOW, Window
from vademecum.core.messages import Wire
from vademecum.core.receipt import Receipt
from vademecum.errors import CannotFitError, ContextOverflow, ModelError
from vademecum.models.clients import Answer, body_of, verdict_of
from vademecum.models.clients.failure import told
from vademecum.models.errors import Verdict, classify
from vademecum.models.errors.reactions import room_for_reply

#: Forced compactions of one request at one member (C-33).
_FORCED = 3
#: An overflow of which only a status or an empty body tells is believed from this share of the window on.
_LARGE = 0.25
_TOO_LARGE = frozenset({"context_overflow", "long_context_tier", "request_too_large", "silent_truncation"})


Talk = Generator[Ask, Answer | ModelError, tuple[Answer, Receipt] | ModelError]


@dataclass(slots=True)
class Visit:
    """One member's turn at a request.

    Attributes:
        desk: What the chain has at hand.
        member: The member.
        asked: What is asked.
        forced: Forced compactions so far.
        limit: The output limit to ask for.
        bare: Whether all reasoning is left out.
        refused: Digests of the bodies that it refused.
    """

    desk: Desk
    member: Member
    asked: Asked
    forced: int = 0
    limit: int | None = None
    bare: bool = False
    refused: set[str] = field(default_factory=set[str])

    def talk(self) -> Talk:
        """Asks until there is an answer, or nothing else to send: then the error."""
        self.limit, force = self._first_limit(), False
        once = self.member.called in self.desk.memory.failures
        error: ModelError | None = None
        while True:
            try:
                fitted = self._fitted(force)
            except CannotFitError as cannot:
                self._note("does_not_fit", str(cannot), cannot.floor)
                return error or ContextOverflow(f"{self.member.called}: {cannot}", model=self.member.model)
            body = self._body(fitted)
            digest = hashlib.sha256(json.dumps(body, sort_keys=True, default=str).encode()).hexdigest()
            if error is not None and digest in self.refused:
                self._note("stopped", "nothing shrinks any more", fitted.receipt.tokens_after)
                return error
            given = yield Ask(self.member, body, once)
            found = self._looked_at(given, fitted)
            if isinstance(found, Answer):
                if self.asked.whole:
                    found = yield from self._whole(found, fitted, once)
                return found, fitted.receipt
            error = found
            self.refused.add(digest)
            reaction = self._reaction(error, fitted)
            if reaction is None:
                return error
            force = reaction

    def _first_limit(self) -> int | None:
        """The output limit that is asked for, as far as the member is known to take one."""
        asked, most = self.asked.max_output, self.desk.limits.learned_output(self.member)
        return asked if asked is None or most is None else min(asked, most)

    @property
    def _window(self) -> Window:
        return self.desk.window(self.member)

    def _fitted(self, force: bool) -> Compaction:
        """The context in this member's own view."""
        window, asked = self._window, self.asked
        self.desk.serve(self.member)
        given: dict[str, Any] = {"system": asked.system, "tools": asked.tools, "max_output": self.limit}
        fitted = self.desk.compactor.fit(
            asked.messages, **given, forced=force, window=window, model=self.member.model, format=self.desk.format
        )
        size = fitted.receipt.tokens_after
        full = size > window.tokens or 0 in fitted.limits.values()
        if full and not force:  # the breaker was open, or the reply has no room left
            return self._fitted(True)
        if full:
            raise CannotFitError(size, window.tokens)
        return fitted

    def _whole(self, found: Answer, fitted: Compaction, once: bool) -> Generator[Ask, Answer | ModelError, Answer]:
        """The answer as whole as it gets, where it was cut off at its own limit."""

        def make(more: tuple[Wire, ...], limit: int | None) -> dict[str, Any]:
            return self._body(fitted, more, limit)

        limit = next(iter(fitted.limits.values()), None)
        cut = CutOff(self.desk, self.member, make, fitted.receipt, limit, once, self.asked.streamed)
        return (yield from cut.whole(found))

    def _body(self, fitted: Compaction, more: tuple[Wire, ...] = (), limit: int | None = None) -> dict[str, Any]:
        messages = fitted.messages
        if self.bare:
            messages = without(messages, frozenset())
        elif (own := self.desk.reasoning_of(self.member, self.asked.messages)) is not None:
            messages = without(messages, own)
        return body_of(
            self.desk.format,
            self.member.model,
            [*messages, *more],
            system=self.asked.system,
            tools=self.asked.tools,
            max_output=limit or next(iter(fitted.limits.values()), None),
            options=self.member.options,
            window=self._window.tokens,
        )

    def _looked_at(self, given: Answer | ModelError, fitted: Compaction) -> Answer | ModelError:
        """The answer, where it is one: a prompt that was cut, or a reply that ended with the window, is none."""
        if isinstance(given, ModelError):
            return given
        size, window = fitted.receipt.tokens_after, self._window.tokens
        verdict = classify(given.raw, expected_input=size, window=window)
        if given.usage is not None and not self.desk.compactor.take_usage(given.usage):
            verdict = Verdict("silent_truncation", certain=False, row="a prompt cut short")
        if verdict is None or verdict.kind not in _TOO_LARGE:
            return given
        if verdict.kind == "silent_truncation":
            read = given.usage.prompt_tokens if given.usage is not None else 0
            self._note("cut_silently", f"it read {read:,} of about {size:,} tokens", size)
            self._learn(verdict.limit or read)
        return told(verdict, verdict.row, self.member.model)

    def _reaction(self, error: ModelError, fitted: Compaction) -> bool | None:
        """Whether the next context is to be forced smaller; None where nothing else can be sent."""
        verdict, size = verdict_of(error), fitted.receipt.tokens_after
        if verdict.kind in _TOO_LARGE and self._believed(verdict, size):
            if verdict.learned_window is not None:
                self._learn(verdict.learned_window)
            if self.forced >= _FORCED:
                return None
            self.forced += 1
            self._note("compacts", str(error), size)
            return True
        if verdict.kind in ("output_budget", "output_cap") and self._less_output(verdict, size):
            return False
        if verdict.kind == "bad_history" and not self.bare:
            self.bare = True
            self._note("without_reasoning", str(error), size)
            return False
        return None

    def _believed(self, verdict: Verdict, size: int) -> bool:
        return verdict.certain or verdict.kind == "silent_truncation" or size >= _LARGE * self._window.tokens

    def _less_output(self, verdict: Verdict, size: int) -> bool:
        if verdict.limit is None:
            return False
        room = verdict.limit
        if verdict.kind == "output_budget":
            room = room_for_reply(verdict.limit, verdict.observed_input or size)
        if room <= 0 or (self.limit is not None and room >= self.limit):
            return False
        self.limit = room
        if verdict.kind == "output_cap":
            self.desk.limits.learn_output(self.member, verdict.limit)
        elif verdict.named_window is not None:
            self._learn(verdict.named_window)
        self._note("less_output", f"a reply of at most {room:,} tokens is asked for", size)
        return True

    def _learn(self, tokens: int) -> None:
        known = self._window
        if tokens < SMALLEST_WINDOW or (tokens >= known.tokens and known.origin != "default"):
            return
        self._note("learned", f"its window has {tokens:,} tokens, not {known.tokens:,}")
        self.desk.limits.learn_window(self.member, tokens)

    def _note(self, what: Any, why: str, tokens: int = 0) -> None:
        self.desk.note(self.member, what, why, tokens)
