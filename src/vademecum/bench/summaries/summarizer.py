"""What an arm is given as its summariser: the product's own, before a model whose calls are kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from vademecum.bench.calls.request import Request, request_id
from vademecum.bench.calls.store import Given
from vademecum.bench.summaries.desk import Desk
from vademecum.core.redacted import redacted_message
from vademecum.core.requests import Summarize, SummaryReply, Unavailable
from vademecum.core.tokens import TokenCounter
from vademecum.models.model import Prompt, Reply
from vademecum.redaction import Redactor
from vademecum.redaction.mark import MARK
from vademecum.summarizers import StructuredSummarizer


class KeptModel:
    """A model whose answers stand in a run's folder, or are still to come.

    Args:
        desk: Where its requests go.
        replicate: From 0; each asks anew.

    Attributes:
        used: What was asked and answered so far, and the answers.
        waiting: Whether an answer is still to come, so that nothing that follows means anything.
    """

    def __init__(self, desk: Desk, replicate: int = 0) -> None:
        self._desk = desk
        self._replicate = replicate
        self.used: list[tuple[Prompt, Given]] = []
        self.waiting = False

    @property
    def name(self) -> str:
        """Its name, as results show it."""
        return self._desk.plan.model

    @property
    def window(self) -> int:
        """Its limit in tokens."""
        return self._desk.plan.window

    def complete(self, prompt: Prompt) -> Reply:
        """The answer that is kept; an empty one, which no check lets pass, where it is still to come."""
        about = (prompt.system, prompt.user, prompt.max_tokens, self._replicate)
        id = request_id("summarizer", *about)
        limit = min(prompt.max_tokens, self._desk.plan.max_tokens or prompt.max_tokens)
        given = self._desk.given(Request(id, "summarizer", prompt.system, prompt.user, limit))
        if given is None:
            self.waiting = True
            return Reply("", "other")
        self.used.append((prompt, given))
        return Reply(given.text, given.finish, given.input + given.cached, given.output)


class KeptSummarizer:
    """Answers an arm's requests for summaries, and counts what they cost.

    Args:
        desk: Where its requests go.
        counter: What counts tokens.
        replicate: From 0.
    """

    def __init__(self, desk: Desk, counter: TokenCounter, replicate: int = 0) -> None:
        self._desk = desk
        self._counter = counter
        self._model = KeptModel(desk, replicate)
        self._write = StructuredSummarizer(self._model, counter.texts)

    @property
    def window(self) -> int:
        """The model's limit in tokens; policies may heed it."""
        return self._model.window

    @property
    def waiting(self) -> bool:
        """Whether an answer is still to come: then what the arm keeps is no result."""
        return self._model.waiting

    def __call__(self, ask: Summarize) -> SummaryReply | Unavailable:
        """The summary; the requests for all stretches of a region are made at once."""
        if self.waiting:  # what would be asked next depends on what is still to come
            return Unavailable("an answer is still to come")
        return self._write(_repeatable(ask))

    def seconds(self) -> float:
        """How long its calls took when they were made."""
        return sum(self._desk.seconds(given.id) for _, given in self._model.used)

    def usage(self) -> dict[str, Any]:
        """Calls and tokens: as the model told them, or counted where it told nothing."""
        used = self._model.used
        told = all(given.input or given.cached for _, given in used)
        read = [given.input for _, given in used]
        wrote = [given.output for _, given in used]
        if not told:
            read = list(self._counter.texts([f"{prompt.system}\n{prompt.user}" for prompt, _ in used]))
            wrote = list(self._counter.texts([given.text for _, given in used]))
        return {
            "calls": len(used),
            "input": sum(read),
            "output": sum(wrote),
            "cached": sum(given.cached for _, given in used) if told else 0,
            "origin": "reported" if told and used else "counted",
        }


def _repeatable(ask: Summarize) -> Summarize:
    """A request without secrets, whoever asks, and with the same text each time.

    An archive marks secrets by hashes under a salt of its own, which no later process knows; here the marks are
    numbered in the order in which they stand.
    """
    numbers: dict[str, str] = {}
    bare = Redactor()

    def marks(text: str) -> str:
        return MARK.sub(lambda found: numbers.setdefault(found[0], f"{found[0][:-7]}{len(numbers):06x}]"), text)

    messages = [redacted_message(message, bare) for message in ask.messages]
    told = [
        replace(message, parts=tuple(replace(part, text=marks(part.text)) for part in message.parts))
        for message in messages
    ]
    return replace(ask, messages=tuple(told), earlier=marks(bare(ask.earlier)), focus=bare(ask.focus))
