"""How the scripts beside this one measure, and where they write what they found."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "bench/results/perf"


@dataclass(frozen=True)
class Time:
    """Milliseconds of one call, by the clock on the wall and of the processor."""

    wall: float
    cpu: float


def timed(call: Callable[[], object]) -> Time:
    """Calls once."""
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return Time((time.perf_counter() - wall) * 1_000, (time.process_time() - cpu) * 1_000)


def paired(runs: int, one: Callable[[], object], other: Callable[[], object]) -> tuple[list[Time], list[Time]]:
    """Calls two things in turn, so that both have the same neighbours on the machine; which is first changes."""
    times: tuple[list[Time], list[Time]] = ([], [])
    for run in range(runs):
        for which in (0, 1) if run % 2 == 0 else (1, 0):
            times[which].append(timed((one, other)[which]))
    return times


def medians(times: Sequence[Time]) -> dict[str, float]:
    """The median of several calls."""
    return {
        "wall_ms": round(median(time.wall for time in times), 3),
        "cpu_ms": round(median(time.cpu for time in times), 3),
    }


def ratio(times: Sequence[Time], others: Sequence[Time]) -> float:
    """How many times as much processor time the former take, pair by pair."""
    return round(median(one.cpu / max(other.cpu, 1e-3) for one, other in zip(times, others, strict=True)), 2)


def p95(values: Sequence[float]) -> float:
    """The 95th percentile."""
    return round(quantiles(values, n=20)[-1], 2)


def write(name: str, aims: dict[str, tuple[float, float]], found: dict[str, Any]) -> None:
    """Writes what a script found, with its aims.

    Args:
        name: Of the file.
        aims: What is aimed at → (what was found, the most that it may be).
        found: All figures.
    """
    results = {
        "setting": {
            "python": platform.python_version(),
            "cores": os.cpu_count(),
            "load": round(os.getloadavg()[0], 1),
        },
        "aims": {aim: {"found": value, "most": most, "met": value <= most} for aim, (value, most) in aims.items()},
        **found,
    }
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    for aim, (value, most) in aims.items():
        print(f"{'ok  ' if value <= most else 'MISS'} {aim}: {value:g} (at most {most:g})", flush=True)
