"""A summary that is prepared while there is time, and used when the trigger is crossed."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from requirement import requirement
from vademecum import Archive, Compactor
from vademecum.core.summary_check import SECTIONS
from vademecum.errors import RateLimited
from vademecum.models.model import Prompt, Reply
from vademecum.testing import ScriptedModel, sample

GOOD = "\n".join(f"## {section}\nService svc-{at} is up." for at, section in enumerate(SECTIONS))
TRIGGER = 8_000
ROWS = sample(turns=60)


def compactor(model: ScriptedModel, **more: Any) -> Compactor:
    session = Archive.memory().session("a", format="openai-chat")
    return Compactor(window=64_000, trigger=TRIGGER, target=5_000, session=session, summarizer=model, **more)


def first_above(share: float) -> int:
    """How many rows have so large a share of the trigger; the last of them ends a turn."""
    probe = Compactor(window=1_000_000)
    return next(
        at
        for at in range(2, len(ROWS))
        if ROWS[at]["role"] == "user" and probe.fit(ROWS[:at]).receipt.tokens_before > share * TRIGGER
    )


NEAR, OVER = first_above(0.9), first_above(1.0)


@requirement("C-37", "C-36")
def test_what_was_prepared_is_used_when_the_trigger_is_crossed() -> None:
    model = ScriptedModel([Reply(GOOD, "stop", 900, 70)])
    one = compactor(model)
    assert one.fit(ROWS[:NEAR]).receipt.cycle == 0
    assert one.prepare(ROWS[:NEAR])
    asked = len(model.prompts)
    assert asked == 1
    assert one.fit(ROWS[:NEAR]).receipt.cycle == 0  # nothing has changed
    done = one.fit(ROWS[:OVER])
    assert len(model.prompts) == asked
    assert (done.receipt.cycle, done.receipt.summary_model) == (1, "scripted")
    assert done.receipt.summary_tokens == (900, 70)
    read, told = done.receipt.coverage
    assert 0.75 * told <= read <= told


@requirement("C-37")
def test_far_from_the_trigger_or_without_a_model_nothing_is_prepared() -> None:
    model = ScriptedModel([GOOD])
    one = compactor(model)
    few = first_above(0.3)
    assert not one.prepare(ROWS[:few])
    assert model.prompts == []
    assert not Compactor(window=64_000, trigger=TRIGGER).prepare(ROWS[:NEAR])


@requirement("C-37", "C-35")
def test_what_no_longer_holds_is_written_anew() -> None:
    model = ScriptedModel([GOOD])
    one = compactor(model)
    one.prepare(ROWS[:NEAR])
    one.request("the ports")  # another focus than what was prepared for
    done = one.fit(ROWS[:OVER])
    assert done.receipt.cycle == 1
    assert len(model.prompts) == 2


@requirement("C-37", "C-34")
@pytest.mark.parametrize("first", [RateLimited("429"), "no headings"], ids=repr)
def test_a_preparation_that_fails_changes_nothing(first: object) -> None:
    model = ScriptedModel([first, GOOD])  # type: ignore[list-item]
    one = compactor(model)
    one.prepare(ROWS[:NEAR])
    assert one.fit(ROWS[:NEAR]).receipt.cycle == 0
    done = one.fit(ROWS[:OVER])
    assert done.receipt.outcome == "compacted"


@requirement("C-37", "C-35")
def test_cancelling_a_preparation_leaves_the_old_state() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(prompt: Prompt) -> str:
        begun.set()
        go_on.wait()
        return GOOD

    one = compactor(ScriptedModel([slow]))

    async def work() -> int:
        task = asyncio.create_task(asyncio.to_thread(one.prepare, ROWS[:NEAR]))
        await asyncio.to_thread(begun.wait)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        go_on.set()
        return (await one.fit_async(ROWS[:NEAR])).receipt.cycle

    assert asyncio.run(work()) == 0
    assert one.fit(ROWS[:OVER]).receipt.cycle == 1
