"""What choosing the carry costs at the hundredth compaction of a session, beside the fifth.

    .venv/bin/python bench/perf/carry_cycles.py

Writes `results/perf/carry_cycles.json`. A scripted conversation grows round by round and is compacted whenever its
context crosses the trigger; the processor time of each compaction is kept.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from figures import write
from material import Talk

from vademecum import Archive, Compactor

WINDOW, CYCLES = 128_000, 103
#: Rounds between two requests, so that the time goes into compactions.
ROUNDS = 10
#: Compactions around the fifth and around the hundredth whose median counts.
EARLY, LATE = slice(3, 8), slice(97, 103)
#: From here on there are more facts than the ledger looks at.
FULL = slice(9, 15)


def main() -> None:
    """Measures one conversation."""
    talk = Talk("openai-chat", 43)
    times: list[float] = []
    sizes: list[int] = []
    with tempfile.TemporaryDirectory() as folder, Archive.open(Path(folder, "a.db")) as archive:
        compactor = Compactor(window=WINDOW, session=archive.session("s", format="openai-chat"))
        while len(times) < CYCLES:
            talk.rounds(ROUNDS)
            started = time.process_time()
            done = compactor.fit(talk.messages)
            if done.plan is not None:
                times.append((time.process_time() - started) * 1_000)
                sizes.append(done.receipt.tokens_after)
    early, full, late = (median(times[which]) for which in (EARLY, FULL, LATE))
    found: dict[str, Any] = {
        "window": WINDOW,
        "messages": len(talk.messages),
        "fifth": {"cpu_ms": round(early, 1), "tokens_after": round(median(sizes[EARLY]))},
        "hundredth": {"cpu_ms": round(late, 1), "tokens_after": round(median(sizes[LATE]))},
        "hundredth_to_twelfth": round(late / full, 2),
        "cpu_ms": [round(each, 1) for each in times],
    }
    write("carry_cycles", {"cycle 100 to cycle 5": (round(late / early, 2), 1.2)}, found)


if __name__ == "__main__":
    main()
