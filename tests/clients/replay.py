"""Replaying requests through `fit`, and what is counted and demanded on the way."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from clients.judging import is_carry, ours, sent_texts
from vademecum import Compaction, Compactor
from vademecum.compactor.marks import count_marks
from vademecum.core.messages import Message, Wire
from vademecum.core.tokens import TokenCounter
from vademecum.models.tokenizer import count_tokens
from vademecum.wire import dialect
from vademecum.wire.values import encoded

COUNTER = TokenCounter(count_tokens)
#: A message by its identity, and its bytes.
Sized = tuple[bytes, int]


@dataclass
class Tally:
    """What happened to one lineage.

    Attributes:
        requests: Requests that were fitted.
        planned: Compactions that were planned and applied.
        unhelpful: Plans that were not applied.
        reapplied: Requests whose context stood on a compaction made before.
        shares: For each request on the same compaction as the one before, how much of that one it begins with.
        clients: The same of what the client sent.
        wrong: What must not be.
    """

    requests: int = 0
    planned: int = 0
    unhelpful: int = 0
    reapplied: int = 0
    shares: list[float] = field(default_factory=list)
    clients: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))

    def line(self, name: str) -> str:
        return (
            f"{name:40} requests {self.requests:4}  planned {self.planned:3}  not applied {self.unhelpful:2}  "
            f"re-applied {self.reapplied:4}  prefix {mean(self.shares):6.1%}  client's own {mean(self.clients):6.1%}"
        )


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 1.0


class Judge:
    """Judges each request of one lineage after it was fitted.

    Args:
        format: The wire format.
        window: The window that nothing may exceed.
    """

    def __init__(self, format: str, window: int) -> None:
        self._dialect = dialect(format)
        self._window = window
        self._sent: list[Sized] = []
        self._raw: list[Sized] = []
        self.tally = Tally()

    def judge(self, done: Compaction, messages: Sequence[Wire], outside: tuple[object, ...] = ()) -> None:
        """Notes and demands what is to be noted and demanded of a request."""
        tally, receipt = self.tally, done.receipt
        tally.requests += 1
        applied = done.plan is not None and done.plan.applies
        tally.planned += applied
        tally.unhelpful += done.plan is not None and not applied
        tally.reapplied += receipt.cycle > 0 and not applied
        raw = [self._dialect.load(wire, at) for at, wire in enumerate(messages)]
        sent = [self._dialect.load(wire, at) for at, wire in enumerate(done.messages)]
        if receipt.failure:
            tally.wrong.append(f"request {tally.requests}: {receipt.failure}")
        tally.wrong += [f"request {tally.requests}: {text}" for text in ours(self._dialect, sent, raw)]
        size = sum(COUNTER.messages(sent)) + sum(COUNTER.texts([json.dumps(item) for item in outside if item]))
        if size > self._window:
            tally.wrong.append(f"request {tally.requests}: {size} tokens, the window has {self._window}")
        if not sent_texts(sent, newest_typed(raw)):
            tally.wrong.append(f"request {tally.requests}: the newest text of the user is not there")
        if receipt.cycle == 0 and done.messages is not messages:
            tally.wrong.append(f"request {tally.requests}: nothing was needed, and the list is another one")
        if self._dialect.name == "anthropic" and receipt.cycle:
            tally.wrong += [f"request {tally.requests}: {text}" for text in wrong_marks(sent, raw, outside)]
        sizes = [(message.identity, len(encoded(message.wire))) for message in sent]
        came = [(message.identity, len(encoded(message.wire))) for message in raw]
        if self._sent and not applied:
            tally.shares.append(repeated(self._sent, sizes))
            tally.clients.append(repeated(self._raw, came))
        self._sent, self._raw = sizes, came


def wrong_marks(sent: Sequence[Message], raw: Sequence[Message], outside: Sequence[object]) -> list[str]:
    """Marks that are too many, lost, or old: only on the carry, on the last message, or where the client has one."""
    there = [count_marks(message.wire) for message in sent]
    theirs = sum(count_marks(message.wire) for message in raw)
    total = sum(there) + sum(map(count_marks, outside))
    found = [f"{total} marks"] if total > max(4, theirs + sum(map(count_marks, outside))) else []
    if theirs and not any(there):
        found.append("every mark is lost")
    kept = {message.identity for message in raw if count_marks(message.wire)}
    places = [at for at, count in enumerate(there) if count and at != len(sent) - 1]
    found += [f"a mark on message {at}" for at in places if not (is_carry(sent[at]) or sent[at].identity in kept)]
    return found


def repeated(before: Sequence[Sized], now: Sequence[Sized]) -> float:
    """Share of a request that the next one begins with; marks that move are no change to a provider's cache."""
    same = 0
    while same < min(len(before), len(now)) and before[same][0] == now[same][0]:
        same += 1
    return sum(size for _, size in before[:same]) / sum(size for _, size in before)


def newest_typed(raw: Sequence[Message]) -> list[str]:
    """The newest texts that a person typed."""
    newest = next((message for message in reversed(raw) if message.typed), None)
    return [] if newest is None else [part.text for part in newest.parts if part.typed]


def restarted(compactor: Compactor, **arguments: Any) -> Compactor:
    """What another process has after this one ended: a compactor on the same session, read anew."""
    session = compactor.session
    assert session is not None
    return Compactor(session=session.archive.existing(session.id), **arguments)
