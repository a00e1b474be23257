"""Measuring a context: by the provider's own figure and what came since, else by our count on the model's scale."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vademecum.archive import Session
from vademecum.compactor.calibrations import Calibrations
from vademecum.compactor.memory import Memory
from vademecum.core.meter import Measured, TokenOrigin
from vademecum.core.scale import Scale
from vademecum.core.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Measuring:
    """Whose contexts are measured.

    Attributes:
        session: The session.
        view: The view of it.
        model: The model that is asked; empty where none is named.
        counted: Whether a tokenizer counts, and not an estimate by characters.
    """

    session: Session
    view: str
    model: str = ""
    counted: bool = True

    def of(self, transcript: Transcript, outside: int, cycle: int, window: int, count: Callable[[], int]) -> Measured:
        """The size of a context (C-9…C-13).

        Args:
            transcript: The whole transcript, as the caller has it.
            outside: Our count of the system text and tools that stand outside the messages.
            cycle: The cycle that the context stands on.
            window: The model's limit: no report of one request is above it.
            count: Counts the whole context; asked only where no report holds, so that a request costs what is new.
        """
        scale = Calibrations(self.session).of(self.model, outside).scale
        anchor = Memory(self.session, self.view).anchor()
        if anchor is None or not anchor.holds(transcript.nodes, cycle, window, self.model):
            whole = count()
            return Measured(scale.size(whole), self.origin(scale), whole, scale)
        since = sum(transcript.sizes[anchor.messages :])
        if not anchor.counted:  # of an older version
            return Measured(anchor.tokens + scale.share(since), "reported", count(), scale)
        # Tools that were revealed meanwhile are a step of their own.
        size = anchor.tokens + scale.share(since + outside - anchor.outside)
        whole = outside + anchor.counted + since
        return Measured(size, "reported", whole, scale.through(whole, size))

    def origin(self, scale: Scale) -> TokenOrigin:
        """Where a size on a scale comes from while nothing was reported for it."""
        return "counted" if self.counted and scale.is_own else "estimated"
