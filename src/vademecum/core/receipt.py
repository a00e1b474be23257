"""The receipt: what a compaction did, why, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from vademecum.core.budget import Budget, Window
from vademecum.core.case import Case
from vademecum.core.plan import Outcome, Plan
from vademecum.core.pricing import CacheBreak
from vademecum.core.scale import Scale
from vademecum.core.standing import Way

ReceiptOutcome = Outcome | Literal["nothing_needed", "breaker_open", "undone", "failed"]
Cause = Literal["trigger", "forced", "requested"]


@dataclass(frozen=True, slots=True)
class TierResult:
    """What became of one tier.

    Attributes:
        name: The tier.
        outcome: `fits`, `helped`, `too little`, `nothing`, `off`, `unavailable: …` or `failed: …`.
        tokens_after: Size of the context with it, before the carry was written.
        ms: How long it took, rounded; not part of what is deterministic.
    """

    name: str
    outcome: str
    tokens_after: int
    ms: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was done to one request. All tokens are of the whole context, overhead included.

    Attributes:
        session: Id of the session.
        cycle: Number of the compaction in the session; 0 when none has happened yet.
        outcome: What became of it; `nothing_needed` below the trigger, `undone` while one
            that was taken back is not made again.
        cause: What started it: `trigger`, `forced` (the provider said no) or `requested` (somebody asked for it).
        tokens_before: Size before.
        tokens_after: Size after; the same when nothing was done.
        origin: Where the sizes come from: `reported`, `counted` or `estimated`.
        window: The model's limit and where that comes from.
        trigger_tokens: The trigger by the preset's rule.
        target_tokens: What the compaction had to end at or below.
        overhead_tokens: Fixed share of every request: leading system rows, system text, tools.
        categories_before: Tokens by category before.
        categories_after: Tokens by category after.
        tiers: The tiers tried, in order.
        sections: Tokens of each section of the carry.
        removed: Ids of the parts that left or stay shortened.
        pinned: Ids of the pins that stay word for word.
        pins_left_out: Ids of the pins that there was no room for under the cap; newer ones go first.
        summary_model: Which model summarised; empty for none.
        summary_tokens: Tokens that models read and wrote for summaries, as they reported them; used or not.
        summary_ways: How summaries were asked for, at the end of the request as it stood or separately, with what
            both were reckoned to cost.
        coverage: Messages that the summary's author read, of those that it was to read.
        failure: What went wrong, or why nothing was done; empty when there is nothing to say.
        phase: Advice to begin a new phase, where compactions come ever sooner or leave ever more; else empty.
        cache: What the break of the provider's prompt cache costs, and when it has paid for itself.
        ratio: Tokens of the model's for one that was counted here; 1 where its vocabulary is the one counted with, or
            nothing is known of it.
        warnings: What else is to be known of the session's requests.
        timing: Milliseconds by step; not part of what is deterministic.
    """

    session: str
    cycle: int
    outcome: ReceiptOutcome
    tokens_before: int
    tokens_after: int
    window: Window
    trigger_tokens: int
    target_tokens: int
    overhead_tokens: int = 0
    origin: str = "counted"
    cause: Cause = "trigger"
    categories_before: Mapping[str, int] = field(default_factory=dict[str, int])
    categories_after: Mapping[str, int] = field(default_factory=dict[str, int])
    tiers: tuple[TierResult, ...] = ()
    sections: tuple[tuple[str, int], ...] = ()
    removed: tuple[str, ...] = ()
    pinned: tuple[str, ...] = ()
    pins_left_out: tuple[str, ...] = ()
    summary_model: str = ""
    summary_tokens: tuple[int, int] = (0, 0)
    summary_ways: tuple[Way, ...] = ()
    coverage: tuple[int, int] = (0, 0)
    failure: str = ""
    phase: str = ""
    cache: CacheBreak | None = None
    ratio: float = 1.0
    warnings: tuple[str, ...] = ()
    timing: Mapping[str, int] = field(default_factory=dict[str, int], compare=False)

    def on(self, scale: Scale, budget: Budget) -> Receipt:
        """The receipt of a plan that was made by our own count, in the model's tokens."""
        if scale.is_own:
            return self
        return replace(
            self,
            tokens_before=scale.size(self.tokens_before),
            tokens_after=scale.size(self.tokens_after),
            window=budget.window,
            trigger_tokens=budget.trigger_tokens,
            target_tokens=scale.size(self.target_tokens),
            overhead_tokens=scale.size(self.overhead_tokens),
            tiers=tuple(replace(tier, tokens_after=scale.size(tier.tokens_after)) for tier in self.tiers),
            sections=tuple((name, scale.share(tokens)) for name, tokens in self.sections),
            ratio=round(scale.ratio, 4),
        )

    def as_dict(self) -> dict[str, Any]:
        """The receipt as JSON data: `vademecum.receipt/1`."""
        data = asdict(self)
        return {"schema": "vademecum.receipt/1", **data, "sections": dict(self.sections)}


def receipt_of(plan: Plan, *, session: str, case: Case) -> Receipt:
    """The deterministic part of a plan's receipt."""
    return Receipt(
        session=session,
        cycle=case.cycle,
        outcome=plan.outcome,
        tokens_before=plan.tokens_before,
        tokens_after=plan.tokens_after if plan.applies else plan.tokens_before,
        window=case.budget.window,
        trigger_tokens=case.budget.trigger_tokens,
        target_tokens=case.target,
        overhead_tokens=case.overhead,
        tiers=tuple(TierResult(rung.name, rung.outcome, rung.tokens_after) for rung in plan.rungs),
        sections=plan.carry.sections if plan.carry is not None else (),
        removed=plan.removed if plan.applies else (),
        pinned=tuple(dict.fromkeys(pin.id for pin in case.pins)) if plan.applies else (),
        summary_model=plan.summary_model,
        coverage=plan.coverage,
        failure="; ".join(plan.problems),
        warnings=plan.doubts,
    )
