"""The budget: window → trigger → target, each with where it comes from.

Everything is in tokens. The published rule (Agent!): the trigger is half of the window, of at most
256,000 tokens of it, and never so late that the reply would not fit beside the input.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from vademecum.core.preset import Preset, TriggerRule
from vademecum.errors import ConfigError

Origin = Literal["user", "learned", "probed", "catalog", "default"]
Binding = Literal["fraction", "room", "floor", "override"]

#: Tokens kept free for what counting misses: this many, or `MARGIN_SHARE` of the window if that is less.
MARGIN = 1_000
MARGIN_SHARE = 0.02
#: The shortest reply that a request must leave room for.
MINIMUM_REPLY = 256
#: Tokens below which no context of a carry and a few newest words can be expected to come out.
SMALLEST_CONTEXT = 1_000
#: Providers and local servers offer nothing smaller, and nothing larger is announced.
SMALLEST_WINDOW = 128
LARGEST_WINDOW = 10_000_000


@dataclass(frozen=True, slots=True)
class Window:
    """A model's limit in tokens, and where that figure comes from."""

    tokens: int
    origin: Origin = "user"


@dataclass(frozen=True, slots=True)
class Budget:
    """What a session may use.

    Attributes:
        window: The model's limit.
        max_output: The output limit of each request, None when the caller does not set one.
        trigger_tokens: The published trigger: a compaction is due above it, not at it.
        acting_trigger: What acts: the published trigger, or less where it would fill a tiny window.
        target_fraction: Share of what lies between overhead and trigger that a compaction aims at.
        target_cap: The most tokens above the overhead that a compaction aims at.
        target_override: The caller's own target for the whole context, overhead included; 0 for none.
        binding: Which term of the rule gave the trigger.
    """

    window: Window
    max_output: int | None
    trigger_tokens: int
    acting_trigger: int
    target_fraction: float
    target_cap: int
    target_override: int
    binding: Binding

    @property
    def margin(self) -> int:
        """Tokens kept free for what counting misses."""
        return margin(self.window.tokens)

    @property
    def usable(self) -> int:
        """The largest context that still leaves room for the shortest reply."""
        return usable(self.window.tokens)

    def target(self, overhead: int = 0) -> int:
        """Tokens that a compaction must end at or below, `overhead` included.

        A target at or above the trigger would have the next request compacted again, and a target
        fraction of 0 means that any reduction counts; both give the trigger itself.
        """
        if self.target_override:
            return min(self.target_override, self.acting_trigger)
        trigger = self.trigger_with(overhead)
        if not self.target_fraction or overhead >= trigger:
            return trigger
        room = trigger - overhead
        return overhead + min(int(self.target_fraction * room), self.target_cap)

    def crowded_by(self, overhead: int) -> bool:
        """Whether the overhead leaves no room below the trigger in which a compaction could end (C-7)."""
        return overhead + min(SMALLEST_CONTEXT, self.acting_trigger // 4) >= self.acting_trigger

    def trigger_with(self, overhead: int) -> int:
        """What acts beside that overhead: where it fills the trigger, only what cannot be sent is compacted."""
        return self.usable if self.crowded_by(overhead) else self.acting_trigger

    def due(self, measured: int, overhead: int = 0) -> bool:
        """Whether a context of that size is to be compacted; the trigger itself is still allowed."""
        return measured > self.trigger_with(overhead)

    def below(self, measured: int) -> Budget:
        """The same for a context that the provider found too large: whatever was believed, it has to shrink."""
        return replace(self, acting_trigger=min(self.acting_trigger, max(1, measured - 1)))

    def output_limit(self, measured: int) -> int | None:
        """The output limit to ask for beside an input of `measured` tokens; None stays None.

        Never negative; 0 says that nothing is left and the context has to shrink first.
        """
        if self.max_output is None:
            return None
        left = self.window.tokens - measured - self.margin
        return max(0, min(self.max_output, left))


def margin(window: int) -> int:
    """1,000 tokens, or 2 % of the window if that is less."""
    return min(MARGIN, int(MARGIN_SHARE * window))


def usable(window: int) -> int:
    """The largest input that leaves room for the margin and the shortest reply, at least 1."""
    return max(1, window - margin(window) - min(MINIMUM_REPLY, window // 4))


def published_trigger(rule: TriggerRule, window: int, max_output: int | None) -> tuple[int, Binding]:
    """The trigger by a preset's rule, and the term that bound it.

    Source of the formula for the preset `half`: Agent!'s CompactionState; the reply's room is taken
    from the true window, the fraction from the capped one.
    """
    if rule.minus_output:
        return _of_what_input_may_use(rule, window, max_output)
    capped = min(window, rule.window_cap) if rule.window_cap else window
    by_fraction = int(rule.fraction * capped)
    reserve = min(max_output, window // 2) if max_output else rule.reserve
    room = window - reserve
    trigger = max(rule.floor, min(by_fraction, room))
    if trigger == by_fraction and by_fraction <= room:
        return trigger, "fraction"
    return trigger, "room" if trigger == room else "floor"


def _of_what_input_may_use(rule: TriggerRule, window: int, max_output: int | None) -> tuple[int, Binding]:
    """Hermes' rule: a share of (window − output), more of it on small windows, within two bounds."""
    effective = max(window - min(max_output or 0, window // 2), 1)
    fraction = rule.small_fraction if rule.small_window and window < rule.small_window else rule.fraction
    trigger, binding = int(fraction * effective), "fraction"
    if trigger < rule.floor:
        trigger, binding = rule.floor, "floor"
        if rule.crowded and rule.floor > rule.crowded * effective:
            trigger, binding = int(max(fraction, rule.crowded) * effective), "room"
    if rule.ceiling and trigger > rule.ceiling:
        trigger, binding = rule.ceiling, "room"
    return trigger, binding  # type: ignore[return-value]  # the three literals above


def budget(
    preset: Preset,
    *,
    window: Window,
    max_output: int | None = None,
    trigger: int | None = None,
    target: float | int | None = None,
    summary_window: int | None = None,
) -> Budget:
    """Derives a budget.

    Args:
        preset: The policy.
        window: The model's limit, 128 to 10,000,000 tokens.
        max_output: The output limit of each request in tokens, None if it is not set.
        trigger: An absolute trigger in tokens, instead of the preset's.
        target: Tokens for the whole context (int), or a fraction of the trigger (float in (0, 1]).
        summary_window: The limit of the model that summarises, where it is known.

    Raises:
        ConfigError: A value is out of its range or of the wrong type.
    """
    _check_count("window", window.tokens, SMALLEST_WINDOW, LARGEST_WINDOW)
    if max_output is not None:
        _check_count("max_output", max_output, 0, LARGEST_WINDOW)
    published, binding = published_trigger(preset.trigger, window.tokens, max_output or None)
    if preset.trigger.within_summarizer and summary_window and published > summary_window:
        published, binding = summary_window, "room"
    if trigger is not None:
        _check_count("trigger", trigger, 1, window.tokens)
        published, binding = trigger, "override"
    acting = min(published, usable(window.tokens))
    return Budget(
        window=window,
        max_output=max_output or None,
        trigger_tokens=published,
        acting_trigger=acting,
        target_fraction=preset.target.fraction,
        target_cap=preset.target.cap,
        target_override=_explicit_target(target, acting),
        binding=binding,
    )


def _explicit_target(target: float | int | None, trigger: int) -> int:
    if target is None:
        return 0
    if isinstance(target, float):
        if not 0 < target <= 1:
            raise ConfigError(f"target {target} is not in (0, 1]", hint="a fraction has a dot; tokens are an int")
        return max(1, int(target * trigger))
    _check_count("target", target, 1, LARGEST_WINDOW)
    if target > trigger:
        raise ConfigError(
            f"target {target:,} is above the trigger {trigger:,}",
            hint="a compaction has to end below the point where it starts",
        )
    return target


def _check_count(name: str, value: object, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError(f"{name} {value!r} is not a token count", hint="token counts are whole numbers")
    if not least <= value <= most:
        raise ConfigError(f"{name} {value:,} is not within {least:,} and {most:,} tokens")
