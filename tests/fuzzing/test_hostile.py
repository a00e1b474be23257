"""Inputs that are meant to hurt: a result or a clear error, in bounded time and memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fuzzing.hostile import INPUTS
from requirement import requirement
from vademecum import Archive, Compactor
from vademecum.errors import VademecumError
from vademecum.wire import DIALECTS, dialect

SCRIPT = Path(__file__).with_name("hostile.py")
#: These take long by their size alone.
LONG = ("a 50 MB result", "100,000 tiny messages")
#: One of each sort runs by day.
BY_DAY = ("combining", "lone surrogates", "deep arguments", "5,000 parts")
#: Where an error is right: a batch that is under way stays whole, and this one is larger than the window.
CLEAR = {"5,000 calls": ("CannotFitError",)}
#: Enough for a slow machine that does other things beside; what is quadratic takes hours.
PATIENCE_S, LONG_PATIENCE_S = 60, 300
MOST_GROWN_MB, MOST_GROWN_LONG_MB = 700, 3_000


def run(name: str, patience: int) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, SCRIPT, name], capture_output=True, text=True, check=False, timeout=patience
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    told = json.loads(done.stdout)
    print(name, told)
    return told


@requirement("C-22", "C-29", "C-11")
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in BY_DAY else pytest.mark.nightly) for name in INPUTS if name not in LONG],
)
def test_it_ends_well(name: str) -> None:
    told = run(name, PATIENCE_S)
    assert told["outcome"] in ("compacted", "crowded", "above_trigger", "nothing_needed", *CLEAR.get(name, ())), told
    assert told["grown_mb"] < MOST_GROWN_MB


@requirement("C-22", "C-29")
@pytest.mark.nightly
@pytest.mark.parametrize("name", LONG)
def test_it_ends_well_though_it_is_large(name: str) -> None:
    told = run(name, LONG_PATIENCE_S)
    assert told["outcome"] in ("compacted", "crowded", "above_trigger"), told
    assert told["grown_mb"] < MOST_GROWN_LONG_MB


@requirement("C-29")
@pytest.mark.parametrize("format", DIALECTS)
@pytest.mark.parametrize("key", ["content", "parts", "input"])
@pytest.mark.parametrize("inside", [False, True])
def test_a_message_that_is_10_000_deep_is_taken_or_refused(format: str, key: str, inside: bool) -> None:
    value: Any = "x"
    for _ in range(10_000):
        value = {"a": value}
    try:
        dialect(format).load({"role": "user", key: [value] if inside else value}, 0)
    except VademecumError as error:
        told = str(error)
    else:
        told = "message 0"
    assert "message 0" in told or "nested too deeply" in told


@requirement("C-29", "P-8")
def test_a_transcript_with_a_message_that_is_10_000_deep_goes_out_as_it_came() -> None:
    value: Any = "x"
    for _ in range(10_000):
        value = [value]
    rows = [{"role": "user", "content": "go"}, {"role": "tool", "tool_call_id": "x", "content": value}]
    compactor = Compactor(window=8_000, session=Archive.memory().session("s", format="openai-chat"))
    done = compactor.fit(rows)
    assert done.receipt.outcome == "failed"
    assert "nested too deeply" in done.receipt.failure
    assert done.messages is rows
    assert compactor.fit(rows[:1]).receipt.outcome == "nothing_needed"
