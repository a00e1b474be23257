"""Whether a compaction is due: above the trigger, asked for or forced; not where one was just taken back."""

from __future__ import annotations

from dataclasses import dataclass

from vademecum.archive import StoredCompaction
from vademecum.compactor.job import Job
from vademecum.core.case import Case
from vademecum.core.meter import Measured
from vademecum.core.pins import room_of
from vademecum.core.plan import Plan
from vademecum.core.receipt import Cause, ReceiptOutcome


@dataclass(frozen=True, slots=True)
class Due:
    """What is to be done about a request.

    Attributes:
        cause: What starts a compaction; None where none is made.
        outcome: Where none is made, what the receipt says.
        why: The same in words.
        focus: What whoever asked for it wants kept above all.
        asked: Whether a compaction was asked for, which is served by this.
    """

    cause: Cause | None
    outcome: ReceiptOutcome = "nothing_needed"
    why: str = ""
    focus: str = ""
    asked: bool = False


def due(job: Job, measured: Measured) -> Due:
    """Decides about a context of that size.

    A forced compaction passes everything. One that was asked for passes breaker and trigger, but below the target
    there is nothing that it could take away.
    """
    budget, size, scale = job.options.budget, measured.tokens, measured.scale
    overhead = scale.size(job.overhead)
    focus = job.session.requested_compaction()
    if job.forced:
        return Due("forced", focus=focus or "", asked=focus is not None)
    if focus is not None:
        target = budget.target(scale.size(job.overhead + room_of(job.pins()[0])))
        if size > target:
            return Due("requested", focus=focus, asked=True)
        return Due(
            None,
            why=f"a compaction was asked for, but {size:,} tokens are within the target of {target:,}",
            asked=True,
        )
    if not budget.due(size):
        return Due(None)
    fixed = scale.size(job.overhead + room_of(job.pins()[0]))
    if not budget.due(size, fixed):
        return Due(None, "nothing_compactable", _crowded(job, overhead, fixed - overhead))
    if size <= budget.usable:
        # What cannot be sent at all is compacted in any case.
        if _taken_back(job, size):
            return Due(None, "undone", "the newest compaction was taken back; the context has not grown by a quarter")
        if not job.memory.breaker().allows(size, budget.window.tokens, job.options.preset.breaker):
            return Due(None, "breaker_open")
    return Due("trigger")


def _crowded(job: Job, overhead: int, pinned: int) -> str:
    pins = f", pins {pinned:,}" if pinned else ""
    trigger = job.options.budget.trigger_tokens
    return f"system text and tools take {overhead:,} tokens{pins}, the trigger is {trigger:,}"


def _taken_back(job: Job, size: int) -> bool:
    """Whether a compaction was taken back and nothing has happened since that is a reason for another one."""
    at = job.session.undone(job.view)
    if at is None:
        return False
    if at == 0 and not job.options.dry_run:
        job.session.remember_undone(job.view, size)
    return size <= job.options.preset.breaker.growth * (at or size)


def lasts(case: Case, made: Plan, standing: StoredCompaction | None, *, paused: bool) -> bool:
    """Whether a compaction is worth its while, for the breaker.

    That another round will not fit is a forecast: where more than one has come since the compaction before,
    the next one may be waited for just as long.

    Args:
        case: What was compacted.
        made: What came of it.
        standing: The compaction before.
        paused: Whether the breaker was open: then the pause is what it was waited for.
    """
    if made.outcome != "crowded" or standing is None or paused:
        return made.outcome == "compacted"
    live = zip(case.positions[:-1], case.live, strict=True)
    return sum(message.role == "assistant" for at, message in live if at >= standing.covered) > 1
