"""The flow of one request, top to bottom: archive → measure → decide → plan → check → commit → project → receipt."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from vademecum.archive import Session, StoredCompaction
from vademecum.compactor.answers import Answers
from vademecum.compactor.context import case_of, context_of, leaving, pieces_of, projected
from vademecum.compactor.options import Compaction, Options
from vademecum.core.budget import Budget
from vademecum.core.case import Case, leading_system_rows
from vademecum.core.driver import drive
from vademecum.core.messages import Message
from vademecum.core.meter import categories
from vademecum.core.plan import Plan, plan
from vademecum.core.receipt import Receipt, receipt_of
from vademecum.errors import CannotFitError, VademecumError


def run(session: Session, messages: tuple[Message, ...], outside: tuple[int, int], options: Options) -> Compaction:
    """Takes a transcript into a session and brings its context under the trigger.

    Args:
        session: The session.
        messages: Its whole transcript.
        outside: Tokens of the system text and of the tools that stand outside the messages.
        options: How to do it.

    Raises:
        CannotFitError: Even the smallest context exceeds the window.
    """
    started = options.clock()
    sizes = options.counter.messages(messages)
    try:
        session.follow(messages, sizes)  # archive first: a part is durable before it leaves the context
        standing = session.compaction()
        case = case_of(session, messages, sizes, outside, standing, options)
        if not options.budget.due(case.before):
            return _unchanged(session, messages, case, outside, standing, options)
        answers = Answers(session, options.counter, options.summarize, options.clock)
        made = drive(plan(case), answers)
    except VademecumError as error:
        return _failed(session, messages, sizes, outside, options, error)
    receipt = receipt_of(made, session=session.id, cycle=case.cycle, budget=options.budget, overhead=case.overhead)
    receipt = replace(receipt, removed=(*leaving(messages, case, standing), *receipt.removed) if made.applies else ())
    if not made.applies:
        _check_window(case.before, options.budget)
        receipt = replace(receipt, cycle=case.cycle - 1, timing=_ms(options.clock() - started))
        return _result(session, messages, receipt, made, standing, options)
    _check_window(made.tokens_after, options.budget)
    pieces = pieces_of(case, made, leading_system_rows(messages))
    receipt = replace(
        receipt,
        origin=options.counter.origin,
        categories_before=categories(context_of(messages, standing, session), options.counter, outside),
        categories_after=categories(projected(messages, pieces, len(messages), session), options.counter, outside),
        tiers=tuple(replace(tier, ms=answers.ms.get(tier.name, 0)) for tier in receipt.tiers),
        timing=_ms(options.clock() - started),
    )
    new = StoredCompaction(
        cycle=case.cycle,
        folded=case.first + made.fold,
        cut=case.first + made.cut,
        covered=len(messages),
        tokens=made.tokens_after,
        pieces=pieces,
        narrative=made.narrative,
        receipt=json.dumps(receipt.as_dict()),
    )
    if not options.dry_run and not session.commit(
        new, expected=standing.id if standing is not None else 0, created=options.now()
    ):
        return run(session, messages, outside, options)  # another process was first: adopt what it made
    return _result(session, messages, receipt, made, new, options)


def _unchanged(
    session: Session,
    messages: tuple[Message, ...],
    case: Case,
    outside: tuple[int, int],
    standing: StoredCompaction | None,
    options: Options,
) -> Compaction:
    shown = categories(context_of(messages, standing, session), options.counter, outside)
    receipt = Receipt(
        session=session.id,
        cycle=case.cycle - 1,
        outcome="nothing_needed",
        tokens_before=case.before,
        tokens_after=case.before,
        window=options.budget.window,
        trigger_tokens=options.budget.trigger_tokens,
        target_tokens=options.budget.target(case.overhead),
        overhead_tokens=case.overhead,
        origin=options.counter.origin,
        categories_before=shown,
        categories_after=shown,
    )
    return _result(session, messages, receipt, None, standing, options)


def _failed(
    session: Session,
    messages: tuple[Message, ...],
    sizes: Sequence[int],
    outside: tuple[int, int],
    options: Options,
    error: VademecumError,
) -> Compaction:
    """The caller's messages, unchanged, and a receipt that says what failed."""
    size = sum(sizes) + sum(outside)
    receipt = Receipt(
        session=session.id,
        cycle=0,
        outcome="failed",
        tokens_before=size,
        tokens_after=size,
        window=options.budget.window,
        trigger_tokens=options.budget.trigger_tokens,
        target_tokens=options.budget.target(),
        failure=f"{type(error).__name__}: {error}",
    )
    return _result(session, messages, receipt, None, None, options)


def _result(
    session: Session,
    messages: tuple[Message, ...],
    receipt: Receipt,
    made: Plan | None,
    standing: StoredCompaction | None,
    options: Options,
) -> Compaction:
    limit = options.budget.output_limit(receipt.tokens_after)
    return Compaction(
        messages=[message.wire for message in context_of(messages, standing, session)],
        receipt=receipt,
        plan=made,
        limits={} if limit is None else {"max_tokens": limit},
        archive=session.archive,
    )


def _check_window(size: int, allowed: Budget) -> None:
    if size > allowed.window.tokens:
        raise CannotFitError(size, allowed.usable)


def _ms(seconds: float) -> dict[str, int]:
    return {"total": round(seconds * 1000)}
