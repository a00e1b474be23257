"""The verdict on a provider's error: what it means, which figures it names, and what is to be done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "context_overflow",
    "output_budget",
    "output_cap",
    "request_too_large",
    "rate_limit",
    "rate_budget",
    "auth",
    "unavailable",
    "bad_history",
    "bad_request",
    "content_filter",
    "quota",
    "long_context_tier",
    "silent_truncation",
    "output_truncated",
]
Action = Literal[
    "compact", "lower_output", "retry", "wait", "next_member", "repair", "strip_bytes", "continue", "stop"
]
#: What a limit limits: input and output together, the input alone, the output alone, a rate.
LimitKind = Literal["", "window", "input", "output", "rate"]

#: The one action of each kind.
ACTIONS: dict[Kind, Action] = {
    "context_overflow": "compact",
    "output_budget": "lower_output",
    "output_cap": "lower_output",
    "request_too_large": "strip_bytes",
    "rate_limit": "wait",
    "rate_budget": "next_member",
    "auth": "next_member",
    "unavailable": "retry",
    "bad_history": "repair",
    "bad_request": "next_member",
    "content_filter": "stop",
    "quota": "next_member",
    "long_context_tier": "compact",
    "silent_truncation": "compact",
    "output_truncated": "continue",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an error means.

    Attributes:
        kind: Its kind.
        limit: The limit that it names, in tokens; None where it names none that is plausible.
        limit_kind: What that limits; empty without a limit.
        observed_input: Tokens of the input as the provider counted them; None where it does not say.
        asked_output: Tokens of output that were asked for; None where it does not say.
        excess: Tokens by which the input is too large, where only that is said.
        retry_after: Seconds to wait, where it says so.
        learnable: Whether the limit is one of the model's input or window, so that it can be kept as its window.
        certain: Whether the error says so itself. Otherwise only its status does, or a size that looks cut: such
            an overflow is believed only where the estimate is large, too.
        row: Which row of the table told.
    """

    kind: Kind
    limit: int | None = None
    limit_kind: LimitKind = ""
    observed_input: int | None = None
    asked_output: int | None = None
    excess: int | None = None
    retry_after: float | None = None
    learnable: bool = False
    certain: bool = True
    row: str = ""

    @property
    def action(self) -> Action:
        """What is to be done."""
        return ACTIONS[self.kind]

    @property
    def learned_window(self) -> int | None:
        """The window that is learned from it; None where nothing is."""
        return self.limit if self.learnable else None

    @property
    def named_window(self) -> int | None:
        """The window that it names, whatever was wrong: one in which input and reply together did not fit, too."""
        budget = self.kind == "output_budget" and self.limit_kind == "window" and self.certain
        return self.limit if budget else self.learned_window

    @property
    def output_cap(self) -> int | None:
        """The most output that may be asked of the model, where the error says so."""
        return self.limit if self.kind == "output_cap" else None
