"""One compaction of a simulation, and how a simulation ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

CYCLE, END = "vademecum.bench.cycle/1", "vademecum.bench.end_state/1"
EndState = Literal["working", "degrading", "fallback", "stuck"]
#: Degrading is who frees less than this, in the mean of the last three compactions.
LEAST_FREED, LAST = 0.5, 3
#: So many compactions in a row that end at or above the trigger end a simulation; a single large round may pass.
STUCK_AFTER = 3


@dataclass
class Cycle:
    """One compaction.

    Attributes:
        arm: Whose.
        cycle: Its number, from 1.
        before: Tokens of the context that crossed the trigger.
        after: Tokens of what was kept.
        floor: Of these, tokens by category, and the text floor.
        rows: Messages since the last compaction.
        consumed: Tokens of all messages so far.
        requests: Requests that followed, up to the next compaction.
        billed: Their input tokens together.
        recall: What was answered; None where nothing was asked.
        stale: How many settings were asked for, and how many answers were earlier values of them.
        details: What the arm has to say.
    """

    arm: str
    cycle: int
    before: int
    after: int
    floor: dict[str, int]
    rows: int
    consumed: int
    requests: int = 0
    billed: int = 0
    recall: dict[str, Any] | None = None
    stale: dict[str, int] | None = None
    details: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def freed(self) -> float:
        """Share of the context that left."""
        return 1 - self.after / self.before if self.before else 0.0

    @property
    def fallback(self) -> bool:
        """Whether the arm gave up its own way: the state of its decision model did not fit."""
        return bool(self.details.get("fallback"))

    def as_dict(self) -> dict[str, Any]:
        """JSON data."""
        data = asdict(self)
        del data["billed"], data["details"]
        after = data.pop("after")
        head = {key: data.pop(key) for key in ("arm", "cycle", "before")}
        return {
            "schema": CYCLE,
            **head,
            "after": after,
            "freed_ratio": round(self.freed, 4),
            **data,
            "billed_per_request": round(self.billed / self.requests) if self.requests else 0,
            "fallback": self.fallback,
            "outcome": str(self.details.get("outcome", "")),
        }


def end_state(cycles: Sequence[Cycle], trigger: int) -> EndState:
    """How an arm ended.

    Args:
        cycles: Its compactions.
        trigger: Its trigger.
    """
    if not cycles:
        return "working"
    if cycles[-1].after >= trigger:
        return "stuck"
    if cycles[-1].fallback:
        return "fallback"
    last = cycles[-LAST:]
    return "degrading" if sum(one.freed for one in last) / len(last) < LEAST_FREED else "working"


def is_stuck(cycles: Sequence[Cycle], trigger: int) -> bool:
    """Whether going on is of no use."""
    return len(cycles) >= STUCK_AFTER and all(one.after >= trigger for one in cycles[-STUCK_AFTER:])
