"""What it costs to decide that nothing is to be done; writes `results/decide.json`.

    .venv/bin/python bench/decide.py

A transcript of each size stands in an archive on disk, the trigger is set above it, and one new message comes with
each request. Measured are `fit` on a list of the same objects, `fit` on a deep copy of the whole list (which has to
be recognised), recognition alone, and a plain comparison of two equal copies of the list, which is its measure. Then
the same with a compaction in place: its context is projected for every request.
"""

from __future__ import annotations

import copy
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from clients.talk import Talk  # noqa: E402
from vademecum import Archive, Compactor  # noqa: E402
from vademecum.compactor.recognition import recognise  # noqa: E402
from vademecum.core.tokens import TokenCounter  # noqa: E402
from vademecum.models.tokenizer import count_tokens  # noqa: E402
from vademecum.wire import dialect  # noqa: E402

RESULTS = ROOT / "bench/results/decide.json"
FORMAT = "openai-chat"
SIZES = (50_000, 125_000, 250_000, 500_000, 1_000_000)
WINDOW = 4_000_000
#: Requests that are measured at each size.
RUNS, COPIES = 60, 15


def main() -> None:
    """Measures every size and writes the results."""
    results: dict[str, Any] = {
        "setting": {
            "format": FORMAT,
            "runs": RUNS,
            "copies": COPIES,
            "python": ".".join(map(str, sys.version_info[:3])),
        },
        "sizes": {},
    }
    talk, counter, tokens, done = Talk(FORMAT, 41), TokenCounter(count_tokens), 0, 0
    for size in SIZES:
        while tokens < size:
            talk.rounds(10)
            loaded = [dialect(FORMAT).load(wire, at) for at, wire in enumerate(talk.messages[done:])]
            tokens, done = tokens + sum(counter.messages(loaded)), len(talk.messages)
        results["sizes"][str(size)] = found = measured(list(talk.messages))
        print(f"{size:>9,}: {found}", flush=True)
    first, last = results["sizes"][str(SIZES[0])], results["sizes"][str(SIZES[-1])]
    results["growth_of_the_rest"] = round(last["rest_ms"] / first["rest_ms"], 2)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", "utf-8")


def measured(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """One size: medians in milliseconds."""
    more = Talk(FORMAT, 42)
    more.rounds(RUNS + COPIES)
    coming = iter(more.messages)
    with tempfile.TemporaryDirectory() as folder, Archive.open(Path(folder, "decide.db")) as archive:
        compactor = Compactor(window=WINDOW, trigger=WINDOW // 2, session=archive.session("s", format=FORMAT))
        compactor.fit(messages)

        def same() -> None:
            messages.append(next(coming))
            compactor.fit(messages)

        def copied(sent: list[dict[str, Any]]) -> None:
            compactor.fit(sent)

        same_ms = milliseconds(same, RUNS)
        copied_ms: list[float] = []
        for _ in range(COPIES):
            messages.append(next(coming))
            sent = copy.deepcopy(messages)
            copied_ms.append(once(lambda sent=sent: copied(sent)))
        known = tuple(dialect(FORMAT).load(wire, at) for at, wire in enumerate(messages))
        wires, other = tuple(messages), copy.deepcopy(messages)
        loader = dialect(FORMAT).load
        recognised = milliseconds(lambda: recognise(known, wires, other, 0, loader), COPIES)
        alike = milliseconds(lambda: recognise(known, wires, messages, 0, loader), COPIES)
        compared = milliseconds(lambda: messages == other, COPIES)
        compactor.fit(messages, forced=True)
        standing_ms = milliseconds(same, COPIES)
    ms = {
        "same_objects_ms": same_ms,
        "copied_ms": median(copied_ms),
        "recognition_ms": recognised,
        "recognition_of_same_objects_ms": alike,
        "comparison_ms": compared,
        "rest_ms": same_ms - alike,
        "on_a_compaction_ms": standing_ms,
    }
    return {
        "messages": len(messages),
        **{key: round(value, 3) for key, value in ms.items()},
        "recognition_to_comparison": round(recognised / compared, 2),
    }


def milliseconds(call: Callable[[], object], times: int) -> float:
    """The median of several calls."""
    return median(once(call) for _ in range(times))


def once(call: Callable[[], object]) -> float:
    """Milliseconds of one call."""
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


if __name__ == "__main__":
    main()
