"""Unrolls a lineage for an arm: row by row, a compaction before each request whose context crossed the trigger."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

from vademecum.bench.answerers.reader import Read
from vademecum.bench.arms.arm import Kept, Row
from vademecum.bench.passages import reading_of
from vademecum.bench.simulation.answers import Question, recall_of, said_to, stale_of
from vademecum.bench.simulation.cycle import END, Cycle, end_state, is_stuck
from vademecum.bench.simulation.floor import floor_of
from vademecum.bench.simulation.held import held
from vademecum.bench.simulation.pool import Pool
from vademecum.bench.simulation.setting import Setting
from vademecum.core.messages import Message
from vademecum.core.tokens import TokenCounter
from vademecum.models.tokenizer import count_tokens

#: Told of the compactions made, the messages taken, and how many there are.
Note = Callable[[int, int, int], None]
#: Recall, and stale answers.
Answered = tuple[dict[str, Any], dict[str, int]]
#: Messages seen, whether there was a search, and a hash of the context → what was answered.
Known = dict[tuple[int, bool, str], Answered]


def simulate(
    pool: Pool, row: Row, setting: Setting, note: Note | None = None, known: Known | None = None
) -> Iterator[dict[str, Any]]:
    """One arm on a lineage: a line for each compaction, and a last one for how it ended.

    Args:
        pool: The lineage, with questions about it where some are asked.
        row: The arm.
        setting: Trigger, window, seed.
        note: Told of progress.
        known: What was answered in this setting, for arms that come to the same contexts.

    Returns:
        JSON data, `vademecum.bench.cycle/1` and last `vademecum.bench.end_state/1`.
    """
    run = _Simulation(pool, row, setting, {} if known is None else known)
    told, total = 0, pool.size(setting.passes)
    for message, size, begins in _rows(pool, setting.passes, run.counter):
        if begins and not run.request():
            break
        run.take(message, size)
        while told < len(run.cycles) - 1:  # the newest one still gathers its requests
            yield run.cycles[told].as_dict()
            told += 1
        if note is not None and run.seen % 50 == 0:
            note(len(run.cycles), run.seen, total)
    yield from (cycle.as_dict() for cycle in run.cycles[told:])
    yield run.end()


def _rows(pool: Pool, passes: int, counter: TokenCounter) -> Iterator[tuple[Message, int, bool]]:
    """The messages, their tokens, and whether a request comes before them; one pass is held at a time."""
    role = "assistant"
    for messages in pool.taken(passes):
        for message, size in zip(messages, counter.messages(messages), strict=True):
            yield message, size, message.role == "assistant" != role
            role = message.role


class _Simulation:
    """An arm on its way through a lineage."""

    def __init__(self, pool: Pool, row: Row, setting: Setting, known: Known) -> None:
        self._pool, self._row, self._setting, self._known = pool, row, setting, known
        self._budget = setting.budget(row)
        self.counter = TokenCounter(count_tokens)
        self._held = held(row, pool.lineage, self._budget, self.counter, setting.seed)
        self.cycles: list[Cycle] = []
        self._first: list[Question] | None = None
        self.seen = self._size = self._rows = self._consumed = self._requests = self._billed = 0

    @property
    def _trigger(self) -> int:
        return self._budget.acting_trigger

    def take(self, message: Message, size: int) -> None:
        """One more message, and its tokens."""
        self._held.take(message)
        self._size += size
        self._consumed += size
        self.seen += 1
        self._rows += 1

    def request(self) -> bool:
        """Compacts where that is due, and counts the request; False when the simulation is over."""
        if self._size > self._trigger:
            if self._setting.cycles and len(self.cycles) == self._setting.cycles:
                return False
            kept = self._held.compacted()
            if kept is not None:
                self._compacted(kept)
                if is_stuck(self.cycles, self._trigger):
                    return False
        self._requests += 1
        self._billed += self._size
        if self.cycles:
            self.cycles[-1].requests += 1
            self.cycles[-1].billed += self._size
        return True

    def _compacted(self, kept: Kept) -> None:
        after = sum(self.counter.messages(kept.messages))
        cycle = Cycle(
            arm=self._row.name,
            cycle=len(self.cycles) + 1,
            before=self._size,
            after=after,
            floor=floor_of(kept.messages, self.counter),
            rows=self._rows,
            consumed=self._consumed,
            details=dict(kept.details),
        )
        if self._setting.asks_after(cycle.cycle):
            cycle.recall, cycle.stale = self._asked(reading_of(kept.messages))
        self.cycles.append(cycle)
        self._size, self._rows = after, 0

    def _asked(self, text: str) -> Answered:
        """What comes of asking, with a context; arms that know the same and search the same answer the same."""
        asked = self._pool.asked(self.seen, self._setting.probes)
        if self._first is None:
            self._first = asked
        key = (self.seen, self._row.searches, hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())
        if key not in self._known:
            session = self._held.searchable() if self._row.searches else None
            again = self._pool.again(self._first, self.seen)
            every = list({one.probe.id: one for one in (*again, *asked)}.values())
            read = Read(text)
            said = said_to(every, read, session, self._pool.everything(self.seen, every))
            recall = recall_of([said[one.probe.id] for one in asked], [said[one.probe.id] for one in again])
            self._known[key] = recall, stale_of(self._pool.settings(self.seen), read)
        return self._known[key]

    def end(self) -> dict[str, Any]:
        """How it ended, with totals."""
        afters = [cycle.after for cycle in self.cycles]
        freed = [cycle.freed for cycle in self.cycles]
        return {
            "schema": END,
            "arm": self._row.name,
            "end_state": end_state(self.cycles, self._trigger),
            "trigger": self._trigger,
            "window": self._budget.window.tokens,
            "cycles": len(self.cycles),
            "messages": self.seen,
            "consumed": self._consumed,
            "requests": self._requests,
            "billed": self._billed,
            "floor": {
                "first": afters[0] if afters else 0,
                "fifth": afters[min(5, len(afters)) - 1] if afters else 0,
                "last": afters[-1] if afters else 0,
                "most": max(afters, default=0),
            },
            "freed": {
                "first": round(freed[0], 4) if freed else 0.0,
                "last_three": round(sum(freed[-3:]) / len(freed[-3:]), 4) if freed else 0.0,
                "least": round(min(freed), 4) if freed else 0.0,
            },
        }
