"""The planner: from a case to a plan, without doing anything but asking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from vademecum.core.apply import Emitted, emitted
from vademecum.core.carry import Carry, write_carry
from vademecum.core.case import Case
from vademecum.core.check import violations
from vademecum.core.draft import Draft, Rung, fits, least_carry
from vademecum.core.edits import Edit
from vademecum.core.pairing import Spot
from vademecum.core.references import references
from vademecum.core.repair import repairs
from vademecum.core.requests import Steps, TierDone
from vademecum.core.shape import Shape, shape_of
from vademecum.core.tail import choose_tail
from vademecum.core.tiers import LADDER
from vademecum.core.widen import widened

Outcome = Literal["compacted", "crowded", "above_trigger", "not_smaller", "nothing_compactable", "invalid"]

#: How often room that the carry left over is given to the newest rounds.
_WIDENINGS = 2
#: How often the carry is written anew when the whole came out larger than it was reckoned.
_ROUNDS = 3
#: Tokens that the carry is given even where there is no room for it.
_LEAST = 400


@dataclass(frozen=True, slots=True)
class Plan:
    """The edits of one compaction, not yet applied: data that can be shown, compared and replayed.

    Attributes:
        outcome: Whether it helps. `compacted` leaves room for another round of average size below the
            trigger, `crowded` does not, `above_trigger` is smaller only; the others are not applied.
        first: Position of the first live message.
        fold: Live messages before this index leave.
        cut: Live index at which the tail begins.
        count: How many live messages there were.
        edits: Changes to parts of live messages that stay.
        carry: What stands for what left.
        rungs: The tiers tried, in order.
        tokens_before: Size of the context before.
        tokens_after: Size of the context after, counted on what will be sent.
        removed: Ids of the parts that leave in this cycle or stay shortened.
        problems: What the check found, for an `invalid` plan.
        emitted: What will be sent after the head.
        narrative: The model's summary, if one was used.
        summary_model: Which model wrote it.
        coverage: Messages that the summary's author read, of those that it was to read.
        doubts: What is to be known of the summary that was used, or not used.
    """

    outcome: Outcome
    first: int
    fold: int
    cut: int
    count: int
    edits: Mapping[Spot, Edit]
    carry: Carry | None
    rungs: tuple[Rung, ...]
    tokens_before: int
    tokens_after: int
    removed: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    emitted: tuple[Emitted, ...] = field(default=(), repr=False)
    narrative: str = ""
    summary_model: str = ""
    coverage: tuple[int, int] = (0, 0)
    doubts: tuple[str, ...] = ()

    @property
    def applies(self) -> bool:
        """Whether the context is to change."""
        return self.outcome in ("compacted", "crowded", "above_trigger")


def plan(case: Case) -> Steps[Plan]:
    """Plans one compaction: the tail, then tier after tier until the target is reached, then the carry."""
    if not case.live:
        return _nothing(case)
    draft = yield from choose_tail(case)
    for name, tier in LADDER:
        if name in case.preset.ladder:
            draft = yield from tier(case, draft)
            yield TierDone(name)
            # Without a target a tier must have done something: what fitted before it is due again too soon.
            if fits(case, draft) and (case.aims or draft.rungs[-1].outcome == "fits"):
                break
    written: tuple[Carry, Shape] | None = None
    if draft.fold:
        # Rounds that stay need no place in the carry, which leaves room for more of them.
        for _ in range(_WIDENINGS):
            written = yield from _written(case, draft, _carry_budget(case, draft))
            wider = yield from widened(case, draft, case.target - written[1].tokens)
            if wider == draft:
                break
            draft, written = wider, None
    repaired = yield from repairs(case, (yield from references(case, draft)))
    if repaired != draft:
        draft, written = repaired, None
    if draft.fold == 0 and not draft.edits and not _worth_a_new_carry(case, draft):
        return _nothing(case, draft.rungs)
    return (yield from _settled(case, draft, written))


def _worth_a_new_carry(case: Case, draft: Draft) -> bool:
    """Whether a carry written anew helps where nothing more leaves: it must be smaller, or stubs that stand fold."""
    largest = case.fixed + draft.live_tokens + _carry_budget(case, draft)
    return case.cycle > 1 and (case.before > case.budget.usable or case.before > largest)


def _written(case: Case, draft: Draft, budget: int) -> Steps[tuple[Carry, Shape]]:
    """A carry of that budget, and what will be sent with it."""
    carry = yield from write_carry(case, draft, budget)
    return carry, (yield from shape_of(case, emitted(case, draft, carry)))


def _settled(case: Case, draft: Draft, written: tuple[Carry, Shape] | None) -> Steps[Plan]:
    """Writes the carry into the room that is left, counts what will be sent, and tightens until it fits.

    Args:
        case: The case.
        draft: What stays, and how.
        written: The first carry, where it was written for this draft already.
    """
    budget = _carry_budget(case, draft)
    goal = _goal(case, budget)
    least = min(least_carry(case), _LEAST)
    if goal < case.target:
        budget, written = max(least, budget - case.target + goal), None
    carry, shape = written or (yield from _written(case, draft, budget))
    for _ in range(_ROUNDS - 1):
        excess = shape.tokens - goal
        if excess <= 0 or budget <= least:
            break
        budget = max(least, budget - excess - excess // 8 - 16)
        carry, shape = yield from _written(case, draft, budget)
    return _judged(case, draft, carry, shape)


def _goal(case: Case, budget: int) -> int:
    """The target, or a little less where the next round would else be compacted again (C-33).

    Of the carry no more than half is given for that; a round that is larger still finds no room in any case.
    """
    roomy = case.budget.trigger_with(case.fixed) - case.next_round
    return roomy if case.aims and case.target - budget // 2 <= roomy < case.target else case.target


def _carry_budget(case: Case, draft: Draft) -> int:
    free = case.room - draft.live_tokens
    # Beside dialogue that stays, a full carry would say most things twice.
    aims = case.aims
    full = draft.fold > 0 and aims
    most = case.room if full else max(least_carry(case), int(0.4 * case.room)) if aims else least_carry(case)
    return max(min(free, most), min(least_carry(case), _LEAST))


def _judged(case: Case, draft: Draft, carry: Carry, shape: Shape) -> Plan:
    problems = violations(case, draft, carry, shape)
    outcome: Outcome = "compacted"
    if problems:
        outcome = "invalid"
    elif shape.tokens >= case.before:
        outcome = "not_smaller"
    elif shape.tokens > case.budget.trigger_with(case.fixed):
        outcome = "above_trigger"
    elif shape.tokens + case.next_round > case.budget.trigger_with(case.fixed):
        outcome = "crowded"
    return Plan(
        outcome=outcome,
        first=case.positions[0],
        fold=draft.fold,
        cut=draft.cut,
        count=len(case.live),
        edits=draft.edits,
        carry=carry,
        rungs=draft.rungs,
        tokens_before=case.before,
        tokens_after=shape.tokens,
        removed=_removed(case, draft),
        problems=problems,
        emitted=shape.emitted,
        narrative=draft.narrative,
        summary_model=draft.summary_model,
        coverage=draft.coverage,
        doubts=draft.doubts,
    )


def _removed(case: Case, draft: Draft) -> tuple[str, ...]:
    folded = [case.id_of(index, part) for index in range(draft.fold) for part in range(len(case.live[index].parts))]
    shortened = [
        case.id_of(*spot)
        for spot in sorted(draft.edits)
        if spot[0] >= draft.fold and draft.edits[spot].kind not in ("clean", "note")
    ]
    return (*folded, *shortened)


def _nothing(case: Case, rungs: tuple[Rung, ...] = ()) -> Plan:
    return Plan(
        "nothing_compactable", case.positions[0], 0, 0, len(case.live), {}, None, rungs, case.before, case.before
    )
