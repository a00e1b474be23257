"""Slow and failing answers to every request of the planner, cancellation at every await, and clocks that jump."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest

from injection.driving import FORMATS, WINDOW, grown, plan_of, state_of
from night import often
from requirement import requirement
from vademecum import Archive, Compactor, compact
from vademecum.compactor import answers
from vademecum.core.driver import drive, drive_async
from vademecum.core.plan import plan
from vademecum.core.requests import CountTokens, ReadFile, Request, TierDone, Unavailable
from vademecum.errors import ArchiveBusy, ArchiveCorrupt, ArchiveFull, BadRequest, VademecumError
from vademecum.testing import sample


class Answering:
    """Answers as the real thing, but for one request."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[type[Request]] = []
        self.at = -1
        self.failure: Unavailable | VademecumError = Unavailable("injected")
        original = answers.Answers.__call__

        def answer(own: answers.Answers, request: Request) -> Any:
            self.asked.append(type(request))
            if len(self.asked) - 1 == self.at:
                if isinstance(self.failure, VademecumError):
                    raise self.failure
                return self.failure
            return original(own, request)

        monkeypatch.setattr(answers.Answers, "__call__", answer)

    def fails(self, at: int, failure: Unavailable | VademecumError) -> None:
        self.asked, self.at, self.failure = [], at, failure


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Answering:
    return Answering(monkeypatch)


@requirement("C-34", "C-35")
@pytest.mark.parametrize("format", FORMATS)
def test_every_request_may_have_no_answer(format: str, answering: Answering) -> None:
    """Without one answer the plan is another one, which holds all the same. Counts have an answer always."""
    case = grown(format)
    answering.fails(-1, answering.failure)
    compact(case.rows, window=WINDOW, session=case.session, workspace=case.folder)
    asked = list(answering.asked)
    assert len(set(asked)) >= 5
    failing = [number for number, kind in enumerate(asked) if kind not in (CountTokens, TierDone)]
    for number in failing[:: often(9, 1)]:
        kind = asked[number]
        case = grown(format)
        answering.fails(number, Unavailable("injected"))
        done = compact(case.rows, window=WINDOW, session=case.session, workspace=case.folder)
        assert done.receipt.outcome in ("compacted", "crowded"), (number, kind, done.receipt.failure)
        assert done.receipt.tokens_after < done.receipt.tokens_before
        assert {problem.kind for problem in case.problems(done)} == set()


@requirement("C-34", "C-35", "A-2")
@pytest.mark.parametrize(
    "failure", [ArchiveBusy("locked"), ArchiveFull("full"), ArchiveCorrupt("page 7"), BadRequest("no")], ids=repr
)
def test_every_request_may_fail(failure: VademecumError, answering: Answering) -> None:
    """The caller's messages come out as they were, the receipt says why, and the next request is served."""
    case = grown("openai-chat")
    answering.fails(-1, failure)
    whole = compact(case.rows, window=WINDOW, session=case.session)
    for number in range(0, len(answering.asked), often(29, 1)):
        case = grown("openai-chat")
        before = state_of(case.session)
        answering.fails(number, failure)
        done = compact(case.rows, window=WINDOW, session=case.session)
        assert done.receipt.outcome == "failed"
        assert type(failure).__name__ in done.receipt.failure
        assert list(done.messages) == case.rows
        assert state_of(case.session) == before
        answering.fails(-1, failure)
        again = compact(case.rows, window=WINDOW, session=case.session)
        assert list(again.messages) == list(whole.messages)


@requirement("C-35")
@pytest.mark.parametrize("format", FORMATS)
def test_slow_answers_change_nothing(format: str) -> None:
    """Each look at the clock is an hour later: no plan depends on how long its answers took."""
    hours = itertools.count(0.0, 3_600.0)
    slow = Compactor(window=WINDOW, session=grown(format).session, clock=lambda: next(hours)).fit(grown(format).rows)
    quick = Compactor(window=WINDOW, session=grown(format).session, clock=lambda: 0.0).fit(grown(format).rows)
    assert list(slow.messages) == list(quick.messages)
    assert sum(tier.ms for tier in slow.receipt.tiers) >= 3_600_000


def jumps(*values: float) -> Iterator[float]:
    return itertools.cycle(values)


@requirement("C-35")
@pytest.mark.parametrize(
    "times",
    [(0.0,), (2_000_000_000.0, 10.0), (-5.0, 4e9), (253_402_300_800.0,), (1e18, -1e18)],
    ids=["1970", "back", "before 1970", "year 10000", "absurd"],
)
def test_clocks_that_jump_change_no_context(times: tuple[float, ...]) -> None:
    rows = sample(turns=30)
    made = []
    for given in (times, (1_700_000_000.0,)):
        wall, steady = jumps(*given), jumps(*given)
        session = Archive.memory().session("s", format="openai-chat")
        compactor = Compactor(
            window=WINDOW, session=session, clock=lambda s=steady: next(s), now=lambda w=wall: next(w)
        )
        contexts = []
        for stop in (40, 80, len(rows)):
            contexts.append(list(compactor.fit(rows[:stop]).messages))
            compactor.observe({"usage": {"prompt_tokens": 5_000}})
        made.append((contexts, session.context()))
        assert session.archive.verify() == []
        assert session.search("port 5003")
    assert made[0] == made[1]


@requirement("I5", "C-35")
def test_cancelling_at_every_await_leaves_nothing_behind() -> None:
    case = grown("openai-chat")
    before = state_of(case.session)
    wanted, awaits = asyncio.run(counted(case))
    assert awaits > 20
    assert state_of(case.session) == before

    async def cancelled(at: int) -> bool:
        """Cancels while the answer of that number is awaited; whether the planner was closed."""
        steps, seen = plan(plan_of(case)), itertools.count()
        answer = case.answers()

        async def slowly(request: Request) -> Any:
            given = answer(request)
            if next(seen) == at:
                reached.set()
                await asyncio.Event().wait()  # for ever
            return given

        reached = asyncio.Event()
        task = asyncio.create_task(drive_async(steps, slowly))
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return steps.gi_frame is None

    for at in range(awaits):
        assert asyncio.run(cancelled(at))
        assert state_of(case.session) == before
    again = drive(plan(plan_of(case)), case.answers())
    assert again == wanted


async def counted(case: Any) -> tuple[Any, int]:
    """The plan as it is made undisturbed, and how many answers were awaited."""
    number = itertools.count()
    answer = case.answers()

    async def slowly(request: Request) -> Any:
        next(number)
        await asyncio.sleep(0)
        return answer(request)

    return await drive_async(plan(plan_of(case)), slowly), next(number)


@requirement("C-35")
@pytest.mark.parametrize("kind", [ReadFile, CountTokens])
def test_cancelling_fit_async_leaves_the_old_state_or_the_new_one(
    kind: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker goes on to its end; who comes next waits for it and finds all of it."""
    import threading

    entered, free, original = threading.Event(), threading.Event(), answers.Answers.__call__

    def answer(self: answers.Answers, request: Request) -> Any:
        if isinstance(request, kind) and not entered.is_set():
            entered.set()
            assert free.wait(30)
        return original(self, request)

    case = grown("openai-chat")
    monkeypatch.setattr(answers.Answers, "__call__", answer)
    compactor = Compactor(window=WINDOW, session=case.session, workspace=case.folder)

    async def work() -> Any:
        task = asyncio.create_task(compactor.fit_async(case.rows))
        await asyncio.to_thread(entered.wait, 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        free.set()
        return await compactor.fit_async(case.rows)

    done = asyncio.run(asyncio.wait_for(work(), 60))
    whole = grown("openai-chat")
    wanted = Compactor(window=WINDOW, session=whole.session, workspace=whole.folder).fit(whole.rows)
    assert list(done.messages) == list(wanted.messages)
    assert [json.loads(raw) for raw in case.session.context()] == list(done.messages)
