"""A reply that was cut off at its own output limit: asked for once more with a larger one, then continued (M-7)."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

from vademecum.chain.ask import Ask
from vademecum.chain.desk import Desk
from vademecum.chain.member import Member
from vademecum.core.budget import margin
from vademecum.core.loops import repeats_itself
from vademecum.core.messages import Wire
from vademecum.core.receipt import Receipt
from vademecum.errors import ModelError
from vademecum.models.clients import Answer
from vademecum.models.clients.joining import joined
from vademecum.models.errors import classify
from vademecum.wire import dialect

#: Continuations of one reply.
_CONTINUATIONS = 3
#: Where the model's own cap is not known, so many times the limit is asked for, and at least so much.
_MORE, _LEAST = 4, 8_192
#: Less room for a continuation than that is none.
_FEWEST = 64


class Making(Protocol):
    """Makes the request's body with messages added at its end, and an output limit of its own."""

    def __call__(self, more: tuple[Wire, ...], limit: int | None) -> dict[str, Any]:
        """The body."""
        ...


@dataclass(slots=True)
class CutOff:
    """What is done about one reply.

    Attributes:
        desk: What the chain has at hand.
        member: Who gave it.
        make: Makes bodies.
        receipt: What was done to the context that it read.
        limit: The output limit that it had; None for the provider's own.
        once: Whether requests are not to be sent again by the client.
        streamed: Whether its pieces were given out already, so that it cannot be written anew.
    """

    desk: Desk
    member: Member
    make: Making
    receipt: Receipt
    limit: int | None
    once: bool
    streamed: bool

    def whole(self, answer: Answer) -> Generator[Ask, Answer | ModelError, Answer]:
        """The answer, as whole as it gets."""
        if not self._was_cut(answer):
            return answer
        wider = None if self.streamed else self._wider(answer)
        if wider is not None:
            self._note("more_output", f"a reply of at most {wider:,} tokens is asked for")
            given = yield Ask(self.member, self.make((), wider), self.once)
            if not isinstance(given, ModelError):
                self.desk.compactor.observe(given.raw)
                answer, self.limit = given, wider
        if not self._was_cut(answer):
            return answer
        return (yield from self._continued(answer))

    def _continued(self, first: Answer) -> Generator[Ask, Answer | ModelError, Answer]:
        answers = [first]
        for number in range(_CONTINUATIONS):
            end = self._end(answers)
            if end:
                self._note("cut_off", end)
                break
            self._note("goes_on", f"continuation {number + 1} of at most {_CONTINUATIONS}")
            more = (*first.messages, *self._said(answers[1:]), dialect(self.desk.format).user([_go_on()]))
            body = self.make(more, min(self.limit or _LEAST, self._room(answers)))
            given = yield Ask(self.member, body, self.once, goes_on=True)
            if isinstance(given, ModelError):
                self._note("cut_off", str(given))
                break
            self._take(given)
            answers.append(given)
            if not self._was_cut(given):
                return joined(self.desk.format, answers)
        else:
            self._note("cut_off", f"it does not end after {_CONTINUATIONS} continuations")
        return replace(joined(self.desk.format, answers), finish="length")

    def _said(self, answers: list[Answer]) -> list[Wire]:
        """The continuations so far, each after what asked for it: the prefix stays as it was sent."""
        asked = dialect(self.desk.format).user([_go_on()])
        return [row for answer in answers for row in (asked, *answer.messages)]

    def _end(self, answers: list[Answer]) -> str:
        """Why nothing is asked for any more; empty where something is."""
        last = answers[-1]
        if not last.text.strip():
            return "it has no text that could be continued"
        if last.finish == "tool_call" or last.calls:
            return "it was cut off within a call"
        if repeats_itself(last.text):
            return "it repeats itself"
        return "" if self._room(answers) >= _FEWEST else "there is no room in the window for more"

    def _room(self, answers: list[Answer]) -> int:
        """Tokens that a further reply may have."""
        window = self.desk.window(self.member).tokens
        wrote = sum(answer.usage.output_tokens if answer.usage else len(answer.text) // 3 for answer in answers)
        asked = len(_go_on()) * len(answers)  # more than its tokens
        return window - margin(window) - self.receipt.tokens_after - wrote - asked

    def _wider(self, answer: Answer) -> int | None:
        """The larger limit; None where the model or its window has no more."""
        wrote = answer.usage.output_tokens if answer.usage is not None else 0
        limit = self.limit or wrote
        cap, window = self.desk.limits.most_output(self.member), self.desk.window(self.member).tokens
        wanted = cap or max(_MORE * limit, _LEAST)
        found = min(wanted, window - margin(window) - self.receipt.tokens_after)
        return found if limit and found > limit else None

    def _was_cut(self, answer: Answer) -> bool:
        verdict = classify(answer.raw, window=self.desk.window(self.member).tokens)
        return verdict is not None and verdict.kind == "output_truncated"

    def _take(self, answer: Answer) -> None:
        """Counts what it cost; it is no size of the context, which had more at its end."""
        session = self.desk.compactor.session
        if answer.usage is not None and session is not None:
            session.record_usage(answer.usage, cycle=self.receipt.cycle, at=self.desk.now())

    def _note(self, what: Any, why: str) -> None:
        self.desk.note(self.member, what, why, self.receipt.tokens_after)


@cache
def _go_on() -> str:
    return files("vademecum.chain").joinpath("go_on.md").read_text("utf-8").split("---\n", 2)[2].strip()
