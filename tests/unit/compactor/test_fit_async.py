"""The asynchronous twin of `fit`: the same answer, off the event loop, one request of a session at a time."""

import asyncio
import threading
from typing import Any

from requirement import requirement
from vademecum import Archive, Compactor
from vademecum.core.requests import Summarize, Unavailable
from vademecum.testing import sample

ROWS = sample(turns=60)


def compactor(**more: Any) -> Compactor:
    return Compactor(window=64_000, session=Archive.memory().session("a", format="openai-chat"), **more)


@requirement("C-35")
def test_it_gives_what_fit_gives() -> None:
    done = asyncio.run(compactor().fit_async(ROWS))
    assert done.receipt.outcome == "compacted"
    assert list(done.messages) == list(compactor().fit(ROWS).messages)


@requirement("C-35")
def test_it_plans_in_a_worker() -> None:
    threads: list[int] = []

    def asked(request: Summarize) -> Unavailable:
        threads.append(threading.get_ident())
        return Unavailable("no model")

    asyncio.run(compactor(summarizer=asked).fit_async(ROWS))
    assert threads
    assert threading.get_ident() not in threads


@requirement("C-35")
def test_requests_at_once_make_one_compaction() -> None:
    one = compactor()

    async def several() -> list[int]:
        found = await asyncio.gather(*(one.fit_async(ROWS) for _ in range(4)))
        return [done.receipt.cycle for done in found]

    assert asyncio.run(several()) == [1, 1, 1, 1]


@requirement("C-35")
def test_a_cancelled_request_leaves_the_new_state_or_the_old() -> None:
    one = compactor()

    async def cancelled() -> None:
        task = asyncio.ensure_future(one.fit_async(ROWS))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(cancelled())
    assert list(one.fit(ROWS).messages) == list(compactor().fit(ROWS).messages)
