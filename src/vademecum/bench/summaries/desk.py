"""Where a run's requests for summaries go: to an earlier answer, to a model, or onto the list of what is pending."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from vademecum.bench.calls.request import Request
from vademecum.bench.calls.store import Answers, Ask, Given
from vademecum.bench.summaries.plan import PREFIX, Plan
from vademecum.errors import ModelError


class Desk:
    """The answers of a run's summary model.

    Args:
        folder: The run.
        plan: How it summarises.
        ask: Answers a request; None where answers come from files, or from an earlier time.
        most: How many calls the run may make in all, those answered before included; None for any number.
        clock: Seconds that only grow.

    Attributes:
        plan: How it summarises.
        most: How many calls the run may make in all.
        pending: Id → requests that have no answer yet, in the order in which they were made.
        faults: Why → how many calls brought no text this time.
        refused: How many requests were not sent, since no more calls are allowed.
        broken: Why the model does not answer at all.
        waited: Seconds that went by in calls this time.
    """

    def __init__(
        self,
        folder: Path,
        plan: Plan,
        *,
        ask: Ask | None = None,
        most: int | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.plan = plan
        self.pending: dict[str, Request] = {}
        self.faults: Counter[str] = Counter()
        self.refused = 0
        self.broken: ModelError | None = None
        self.waited = 0.0
        self.most = most
        self._ask, self._clock = ask, clock
        self._answers = Answers(folder, PREFIX)
        self._times = folder / f"{PREFIX}calls.timing.json"
        self._seconds: dict[str, float] = json.loads(self._times.read_text("utf-8")) if self._times.exists() else {}
        self._lost: set[str] = set()

    def given(self, request: Request) -> Given | None:
        """The answer to a request; None where it is pending. One that brought no text is not sent again this time."""
        held = self._answers.given(request.id)
        if held is None:
            held = self._asked(request)
        if held is None:
            self.pending.setdefault(request.id, request)
        else:
            self.pending.pop(request.id, None)
        return held

    def _asked(self, request: Request) -> Given | None:
        if self._ask is None or self.broken is not None or request.id in self._lost:
            return None
        if self.most is not None and len(self._answers) + len(self._lost) >= self.most:
            self.refused += request.id not in self.pending
            return None
        started = self._clock()
        try:
            given = self._ask(request)
        except ModelError as error:
            self.broken = error
            return None
        took = self._clock() - started
        self.waited += took
        self._seconds[request.id] = round(took, 3)
        self._kept(given)
        self.save()
        return self._answers.given(request.id)

    def take(self, given: Iterable[Given]) -> int:
        """Takes answers that came in files; those to nothing that this run asks do no harm.

        Returns:
            How many were new.
        """
        before = len(self._answers)
        for one in given:
            if not one.id:
                self.faults[one.fault] += 1
            elif one.id.startswith("summarizer-") and one.id not in self._answers:
                self._kept(one)
        self.save()
        return len(self._answers) - before

    def room(self) -> int | None:
        """How many more calls are allowed; None for any number."""
        return None if self.most is None else max(0, self.most - len(self._answers))

    def seconds(self, id: str) -> float:
        """How long a call took, 0 where nobody measured it."""
        return self._seconds.get(id, 0.0)

    def save(self) -> None:
        """Writes what there is."""
        self._answers.save()
        if self._seconds:
            part = self._times.with_suffix(".part")
            part.write_text(json.dumps(dict(sorted(self._seconds.items())), indent=1) + "\n", "utf-8")
            part.replace(self._times)

    def _kept(self, given: Given) -> None:
        self._answers.add(given)
        if given.fault:
            self.faults[given.fault] += 1
            self._lost.add(given.id)
