"""Nothing on the event loop computes for long, whatever the size of the bodies."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from proxy.harness import CHAT, ENDPOINTS, RESPONSES, between, encoded, run
from proxy.transcripts import MAKERS, body
from requirement import requirement

#: Seconds of its own computing that one callback of the loop may take here; the aim is 0.005.
MOST_S = 0.05
SIZES = {700_000: 480, 2_000_000: 1_350}
CASES = [*((path, 700_000) for path in ENDPOINTS), (CHAT, 2_000_000), (RESPONSES, 2_000_000)]


class Watch:
    """Notes the longest computing of a callback of this thread's loop."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.longest, self.what = 0.0, ""
        thread, original = threading.get_ident(), asyncio.events.Handle._run

        def timed(handle: Any) -> None:
            start = time.thread_time()
            original(handle)
            took = time.thread_time() - start
            if took > self.longest and threading.get_ident() == thread:
                self.longest, self.what = took, repr(handle)

        monkeypatch.setattr(asyncio.events.Handle, "_run", timed)


@requirement("P-8", "P-10")
@pytest.mark.parametrize(("path", "size"), CASES)
def test_no_callback_holds_the_loop_while_large_bodies_are_compacted(
    db: Path, path: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = SIZES[size]
    bodies = [encoded(body(path, MAKERS[path](rounds + at, words=250))) for at in range(4)]
    assert len(bodies[0]) > size

    async def work() -> Watch:
        async with between(db, window=200_000, trigger=60_000) as proxy:
            watch = Watch(monkeypatch)
            for data in bodies:
                reply = await proxy.send(path, data)
                assert reply.cycle == 1
            return watch

    watch = run(work())
    print(
        f"{path} {size:,} bytes: longest callback {watch.longest * 1000:.1f} ms {watch.what[:120]}", file=sys.stderr
    )
    assert watch.longest < MOST_S, watch.what
