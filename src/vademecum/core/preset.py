"""A preset: trigger, target, tail, carry, ladder and breaker in one value, chosen together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PresetName = Literal["half", "agent", "hermes"]


@dataclass(frozen=True, slots=True)
class TriggerRule:
    """When a compaction starts, as fractions of the window and tokens.

    Attributes:
        fraction: Share of the (capped) window, in (0, 1].
        window_cap: Windows above it count as this many tokens for the fraction; 0 for no cap.
        floor: The trigger is never lower, in tokens.
        reserve: Room for the reply when the output limit is not known, in tokens.
        minus_output: The fraction is taken of (window − output limit) instead of the window.
        small_window: Below this window `small_fraction` applies; 0 switches that off.
        small_fraction: The fraction for small windows.
        crowded: Where the floor exceeds this share of what is left for input, max(fraction, crowded)
            of it is the trigger instead; 0 switches that off.
        ceiling: The trigger is never higher, in tokens; 0 for none.
    """

    fraction: float = 0.5
    window_cap: int = 256_000
    floor: int = 2_000
    reserve: int = 8_192
    minus_output: bool = False
    small_window: int = 0
    small_fraction: float = 0.0
    crowded: float = 0.0
    ceiling: int = 0


@dataclass(frozen=True, slots=True)
class TargetRule:
    """Where a compaction aims: overhead + min(fraction × (trigger − overhead), cap).

    Attributes:
        fraction: Share of what lies between overhead and trigger; 0 means any reduction counts.
        cap: The most tokens above the overhead.
    """

    fraction: float = 0.4
    cap: int = 40_000


@dataclass(frozen=True, slots=True)
class TailRule:
    """How many newest tokens stay verbatim: a share of the window, within bounds.

    Attributes:
        fraction: Share of the window.
        least: Lower bound in tokens.
        most: Upper bound in tokens.
        window_share: Never more than this share of the window.
        target_share: Never more than this share of what the target leaves above the overhead.
    """

    fraction: float = 0.025
    least: int = 10_000
    most: int = 25_000
    window_share: float = 0.2
    target_share: float = 0.5


@dataclass(frozen=True, slots=True)
class CarryRule:
    """How the carry's room is shared between its sections.

    Attributes:
        shares: Section name → share of the carry's budget, in the order in which they are filled;
            what a section does not use flows to the next one.
        least: Share of (target − overhead) that a compaction keeps free for the carry.
    """

    shares: tuple[tuple[str, float], ...]
    least: float = 0.25


@dataclass(frozen=True, slots=True)
class Preset:
    """One named policy. Presets are data files; this is their shape.

    Attributes:
        name: The name by which it is chosen.
        ladder: Names of the tiers, in the order in which they are tried.
        keep_tools: Names of tools whose results are never stubbed; `*` at the end matches any rest.
    """

    name: str
    trigger: TriggerRule
    target: TargetRule
    tail: TailRule
    carry: CarryRule
    ladder: tuple[str, ...]
    keep_tools: tuple[str, ...]
