"""The flow of one request, top to bottom: archive → measure → decide → plan → check → commit → project → receipt."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vademecum.archive import Piece, Session, StoredCompaction
from vademecum.compactor.answers import Answers
from vademecum.compactor.context import case_of, context_of, leaving, pieces_of, projected
from vademecum.compactor.options import Compaction, Options
from vademecum.core.case import Case
from vademecum.core.driver import drive
from vademecum.core.meter import categories
from vademecum.core.plan import Plan, plan
from vademecum.core.receipt import Receipt, receipt_of
from vademecum.core.transcript import Transcript
from vademecum.errors import CannotFitError, VademecumError


@dataclass(frozen=True, slots=True)
class Job:
    """One request to a session.

    Attributes:
        session: The session.
        transcript: The whole transcript, as the caller has it.
        outside: Tokens of the system text and of the tools that stand outside the messages.
        options: How to compact.
    """

    session: Session
    transcript: Transcript
    outside: tuple[int, int]
    options: Options


def run(job: Job) -> Compaction:
    """Takes a transcript into its session and brings the context under the trigger.

    When compacting fails, the context stays as it was and the receipt says why.

    Raises:
        CannotFitError: Even the smallest context exceeds the window.
    """
    try:
        job.session.follow(job.transcript)  # archive first: a part is durable before it leaves the context
        return brought_under(job)
    except CannotFitError:
        raise
    except VademecumError as error:
        return _failed(job, error)


def brought_under(job: Job) -> Compaction:
    """The context of a session that has the whole transcript already; compacted when that is due."""
    started = job.options.clock()
    standing = job.session.compaction()
    case = case_of(job.session, job.transcript, job.outside, standing, job.options)
    if not job.options.budget.due(case.before):
        return _unchanged(job, case, standing)
    answers = Answers(job.session, job.options.counter, job.options.summarize, job.options.clock)
    made = drive(plan(case), answers)
    _check_window(job, made.tokens_after if made.applies else case.before)
    receipt = receipt_of(
        made, session=job.session.id, cycle=case.cycle, budget=job.options.budget, overhead=case.overhead
    )
    receipt = replace(
        receipt,
        tiers=tuple(replace(tier, ms=answers.ms.get(tier.name, 0)) for tier in receipt.tiers),
        timing={"total": round((job.options.clock() - started) * 1000)},
    )
    if not made.applies:
        return _result(job, replace(receipt, cycle=case.cycle - 1), made, standing)
    return _committed(job, case, made, receipt, standing)


def _committed(job: Job, case: Case, made: Plan, receipt: Receipt, standing: StoredCompaction | None) -> Compaction:
    """Commits a plan; where another process was first, its compaction is adopted."""
    pieces = pieces_of(case, made, job.transcript.head)
    receipt = replace(
        receipt,
        removed=(*leaving(job.transcript, standing), *receipt.removed),
        origin=job.options.counter.origin,
        **_categories(job, standing, pieces),
    )
    new = StoredCompaction(
        cycle=case.cycle,
        folded=case.first + made.fold,
        cut=case.first + made.cut,
        covered=len(job.transcript),
        tokens=made.tokens_after,
        pieces=pieces,
        narrative=made.narrative,
        receipt=json.dumps(receipt.as_dict()),
    )
    expected = standing.id if standing is not None else 0
    if not job.options.dry_run and not job.session.commit(new, expected=expected, created=job.options.now()):
        return brought_under(job)
    return _result(job, receipt, made, new)


def _categories(job: Job, standing: StoredCompaction | None, pieces: Sequence[Piece]) -> dict[str, dict[str, int]]:
    dialect, counter = job.session.dialect, job.options.counter
    before = context_of(job.transcript, standing, dialect)
    after = projected(job.transcript, pieces, len(job.transcript), dialect)
    return {
        "categories_before": categories(before, counter, job.outside),
        "categories_after": categories(after, counter, job.outside),
    }


def _unchanged(job: Job, case: Case, standing: StoredCompaction | None) -> Compaction:
    budget = job.options.budget
    receipt = Receipt(
        session=job.session.id,
        cycle=case.cycle - 1,
        outcome="nothing_needed",
        tokens_before=case.before,
        tokens_after=case.before,
        window=budget.window,
        trigger_tokens=budget.trigger_tokens,
        target_tokens=budget.target(case.overhead),
        overhead_tokens=case.overhead,
        origin=job.options.counter.origin,
    )
    return _result(job, receipt, None, standing)


def _failed(job: Job, error: VademecumError) -> Compaction:
    """The caller's messages, unchanged, and a receipt that says what failed."""
    size, budget = job.transcript.total + sum(job.outside), job.options.budget
    receipt = Receipt(
        session=job.session.id,
        cycle=0,
        outcome="failed",
        tokens_before=size,
        tokens_after=size,
        window=budget.window,
        trigger_tokens=budget.trigger_tokens,
        target_tokens=budget.target(),
        failure=f"{type(error).__name__}: {error}",
    )
    return _result(job, receipt, None, None)


def _result(job: Job, receipt: Receipt, made: Plan | None, standing: StoredCompaction | None) -> Compaction:
    limit = job.options.budget.output_limit(receipt.tokens_after)
    return Compaction(
        messages=[message.wire for message in context_of(job.transcript, standing, job.session.dialect)],
        receipt=receipt,
        plan=made,
        limits={} if limit is None else {"max_tokens": limit},
        archive=job.session.archive,
    )


def _check_window(job: Job, size: int) -> None:
    budget = job.options.budget
    if size > budget.window.tokens:
        raise CannotFitError(size, budget.usable)
