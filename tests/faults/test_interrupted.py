"""Failure, cancelling, restarting, and two at once: the old context or the new one, and it is told."""

import asyncio
import threading
from pathlib import Path

import pytest

from fault import fault
from faults.talk import GOOD, said, text_of, user, worked
from vademecum import Archive, Compactor, compact
from vademecum.testing import ScriptedModel, sample


class Interrupted(BaseException):
    """As a KeyboardInterrupt: no `except Exception` stops it."""


def interrupting(_: object) -> str:
    raise Interrupted


@fault(81, 82)
def test_an_interruption_in_the_summary_leaves_the_old_context() -> None:
    session = Archive.memory().session("s", format="openai-chat")
    rows = [user("go"), *worked(70)]
    compactor = Compactor(window=16_000, session=session, summarizer=interrupting)
    with pytest.raises(Interrupted):
        compactor.fit(rows)
    assert session.compaction() is None
    assert len(session) == len(rows)  # archived first
    # Nothing is locked and no flag is left: the same compactor's next request goes through.
    with pytest.raises(Interrupted):
        compactor.fit(rows)
    done = Compactor(window=16_000, session=session).fit(rows)
    assert done.receipt.outcome == "compacted"


@fault(82)
def test_a_cancelled_request_holds_up_no_other() -> None:
    entered, free = threading.Event(), threading.Event()

    def slow(_: object) -> str:
        entered.set()
        assert free.wait(30)
        return GOOD

    async def work() -> tuple[str, int]:
        session = Archive.memory().session("s", format="openai-chat")
        compactor = Compactor(window=16_000, session=session, summarizer=slow)
        rows = [user("go"), *worked(70)]
        task = asyncio.create_task(compactor.fit_async(rows))
        await asyncio.to_thread(entered.wait, 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task  # at once, not after the summary
        free.set()
        more = await compactor.fit_async([*rows, user("typed meanwhile")])
        return text_of(more), more.receipt.cycle

    text, cycle = asyncio.run(asyncio.wait_for(work(), 60))
    assert cycle == 1
    assert text.count("typed meanwhile") == 1


@fault(85)
@pytest.mark.parametrize("format", ["openai-chat", "anthropic"])
def test_a_session_that_is_resumed_has_the_context_of_before(tmp_path: Path, format: str) -> None:
    path = tmp_path / "sessions.db"
    rows = sample(format, turns=40)
    with Archive.open(path) as archive:
        compactor = Compactor(window=12_000, session=archive.session("s", format=format))
        for stop in range(20, len(rows) + 1, 20):
            done = compactor.fit(rows[:stop])
        assert done.receipt.cycle >= 3
        before = archive.session("s").context()
    with Archive.open(path) as archive:
        assert archive.session("s").context() == before
        again = Compactor(window=12_000, session=archive.session("s")).fit(rows[:stop])
        assert list(again.messages) == list(done.messages)
        assert again.receipt.cycle == done.receipt.cycle


@fault(87)
def test_sessions_at_the_same_time_never_mix() -> None:
    archive = Archive.memory()
    names = [f"s{number}" for number in range(6)]
    found: dict[str, str] = {}

    def work(name: str) -> None:
        model = ScriptedModel([f"{GOOD}\nThe secret word is only_{name}."])
        rows = [user(f"Task of only_{name}."), *worked(40), said(f"only_{name} done."), user(f"More of only_{name}.")]
        compactor = Compactor(window=8_000, session=archive.session(name, format="openai-chat"), summarizer=model)
        compactor.fit(rows)
        found[name] = text_of(compactor.fit([*rows, *worked(30, start=50)]))

    threads = [threading.Thread(target=work, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for name in names:
        assert f"only_{name}" in found[name]
        assert not any(f"only_{other}" in found[name] for other in names if other != name)


@fault(88)
@pytest.mark.parametrize("token_compression", [True, False])
def test_no_reduction_without_a_receipt(token_compression: bool) -> None:
    session = Archive.memory().session("s", format="openai-chat")
    rows = [user("go"), *worked(200)]
    done = compact(rows, window=32_000, session=session, token_compression=token_compression)
    receipt = done.receipt
    assert receipt.tokens_before > 100_000 > receipt.tokens_after
    assert receipt.cause == "trigger"
    assert receipt.tiers
    assert receipt.removed
    assert sum(receipt.categories_before.values()) == receipt.tokens_before
    assert sum(receipt.categories_after.values()) == receipt.tokens_after
    assert session.past()[0].receipt
    assert all(session.restore(id).data for id in receipt.removed)
