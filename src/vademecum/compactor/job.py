"""A job: one request to a session, and the figures that decide about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from vademecum.archive import Session, StoredCompaction
from vademecum.compactor.calibrations import Calibrations
from vademecum.compactor.context import before_of
from vademecum.compactor.memory import MAIN, Memory
from vademecum.compactor.options import Options
from vademecum.core.meter import Measured, TokenOrigin
from vademecum.core.pins import Pin, honoured
from vademecum.core.scale import Scale
from vademecum.core.transcript import Transcript


@dataclass(frozen=True)
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
    """

    session: Session
    transcript: Transcript
    outside: tuple[int, int]
    options: Options
    view: str = MAIN
    forced: bool = False
    marks: int = 0

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

    @cached_property
    def calibrations(self) -> Calibrations:
        """What the session has learned of its models' sizes."""
        return Calibrations(self.session)

    @cached_property
    def cold(self) -> bool:
        """Whether the provider has let go of its cache: nothing was asked for longer than it keeps one (C-40)."""
        last, seconds = self.calibrations.last, self.calibrations.family(self.options.model).cache_seconds
        return last is not None and self.options.now() - last > seconds

    def measured(self, standing: StoredCompaction | None) -> Measured:
        """The context's size: the provider's own figure and what came since, else our count on its scale."""
        outside, sizes = sum(self.outside), self.transcript.sizes
        scale = self.calibrations.of(self.options.model, outside).scale
        anchor = self.memory.anchor()
        cycle = 0 if standing is None else standing.cycle
        window = self.options.budget.window.tokens
        if anchor is not None and anchor.holds(self.transcript.nodes, cycle, window, self.options.model):
            since = sum(sizes[anchor.messages :])
            # Tools that were revealed meanwhile are a step of their own.
            more = outside - anchor.outside if anchor.counted else 0
            size = anchor.tokens + scale.share(since + more)
            if anchor.counted:
                whole = outside + anchor.counted + since
                return Measured(size, "reported", whole, scale.through(whole, size))
            return Measured(size, "reported", self._before(standing), scale)
        whole = self._before(standing)
        return Measured(scale.size(whole), self.origin(scale), whole, scale)

    def origin(self, scale: Scale) -> TokenOrigin:
        """Where a size on a scale comes from while nothing was reported for it."""
        return "counted" if self.options.counter.origin == "counted" and scale.is_own else "estimated"

    def _before(self, standing: StoredCompaction | None) -> int:
        return before_of(self.transcript, self.outside, standing, self.session, self.options.counter)
