"""One of several processes that work on one session at the same time."""

from __future__ import annotations

import hashlib
import json
import traceback
from dataclasses import dataclass
from multiprocessing.synchronize import Barrier
from typing import Any

from clients.replay import Judge
from clients.talk import Talk
from vademecum import Archive, Compactor

FORMAT = "openai-chat"
WINDOW = 32_000


@dataclass(frozen=True)
class Done:
    """What one process saw in one step."""

    step: int
    cycle: int
    planned: bool
    context: str
    wrong: tuple[str, ...]


def own_text(worker: int, step: int) -> str:
    """What a worker alone says in a step."""
    return f"worker {worker} says in step {step}: look at mark_{worker}_{step}_x9"


def work(db: str, worker: int, steps: int, *, alone: bool, barrier: Barrier, queue: Any) -> None:
    """Puts what it saw, or the traceback of what ended it: a process that dies in silence is waited for in vain."""
    try:
        queue.put((worker, seen(db, worker, steps, alone=alone, barrier=barrier)))
    except Exception:
        barrier.abort()  # the others need not wait for one who will not come
        queue.put((worker, traceback.format_exc()))


def seen(db: str, worker: int, steps: int, *, alone: bool, barrier: Barrier) -> list[Done]:
    """Sends the same growing transcript as the others, or the same with a last message of its own."""
    talk, judge, found = Talk(FORMAT, 31), Judge(FORMAT, WINDOW), []
    with Archive.open(db) as archive:
        compactor = Compactor(window=WINDOW, session=archive.session("one", format=FORMAT))
        for step in range(steps):
            talk.rounds(4)
            last = [{"role": "user", "content": own_text(worker, step)}] if alone else []
            messages = [*talk.messages, *last]
            barrier.wait(timeout=120)
            done = compactor.fit(messages)
            judge.judge(done, messages)
            planned = done.plan is not None and done.plan.applies
            context = hashlib.sha256(json.dumps(list(done.messages)).encode("utf-8", "replace")).hexdigest()
            found.append(Done(step, done.receipt.cycle, planned, context, tuple(judge.tally.wrong)))
    return found
