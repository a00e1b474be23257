"""What fills a context: its tokens by category, beside the window, the trigger and the target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vademecum.archive import Archive
from vademecum.compactor.envelope import Envelope
from vademecum.compactor.once import outside_tokens
from vademecum.core.budget import Budget
from vademecum.core.case import leading_system_rows
from vademecum.core.messages import Message
from vademecum.core.meter import categories
from vademecum.core.phases import phase_advice
from vademecum.core.pins import Pin
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
    """

    messages: Sequence[Message]
    outside: tuple[int, int] = (0, 0)
    floor: int | None = None
    cycle: int = 0
    pins: tuple[Pin, ...] = ()
    phase: str = ""


@dataclass(frozen=True, slots=True)
class Filling:
    """What fills a context.

    Attributes:
        budget: Window, trigger and target.
        overhead: Tokens that no compaction can remove: system text and tools.
        floor: Size right after the last compaction, else the overhead.
        measured: Tokens of the whole.
        origin: Where that figure comes from.
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


def stored_context(archive: Archive, session: str, counter: TokenCounter) -> Context:
    """The context of a session of an archive, with what its envelope has of system text and tools.

    Raises:
        SessionNotFound: There is no such session.
    """
    held = archive.existing(session)
    log = read_chat(Envelope.loaded(archive.envelope(session)).around(held.context()), held.dialect.name)
    standing = held.compaction()
    outside = outside_tokens(counter, log.system, log.tools)
    pins = held.pins(count=counter.texts)
    if standing is None:
        return Context(log.messages, outside, pins=pins)
    phase = phase_advice(held.cycles(), session)
    return Context(log.messages, outside, standing.tokens, standing.cycle, pins, phase)


def filling(context: Context, budget: Budget, counter: TokenCounter) -> Filling:
    """What fills a context, counted."""
    shares = categories(context.messages, counter, context.outside)
    rows = context.messages[: leading_system_rows(context.messages)]
    overhead = sum(context.outside) + sum(counter.messages(rows))
    return Filling(
        budget,
        overhead,
        overhead if context.floor is None else context.floor,
        sum(shares.values()),
        counter.origin,
        shares,
        context.pins,
        context.phase,
    )
