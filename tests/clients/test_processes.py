"""Four processes on one session at once: one compaction in each cycle, and nothing is lost."""

from __future__ import annotations

import multiprocessing
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from clients.talk import Talk
from clients.worker import FORMAT, Done, own_text, work
from requirement import requirement
from vademecum import Archive

PROCESSES, STEPS = 4, 30


def at_once(db: Path, *, alone: bool) -> dict[int, list[Done]]:
    """What each of the processes saw."""
    context = multiprocessing.get_context("spawn")
    barrier, queue = context.Barrier(PROCESSES), context.Queue()
    workers = [
        context.Process(
            target=work, args=(str(db), number, STEPS), kwargs={"alone": alone, "barrier": barrier, "queue": queue}
        )
        for number in range(PROCESSES)
    ]
    for worker in workers:
        worker.start()
    found = dict(queue.get(timeout=300) for _ in workers)
    for worker in workers:
        worker.join(timeout=60)
    assert [ended for ended in found.values() if isinstance(ended, str)] == []
    assert [worker.exitcode for worker in workers] == [0] * PROCESSES
    return found


@requirement("C-35")
@pytest.mark.parametrize("alone", [False, True], ids=["the same transcript", "each with a last message of its own"])
def test_one_compaction_in_each_cycle(tmp_path: Path, alone: bool) -> None:
    found = at_once(tmp_path / "archive.db", alone=alone)
    assert [problem for seen in found.values() for done in seen for problem in done.wrong] == []
    planned = Counter(done.cycle for seen in found.values() for done in seen if done.planned)
    assert len(planned) >= 3
    assert set(planned.values()) == {1}
    assert set(planned) == set(range(1, max(planned) + 1))
    by_step: dict[int, list[Done]] = defaultdict(list)
    for seen in found.values():
        for done in seen:
            by_step[done.step].append(done)
    for step in by_step.values():
        assert len({done.cycle for done in step}) == 1  # the losers adopt what the winner committed
        assert alone or len({done.context for done in step}) == 1
    with Archive.open(tmp_path / "archive.db") as archive:
        session = archive.session("one")
        talk = Talk(FORMAT, 31)
        talk.rounds(4 * STEPS)
        kept = [message.wire for message in session.messages()]
        assert kept[: len(talk.messages)] == talk.messages
        if alone:
            for number in range(PROCESSES):
                for step in range(STEPS):
                    hits = archive.search(f"mark_{number}_{step}_x9", limit=3)
                    assert any(own_text(number, step) in hit.text for hit in hits)
