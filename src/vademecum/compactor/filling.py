"""What fills a context: its tokens by category, beside the window, the trigger and the target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vademecum.archive import Archive
from vademecum.compactor.calibrations import Calibrations
from vademecum.compactor.envelope import Envelope
from vademecum.compactor.intake import known_of
from vademecum.compactor.measuring import Measuring
from vademecum.compactor.memory import MAIN
from vademecum.compactor.once import outside_tokens
from vademecum.core.budget import LARGEST_WINDOW, Budget
from vademecum.core.case import leading_system_rows
from vademecum.core.messages import Message
from vademecum.core.meter import categories
from vademecum.core.phases import phase_advice
from vademecum.core.pins import Pin
from vademecum.core.scale import OWN_SCALE, Scale
from vademecum.core.tokens import TokenCounter
from vademecum.sessions import read_chat


@dataclass(frozen=True, slots=True)
class Context:
    """A context as it stands.

    Attributes:
        messages: Its messages.
        outside: Tokens of the system text and of the tools that stand outside them.
        floor: Its size right after the last compaction; None before the first one.
        cycle: The number of that compaction, 0 for none.
        pins: What stays word for word.
        phase: Advice to begin a new phase, where it is time for one.
        scale: Between our count of it and the model's.
        reported: Whether a report of the provider's holds for it.
    """

    messages: Sequence[Message]
    outside: tuple[int, int] = (0, 0)
    floor: int | None = None
    cycle: int = 0
    pins: tuple[Pin, ...] = ()
    phase: str = ""
    scale: Scale = OWN_SCALE
    reported: bool = False


@dataclass(frozen=True, slots=True)
class Filling:
    """What fills a context.

    Attributes:
        budget: Window, trigger and target.
        overhead: Tokens that no compaction can remove: system text and tools.
        floor: Size right after the last compaction, else the overhead.
        measured: Tokens of the whole.
        origin: Where that figure comes from: `estimated` after a compaction until the provider reports again.
        categories: The same by category.
        pins: What stays word for word.
        phase: Advice to begin a new phase, where it is time for one.
    """

    budget: Budget
    overhead: int
    floor: int
    measured: int
    origin: str
    categories: Mapping[str, int]
    pins: tuple[Pin, ...] = ()
    phase: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        window = self.budget.window
        return {
            "window": {"tokens": window.tokens, "origin": window.origin},
            "trigger_tokens": self.budget.trigger_tokens,
            "target_tokens": self.budget.target(self.overhead),
            "floor_tokens": self.floor,
            "overhead_tokens": self.overhead,
            "measured": {"tokens": self.measured, "origin": self.origin},
            "categories": dict(self.categories),
            "pins_tokens": sum(pin.tokens for pin in self.pins),
            "pins": [{"id": pin.id, "tokens": pin.tokens} for pin in self.pins],
            "phase": self.phase,
        }


def stored_context(archive: Archive, session: str, counter: TokenCounter, model: str = "") -> Context:
    """The context of a session of an archive, with what its envelope has of system text and tools.

    Args:
        archive: The archive.
        session: The session's id.
        counter: What counts tokens.
        model: The model that it is for; by default the one that answered last.

    Raises:
        SessionNotFound: There is no such session.
    """
    held = archive.existing(session)
    log = read_chat(Envelope.loaded(archive.envelope(session)).around(held.context()), held.dialect.name)
    standing = held.compaction()
    outside = outside_tokens(counter, log.system, log.tools)
    if not sum(outside):
        outside = (Calibrations(held).outside() or 0, 0)
    cycle = 0 if standing is None else standing.cycle
    whole = sum(outside) + sum(counter.messages(log.messages))
    size = Measuring(held, MAIN, model, counter.origin == "counted").of(
        known_of(held).transcript, sum(outside), cycle, LARGEST_WINDOW, lambda: whole
    )
    context = Context(
        log.messages,
        outside,
        pins=held.pins(count=counter.texts),
        scale=size.scale.through(whole, size.tokens),
        reported=size.origin == "reported",
    )
    if standing is None:
        return context
    phase = phase_advice(held.cycles(), session)
    return replace(context, floor=standing.tokens, cycle=standing.cycle, phase=phase)


def filling(context: Context, budget: Budget, counter: TokenCounter) -> Filling:
    """What fills a context, as its model reads it."""
    shares, scale = categories(context.messages, counter, context.outside), context.scale
    rows = context.messages[: leading_system_rows(context.messages)]
    overhead = sum(context.outside) + sum(counter.messages(rows))
    return Filling(
        budget,
        scale.size(overhead),
        scale.size(overhead if context.floor is None else context.floor),
        scale.size(sum(shares.values())),
        "reported" if context.reported else counter.origin if scale.is_own else "estimated",
        scale.categories(shares),
        context.pins,
        context.phase,
    )
