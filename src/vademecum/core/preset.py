"""A preset: trigger, target, tail, carry, ladder and breaker in one value, chosen together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from vademecum.core.reads import ReadRule

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
        within_summarizer: The trigger is never above the window of the model that summarises.
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
    within_summarizer: bool = False


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
    """How much of the newest stays verbatim: tokens by a share of the window, within bounds, or so many messages.

    Attributes:
        fraction: Share of the window.
        least: Lower bound in tokens.
        most: Upper bound in tokens.
        window_share: Never more than this share of the window.
        target_share: Never more than this share of what the target leaves above the overhead.
        messages: The tail is counted in messages instead, at most this many; 0 for a tail in tokens.
        messages_least: Fewest messages, however small the trigger.
        tokens_per_message: One message for each of so many tokens of the trigger; 0 for always the most.
    """

    fraction: float = 0.025
    least: int = 10_000
    most: int = 25_000
    window_share: float = 0.2
    target_share: float = 0.5
    messages: int = 0
    messages_least: int = 1
    tokens_per_message: int = 0

    def messages_at(self, trigger: int) -> int:
        """How many messages the tail has at a trigger; 0 for a tail in tokens."""
        wished = trigger // self.tokens_per_message if self.tokens_per_message else self.messages
        return max(self.messages_least, min(self.messages, wished)) if self.messages else 0


#: A narrative with this share of the carry is what the policy is built on.
_STORY = 0.25


@dataclass(frozen=True, slots=True)
class CarryRule:
    """How the carry's room is shared between its sections.

    Attributes:
        shares: Section name → share of the carry's budget, in the order in which they are filled;
            what a section does not use flows to the next one.
        least: Share of (target − overhead) that a compaction keeps free for the carry.
        most: Where no target is set, the carry's most tokens; 0 for no bound but the share.
    """

    shares: tuple[tuple[str, float], ...]
    least: float = 0.25
    most: int = 0

    @property
    def is_a_story(self) -> bool:
        """Whether the policy is built on the narrative, rather than on what is extracted beside it."""
        return self.story_share >= _STORY

    @property
    def story_share(self) -> float:
        """The narrative's share."""
        return dict(self.shares).get("narrative", 0.0)


@dataclass(frozen=True, slots=True)
class BreakerRule:
    """When attempts that do not help stop, and when they go on.

    Attributes:
        failures: After this many in a row.
        growth: Another attempt is made at this multiple of the size of the last one.
        any_reduction: Whatever became smaller counts as help; else only what leaves room for another round.
    """

    failures: int = 3
    growth: float = 1.25
    any_reduction: bool = False


@dataclass(frozen=True, slots=True)
class Preset:
    """One named policy. Presets are data files; this is their shape.

    Attributes:
        name: The name by which it is chosen.
        ladder: Names of the tiers, in the order in which they are tried.
        keep_tools: Names of tools whose results are never stubbed; `*` at the end matches any rest.
        breaker: When attempts stop.
        reads: How reads and writes of files are recognised.
    """

    name: str
    trigger: TriggerRule
    target: TargetRule
    tail: TailRule
    carry: CarryRule
    ladder: tuple[str, ...]
    keep_tools: tuple[str, ...]
    breaker: BreakerRule = field(default_factory=BreakerRule)
    reads: ReadRule = field(default_factory=ReadRule)
