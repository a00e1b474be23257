"""Drivers: the same plan whoever answers, and from a log."""

import asyncio
from typing import Any

import pytest

from requirement import requirement
from unit.core.cases import case_of
from vademecum.core.driver import Log, drive, drive_async, replay
from vademecum.core.plan import plan
from vademecum.core.requests import CountTokens, QueryFacts, Request, Steps, TierDone, Unavailable
from vademecum.core.tokens import TokenCounter
from vademecum.models.tokenizer import count_tokens


def counted(request: Request) -> Any:
    """What an archive that knows nothing answers."""
    match request:
        case CountTokens():
            return TokenCounter(count_tokens).texts(request.texts)
        case TierDone():
            return None
        case _:
            return Unavailable("no archive")


async def later(request: Request) -> Any:
    await asyncio.sleep(0)
    return counted(request)


@requirement("C-34")
def test_a_plan_needs_no_archive() -> None:
    made = drive(plan(case_of("openai-chat")), counted)
    assert made.outcome in ("compacted", "crowded")


def test_a_log_replays_to_the_same_plan() -> None:
    log: Log = []
    made = drive(plan(case_of("openai-chat")), counted, log)
    assert len(log) > 5
    assert replay(plan(case_of("openai-chat")), log) == made


def test_sync_and_async_drivers_agree() -> None:
    log: Log = []
    made = asyncio.run(drive_async(plan(case_of("anthropic")), later, log))
    assert made == drive(plan(case_of("anthropic")), counted)
    assert replay(plan(case_of("anthropic")), log) == made


def test_a_log_of_another_run_is_refused() -> None:
    log: Log = []
    drive(plan(case_of("openai-chat")), counted, log)
    with pytest.raises(ValueError, match="asks for"):
        replay(plan(case_of("openai-chat", turns=9)), log)
    with pytest.raises(ValueError, match="asks for"):
        replay(plan(case_of("openai-chat")), log[:-2])


@requirement("I5")
def test_cancelling_closes_the_planner() -> None:
    closed: list[bool] = []

    def steps() -> Steps[int]:
        try:
            yield QueryFacts(("request",), 1, 1)
        finally:
            closed.append(True)
        return 1

    async def stuck(_: Request) -> Any:
        await asyncio.sleep(3_600)

    async def cancelled() -> None:
        task = asyncio.create_task(drive_async(steps(), stuck))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert closed == [True]


def test_a_planner_that_asks_nothing_is_driven_too() -> None:
    def steps() -> Steps[int]:
        return 7
        yield TierDone("never")

    assert drive(steps(), counted) == 7
    assert asyncio.run(drive_async(steps(), later)) == 7
