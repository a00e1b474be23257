"""The flow of one request, top to bottom: archive → measure → decide → plan → check → commit → project → receipt."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from vademecum.archive import Cycle, Piece, Session, StoredCompaction
from vademecum.compactor.answers import Answers
from vademecum.compactor.context import case_of, context_of, leaving, pieces_of, projected
from vademecum.compactor.due import Due, due, lasts
from vademecum.compactor.intake import brought_up
from vademecum.compactor.job import Job
from vademecum.compactor.memory import MAIN, Base, base_of
from vademecum.compactor.options import Compaction, Options
from vademecum.compactor.rebase import adopted
from vademecum.compactor.standing import sendable, standing_request
from vademecum.core.case import Case
from vademecum.core.driver import drive
from vademecum.core.messages import Message, Wire
from vademecum.core.meter import Measured, categories
from vademecum.core.phases import phase_advice
from vademecum.core.plan import Plan, plan
from vademecum.core.pricing import CacheBreak, cache_break
from vademecum.core.receipt import Cause, Receipt, receipt_of
from vademecum.core.scale import Scale
from vademecum.errors import CannotFitError, VademecumError


def run(session: Session, messages: Sequence[Message], outside: tuple[int, int], options: Options) -> Compaction:
    """Takes a whole transcript into its session and brings the context under the trigger.

    When compacting fails, the context stays as it was and the receipt says why.

    Args:
        session: The session.
        messages: The transcript.
        outside: Tokens of the system text and of the tools that stand outside the messages.
        options: How to compact.

    Raises:
        CannotFitError: Even the smallest context exceeds the window.
    """
    wires = [message.wire for message in messages]
    try:
        # Archive first: a part is durable before it leaves the context.
        known = brought_up(None, session, wires, lambda _, index: messages[index], options.counter, MAIN)
        return brought_under(Job(session, known.transcript, outside, options))
    except CannotFitError:
        raise
    except VademecumError as error:
        return failed(session, wires, sum(options.counter.messages(messages)) + sum(outside), options, error)


def brought_under(job: Job) -> Compaction:
    """The context of a session that has the whole transcript already; compacted when that is due."""
    base = base_of(job.session, job.view)
    size = job.measured(base.standing)
    if job.forced:
        job = replace(job, options=replace(job.options, budget=job.options.budget.below(size.tokens)))
    decided = due(job, size)
    if decided.cause is not None:
        done = _compacted(job.focused(decided.focus), base, decided.cause, size)
    else:
        done = _unchanged(job, base.standing, size, decided)
    if decided.asked and not job.options.dry_run:
        job.session.request_served()
    cut = job.memory.cut()
    if cut is None:
        return done
    return replace(done, receipt=replace(done.receipt, warnings=(*done.receipt.warnings, _cut(*cut))))


def _cut(read: int, sent: int) -> str:
    return (
        f"silent_truncation: the server read {read:,} of about {sent:,} tokens, so it cut the prompt; "
        "ask for a larger num_ctx, or give that window"
    )


def _compacted(job: Job, base: Base, cause: Cause, size: Measured) -> Compaction:
    started, options, scale = job.options.clock(), job.options, size.scale
    pins, left_out = job.pins()
    # The planner counts, so its budget is in what we count; the receipt is in what the model reads.
    counting = replace(options, budget=scale.budget(options.budget))
    case = case_of(job.session, job.transcript, job.outside, base.standing, counting, pins)
    answers = Answers(
        job.session,
        options.counter,
        options.summarize,
        options.clock,
        options.workspace,
        lambda region: standing_request(job, case, base.standing, size, region),
    )
    made = drive(plan(case), answers)
    for usage in () if options.dry_run else answers.paid:
        job.session.record_usage(usage, cycle=case.cycle, at=options.now(), kind="summary")
    receipt = receipt_of(made, session=job.session.id, case=case).on(scale, options.budget)
    receipt = replace(
        receipt,
        cause=cause,
        summary_tokens=(
            sum(usage.prompt_tokens for usage in answers.paid),
            sum(usage.output_tokens for usage in answers.paid),
        ),
        summary_ways=tuple(answers.ways),
        pins_left_out=tuple(dict.fromkeys(pin.id for pin in left_out)),
        tiers=tuple(replace(tier, ms=answers.ms.get(tier.name, 0)) for tier in receipt.tiers),
        timing={"plan": round((options.clock() - started) * 1000)},
    )
    breaker, rule = job.memory.breaker(), options.preset.breaker
    paused = breaker.failures >= rule.failures
    helped = made.applies if rule.any_reduction else lasts(case, made, base.standing, paused=paused)
    after = breaker.after(receipt.tokens_before, options.budget.window.tokens, helped=helped)
    if after != breaker and not options.dry_run:
        job.memory.remember_breaker(after)
    _check_window(job, receipt.tokens_after)
    if not made.applies:
        return _result(job, replace(receipt, cycle=case.cycle - 1, origin=size.origin), made, base.standing, size)
    size = Measured(receipt.tokens_after, job.measuring.origin(scale), made.tokens_after, scale)
    return _committed(job, case, made, receipt, base, size)


def _committed(job: Job, case: Case, made: Plan, receipt: Receipt, base: Base, size: Measured) -> Compaction:
    """Commits a plan; where another process was first, its compaction is adopted."""
    pieces = pieces_of(case, made, job.transcript)
    receipt = replace(
        receipt,
        removed=(*leaving(job.transcript, base.standing), *receipt.removed),
        origin=size.origin,  # until the provider reports again
        cache=_broken(job, case, receipt, size.scale),
        **_categories(job, base.standing, pieces, size.scale),
    )
    cycles = (*job.session.cycles(job.view), Cycle(case.cycle, job.transcript.length, made.tokens_after))
    receipt = replace(receipt, phase=phase_advice(cycles, job.session.id))
    new = StoredCompaction(
        cycle=case.cycle,
        folded=case.positions[made.fold],
        cut=case.positions[made.cut],
        covered=job.transcript.length,
        tokens=made.tokens_after,
        pieces=pieces,
        narrative=made.narrative,
        receipt=json.dumps(receipt.as_dict()),
        id=base.expected,
    )
    if not job.options.dry_run and not _stored(job, new, base.newest):
        return brought_under(replace(job, forced=False))
    return _result(job, receipt, made, new, size)


def _broken(job: Job, case: Case, receipt: Receipt, scale: Scale) -> CacheBreak:
    """What the break of the provider's cache costs, and how many requests there will be to pay it back."""
    room = job.options.budget.acting_trigger - receipt.tokens_after
    return cache_break(
        receipt.tokens_before,
        receipt.tokens_after,
        receipt.overhead_tokens,
        warm=not job.cold,
        expected=max(0, room // max(1, scale.share(case.average_round))),
    )


def _stored(job: Job, new: StoredCompaction, since: int) -> bool:
    """Commits; False when another process was first, here or in a branch beside this one."""
    with job.session.archive.connection.transaction(durable=True):
        if adopted(job.session, job.transcript, job.options.counter, job.view, since, new.cycle):
            return False
        job.session.forget_undone(job.view)
        return job.session.commit(new, expected=new.id, view=job.view, created=job.options.now())


def _categories(
    job: Job, standing: StoredCompaction | None, pieces: Sequence[Piece], scale: Scale
) -> dict[str, dict[str, int]]:
    counter = job.options.counter
    before = context_of(job.transcript, standing, job.session)
    after = projected(job.transcript, pieces, job.transcript.length, job.session)
    return {
        "categories_before": scale.categories(categories(before, counter, job.outside)),
        "categories_after": scale.categories(categories(after, counter, job.outside)),
    }


def _unchanged(job: Job, standing: StoredCompaction | None, size: Measured, decided: Due) -> Compaction:
    budget, overhead = job.options.budget, size.scale.size(job.overhead)
    receipt = Receipt(
        session=job.session.id,
        cycle=0 if standing is None else standing.cycle,
        outcome=decided.outcome,
        cause="requested" if decided.asked else "trigger",
        tokens_before=size.tokens,
        tokens_after=size.tokens,
        window=budget.window,
        trigger_tokens=budget.trigger_tokens,
        target_tokens=budget.target(overhead),
        overhead_tokens=overhead,
        origin=size.origin,
        failure=decided.why,
        ratio=round(size.scale.ratio, 4),
    )
    return _result(job, receipt, None, standing, size)


def failed(
    session: Session, messages: Sequence[Wire], size: int, options: Options, error: VademecumError
) -> Compaction:
    """The caller's messages, unchanged, and a receipt that says what failed."""
    receipt = Receipt(
        session=session.id,
        cycle=0,
        outcome="failed",
        tokens_before=size,
        tokens_after=size,
        window=options.budget.window,
        trigger_tokens=options.budget.trigger_tokens,
        target_tokens=options.budget.target(),
        failure=session.archive.redactor(f"{type(error).__name__}: {error}"),
    )
    limits = options.limits(session.dialect, size)
    return Compaction(messages, receipt, None, limits, session.archive, size=Measured(size, "counted", size))


def _result(
    job: Job, receipt: Receipt, made: Plan | None, standing: StoredCompaction | None, size: Measured
) -> Compaction:
    context = sendable(job, standing)
    # Where nothing was needed the caller's own list is sent, so none is made.
    nothing = made is None and standing is None
    return Compaction(
        messages=[] if nothing else [message.wire for message in context],
        receipt=receipt,
        plan=made,
        limits=job.options.limits(job.session.dialect, receipt.tokens_after),
        archive=job.session.archive,
        context=context,
        size=size,
    )


def _check_window(job: Job, size: int) -> None:
    budget = job.options.budget
    if size > budget.window.tokens:
        raise CannotFitError(size, budget.usable)
