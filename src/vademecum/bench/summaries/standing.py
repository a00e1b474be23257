"""The summaries of a run from its folder alone: what is pending, and going on from answers in files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from vademecum.bench.calls.request import Request
from vademecum.bench.calls.store import Answers, Given
from vademecum.bench.calls.taken import Taken
from vademecum.bench.run import Note
from vademecum.bench.summaries.begun import Begun, pending_in
from vademecum.bench.summaries.desk import Desk
from vademecum.bench.summaries.drive import summarized
from vademecum.bench.summaries.plan import PREFIX, Plan


class Summaries:
    """A run's summary model, as batch files deal with it.

    Args:
        folder: The run.
        plan: How it summarises.
        begun: What it was begun with.
    """

    def __init__(self, folder: Path, plan: Plan, begun: Begun) -> None:
        self.plan = plan
        self._folder = folder
        self._begun = begun

    @staticmethod
    def of(folder: Path) -> Summaries | None:
        """Those of a run; None where no model summarises."""
        plan, begun = Plan.of(folder), Begun.of(folder)
        return None if plan is None or begun is None else Summaries(folder, plan, begun)

    @property
    def answers(self) -> Answers:
        """What is answered."""
        return Answers(self._folder, PREFIX)

    def pending(self) -> list[Request]:
        """The requests that have no answer yet."""
        answers = self.answers
        return [request for request in pending_in(self._folder) if request.id not in answers]

    def allowed(self) -> list[Request]:
        """As many of them as the run may still make."""
        pending = self.pending()
        return pending if self._begun.most is None else pending[: max(0, self._begun.most - len(self.answers))]

    def take(self, given: Iterable[Given], note: Note | None = None) -> Taken:
        """Takes answers, whatever their order, and does what they make possible.

        Args:
            given: What came back for calls of this model.
            note: Told of each result that is tried.

        Raises:
            ConfigError: What the run was made of is gone; the answers are kept.
        """
        done = Taken()
        answers, waiting = self.answers, dict[str, Given]()
        asked = {request.id for request in self.pending()}
        for one in given:
            if one.fault:
                done.faults[one.fault] += 1
                if one.id in asked:
                    answers.add(one)
            elif one.id in answers or one.id in waiting:
                done.known += 1
            else:
                waiting[one.id] = one
        answers.save()
        while ready := [id for id in waiting if id in asked]:
            desk = Desk(self._folder, self.plan, most=self._begun.most)
            done.taken += desk.take(waiting.pop(id) for id in ready)
            summarized(self._begun.run(self._folder), desk, note=note)
            asked = {*desk.pending}
        done.unknown = len(waiting)
        return done
