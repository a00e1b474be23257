"""A job: one request to a session, and the figures that decide about it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vademecum.archive import Session, StoredCompaction
from vademecum.compactor.calibrations import Calibrations
from vademecum.compactor.context import before_of
from vademecum.compactor.measuring import Measuring
from vademecum.compactor.memory import MAIN, Memory
from vademecum.compactor.options import Options
from vademecum.core.meter import Measured
from vademecum.core.pins import Pin, honoured
from vademecum.core.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Job:
    """One request to a session.

    Attributes:
        session: The session.
        transcript: The whole transcript, as the caller has it.
        outside: Tokens of the system text and of the tools that stand outside the messages.
        options: How to compact.
        view: The view of the session whose context is wanted.
        forced: Compact although the trigger is not reached.
        marks: Cache marks outside the messages.
        beside: System text and tools that stand outside the messages, as the caller gave them; None where that is
            not known.
    """

    session: Session
    transcript: Transcript
    outside: tuple[int, int]
    options: Options
    view: str = MAIN
    forced: bool = False
    marks: int = 0
    beside: tuple[object, object] | None = None

    @property
    def memory(self) -> Memory:
        """What the session remembers of the view."""
        return Memory(self.session, self.view)

    @property
    def overhead(self) -> int:
        """Our count of what stands in every request: system text, tools, leading system rows."""
        return sum(self.outside) + sum(self.transcript.sizes[: self.transcript.head])

    def focused(self, focus: str) -> Job:
        """The job with a focus of its own; the same where that is empty."""
        return replace(self, options=replace(self.options, focus=focus)) if focus else self

    def pins(self) -> tuple[tuple[Pin, ...], tuple[Pin, ...]]:
        """What has to stay word for word, and the pins that there is no room for under the cap."""
        return honoured(self.session.pins(count=self.options.counter.texts), self.options.pin_cap)

    @property
    def cold(self) -> bool:
        """Whether the provider has let go of its cache: nothing was asked for longer than it keeps one (C-40)."""
        known = Calibrations(self.session)
        seconds = known.family(self.options.model).cache_seconds
        return known.last is not None and self.options.now() - known.last > seconds

    @property
    def measuring(self) -> Measuring:
        """Measures the session's contexts."""
        counted = self.options.counter.origin == "counted"
        return Measuring(self.session, self.view, self.options.model, counted)

    def measured(self, standing: StoredCompaction | None) -> Measured:
        """The size of the context that stands."""
        return self.measuring.of(
            self.transcript,
            sum(self.outside),
            0 if standing is None else standing.cycle,
            self.options.budget.window.tokens,
            lambda: before_of(self.transcript, self.outside, standing, self.session, self.options.counter),
        )
