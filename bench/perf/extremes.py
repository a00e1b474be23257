"""Transcripts that nobody means to send: a tool result of 50 MB, and 100,000 tiny messages at once.

    .venv/bin/python bench/perf/extremes.py

Writes `results/perf/extremes.json`. Each is fitted once, in a process of its own, into an archive on disk; the second
`fit` is what every request after that takes.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from figures import timed, write

MEGABYTES, TINY = 50, 100_000


def main() -> None:
    """Measures each in its process, or is one of these."""
    if len(sys.argv) > 1:
        print(json.dumps(fitted(MAKERS[sys.argv[1]]())))
        return
    found: dict[str, Any] = {}
    for name in MAKERS:
        done = subprocess.run([sys.executable, __file__, name], check=True, capture_output=True)
        found[name] = json.loads(done.stdout)
    aims = {f"{name}, first fit, s": (found[name]["first"]["cpu_s"], most) for name, most in AIMS.items()}
    write("extremes", aims, {"runs": found})


def fitted(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The first `fit`, and one more with another message."""
    from vademecum import Archive, Compactor

    with tempfile.TemporaryDirectory() as folder, Archive.open(Path(folder, "a.db")) as archive:
        compactor = Compactor(window=200_000, session=archive.session("s", format="openai-chat"))
        compactor.fit(rows[:2])
        before = peak()
        outcome: list[str] = []
        first = timed(lambda: outcome.append(compactor.fit(rows).receipt.outcome))
        grown = peak() - before
        rows.append({"role": "user", "content": "And now?"})
        again = timed(lambda: compactor.fit(rows))
    return {
        "first": {"wall_s": round(first.wall / 1_000, 2), "cpu_s": round(first.cpu / 1_000, 2)},
        "again_ms": round(again.cpu, 1),
        "outcome": outcome[0],
        "grown_mb": round(grown / 1e6),
    }


def peak() -> int:
    """The largest resident size so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1_024)


def tiny() -> list[dict[str, Any]]:
    """Messages of a word each."""
    return [{"role": ("user", "assistant")[at % 2], "content": f"m{at}"} for at in range(TINY)]


def large_result(text: str) -> list[dict[str, Any]]:
    """A round whose result is too long for any window."""
    call = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "cat log"}'}}
    return [
        {"role": "user", "content": "What does the log say?"},
        {"role": "assistant", "content": "I look.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": text},
        {"role": "assistant", "content": "It is long."},
        {"role": "user", "content": "Go on."},
    ]


def log() -> list[dict[str, Any]]:
    """A log of lines that differ."""
    lines: list[str] = []
    size = 0
    while size < MEGABYTES * 1_000_000:
        at = len(lines)
        lines.append(
            f"2026-11-30 12:{at % 60:02d}:01 INFO request {at} from 10.0.{at % 7}.{at % 255} path=/api/items/{at} "
            f"status={200 + at % 5} in {at % 97} ms"
        )
        size += len(lines[-1]) + 1
    return large_result("\n".join(lines))


def one_character() -> list[dict[str, Any]]:
    """A result of one character, again and again."""
    return large_result("x" * MEGABYTES * 1_000_000)


MAKERS = {"tiny_messages": tiny, "log_of_50_mb": log, "one_character_50_mb": one_character}
#: Seconds of the processor that a first `fit` may take.
AIMS = {"tiny_messages": 25.0, "log_of_50_mb": 10.0, "one_character_50_mb": 10.0}

if __name__ == "__main__":
    main()
