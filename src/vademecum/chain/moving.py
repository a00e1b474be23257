"""Moving on: in which order members are asked, and whether another one may do better where one failed (M-8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vademecum.chain.memory import Memory
from vademecum.models.errors import Kind

_COOL: frozenset[Kind] = frozenset({"rate_limit", "unavailable", "quota", "auth"})
#: Another member may do better at these, however many there were; at others only one more is asked.
_PASSING: frozenset[Kind] = frozenset({"rate_limit", "rate_budget", "unavailable", "quota"})
#: What only a larger window helps.
LARGER: frozenset[Kind] = frozenset(
    {"context_overflow", "long_context_tier", "request_too_large", "silent_truncation"}
)
#: What waiting does not mend soon cools down so many times longer.
_SLOW: frozenset[Kind] = frozenset({"quota", "auth"})
_SLOWLY = 10


def in_order(names: Sequence[str], memory: Memory, now: float) -> list[str]:
    """Those that are well in their order, then those that cool down, soonest first."""
    until = memory.until
    away = [name for name in names if until.get(name, 0.0) > now]
    well = [name for name in names if name not in away]
    return [*well, *sorted(away, key=until.__getitem__)]


def cooldown_of(kind: Kind, first: float) -> float | None:
    """Seconds that a member is left alone after an error, for the first time; None where it is not.

    Args:
        kind: The error's kind.
        first: Seconds for what passes soon.
    """
    return None if kind not in _COOL else first * (_SLOWLY if kind in _SLOW else 1)


@dataclass(slots=True)
class Moving:
    """What one request has met on its way.

    Attributes:
        floor: A window has to be larger than this.
        moved: Whether another member was asked already over what is hardly the member's fault.
    """

    floor: int = 0
    moved: bool = False

    def allows(self, window: int) -> bool:
        """Whether a member with such a window may be asked."""
        return window > self.floor

    def outgrown(self, window: int) -> None:
        """Takes down that the request is too large for a window."""
        self.floor = max(self.floor, window)

    def on(self, kind: Kind) -> bool:
        """Whether another member may be asked after an error that no larger window helps."""
        if kind == "content_filter" or (self.moved and kind not in _PASSING):
            return False
        self.moved = self.moved or kind not in _PASSING
        return True
