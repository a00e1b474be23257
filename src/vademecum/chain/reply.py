"""What a chain gives back: the answer, who gave it, and every decision on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vademecum.core.receipt import Receipt
from vademecum.models.clients import Answer

What = Literal[
    "answered", "cools_down", "moves_on", "skipped", "compacts", "does_not_fit", "learned", "less_output",
    "without_reasoning", "cut_silently", "more_output", "goes_on", "cut_off", "stopped",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a chain.

    Attributes:
        at: When, in seconds since the epoch.
        member: The member that it is about.
        what: What was decided.
        why: The reason, in words.
        tokens: Size of the context that it was about, as the member reads it; 0 where there was none.
        window: The member's window.
    """

    at: float
    member: str
    what: What
    why: str = ""
    tokens: int = 0
    window: int = 0


@dataclass(frozen=True, slots=True)
class ChainReply:
    """A chain's reply.

    Attributes:
        answer: The answer; append its `messages` to the transcript.
        member: The member that gave it.
        receipt: What was done to the context that it read.
        decisions: What was decided on the way, in order.
    """

    answer: Answer
    member: str
    receipt: Receipt
    decisions: tuple[Decision, ...]
