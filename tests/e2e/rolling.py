"""Rolling use: a whole lineage row by row through `fit`, and what is counted on the way, apart from the product."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import quantiles
from typing import Any

from clients.judging import ours, sent_texts
from vademecum import Archive, Compactor
from vademecum.core.messages import Message
from vademecum.core.tokens import TokenCounter
from vademecum.models.tokenizer import count_tokens
from vademecum.wire import dialect

FORMAT = "openai-chat"


@dataclass(frozen=True)
class Cycle:
    """One compaction: sizes, and tokens of the user's newest text, which stays word for word."""

    before: int
    after: int
    overhead: int
    trigger: int
    newest_user: int
    outcome: str

    @property
    def freed(self) -> float:
        """Share of what lies between overhead and trigger that it freed, the newest user text not counted."""
        movable = self.trigger - self.overhead - self.newest_user
        return (self.before - self.after) / movable if movable > 0 else 1.0


@dataclass
class Rolling:
    """What happened to one lineage at one window."""

    requests: int = 0
    cycles: list[Cycle] = field(default_factory=list)
    unhelpful: int = 0
    above_window: int = 0
    invalid: list[str] = field(default_factory=list)
    newest_missing: int = 0
    failures: list[str] = field(default_factory=list)
    times_ms: list[float] = field(default_factory=list)

    def floor(self, number: int) -> int:
        """Size right after the compaction of that number, counted from 1; -1 for the last."""
        if not self.cycles:
            return 0
        return self.cycles[min(number, len(self.cycles)) - 1 if number > 0 else number].after

    def as_dict(self) -> dict[str, Any]:
        """The figures for the record."""
        cuts = quantiles(self.times_ms, n=20) if len(self.times_ms) > 1 else [0.0] * 19
        return {
            "requests": self.requests,
            "cycles": len(self.cycles),
            "unhelpful": self.unhelpful,
            "floor_5th": self.floor(5),
            "floor_last": self.floor(-1),
            "floor_max": max((cycle.after for cycle in self.cycles), default=0),
            "floor_ratio": round(self.floor(-1) / self.floor(5), 3) if self.cycles else 0.0,
            "freed_min": round(min((cycle.freed for cycle in self.cycles), default=1.0), 3),
            "above_window": self.above_window,
            "invalid": len(self.invalid),
            "newest_user_missing": self.newest_missing,
            "failures": len(self.failures),
            "fit_ms": {
                "median": round(cuts[9], 2),
                "p95": round(cuts[18], 2),
                "max": round(max(self.times_ms, default=0.0), 1),
            },
        }


class Roller:
    """Takes rows one by one and calls `fit` before each row of the assistant.

    Args:
        window: The window.
        archive: Where the session is to be.
        clock: Seconds that only grow; without one nothing is timed.
    """

    def __init__(self, window: int, archive: Archive, clock: Callable[[], float] = lambda: 0.0) -> None:
        self.compactor = Compactor(window=window, session=archive.session("rolling", format=FORMAT))
        self.window = window
        self._clock = clock
        self.found = Rolling()
        self._counter = TokenCounter(count_tokens)
        self._rows: list[Any] = []
        self._loaded: list[Message] = []

    def roll(self, rows: Sequence[Any]) -> Rolling:
        """Goes on with these rows."""
        for row in rows:
            if row["role"] == "assistant" and self._rows:
                self._request()
            self._rows.append(row)
            self._loaded.append(dialect(FORMAT).load(row, len(self._loaded)))
        return self.found

    def _request(self) -> None:
        started = self._clock()
        done = self.compactor.fit(self._rows)
        self.found.times_ms.append((self._clock() - started) * 1000)
        self.found.requests += 1
        receipt = done.receipt
        if receipt.failure:
            self.found.failures.append(receipt.failure)
        newest = next((message for message in reversed(self._loaded) if message.typed), None)
        sent = [dialect(FORMAT).load(wire, index) for index, wire in enumerate(done.messages)]
        wanted = [part.text for part in newest.parts if part.typed] if newest is not None else []
        if done.plan is not None and done.plan.applies:
            size = sum(self._counter.texts(wanted))
            self.found.cycles.append(
                Cycle(
                    receipt.tokens_before,
                    receipt.tokens_after,
                    receipt.overhead_tokens,
                    receipt.trigger_tokens,
                    size,
                    receipt.outcome,
                )
            )
            if sum(self._counter.messages(sent)) > self.window:
                self.found.above_window += 1
        elif done.plan is not None:
            self.found.unhelpful += 1
        self.found.above_window += receipt.tokens_after > self.window
        self.found.invalid += ours(dialect(FORMAT), sent, self._loaded)
        self.found.newest_missing += not sent_texts(sent, wanted)
