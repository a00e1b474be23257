"""`vademecum bench simulate`, and `vademecum simulate`, which is the same."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Cli, Ran
from cli.published import held_against, widen
from cli.test_json_shapes import agrees
from cli.transcripts import chat, jsonl
from requirement import requirement

ARGS = ("--trigger", "8000", "--target", "4000", "--arm", "vademecum", "--arm", "recency")


@pytest.fixture
def long(home: Path) -> Path:
    return jsonl(home / "long.jsonl", chat(60))


def published(ran: Ran) -> list[dict[str, Any]]:
    """The JSON Lines of a run; each is as its published schema says."""
    lines = [json.loads(line) for line in ran.out.splitlines()]
    for line in lines:
        if os.environ.get("RENEW_SHAPES"):
            widen(line)
        held_against(line)
    return lines


@requirement("B-9")
def test_json_lines(cli: Cli, long: Path) -> None:
    ran = cli("bench", "simulate", long, *ARGS, "--jobs", 1, "--json")
    assert ran.code == 0, ran.err
    lines = published(ran)
    ends = [line for line in lines if "end_state" in line]
    assert [line["arm"] for line in ends] == ["vademecum", "recency"]
    agrees("bench_cycle", lines[0])
    agrees("bench_end_state", ends[0])
    assert ran.out == cli("simulate", long, *ARGS, "--jobs", 1, "--json").out


@requirement("B-9")
def test_recall_lines(cli: Cli, long: Path) -> None:
    args = ("--trigger", 50_000, "--passes", 2, "--probes", 12, "--cycles", 1, "--arm", "drop-results", "--json")
    ran = cli("simulate", long, *args)
    assert ran.code == 0, ran.err
    agrees("bench_cycle_asked", published(ran)[0])


@requirement("B-9")
def test_the_table(cli: Cli, long: Path, home: Path) -> None:
    ran = cli("simulate", long, *ARGS, "-o", home / "out", "--jobs", 1)
    assert ran.code == 0, ran.err
    head, columns, first, *_ = ran.text.splitlines()
    assert head.startswith("vademecum: working after ")
    assert columns.split() == ["cycle", "before", "→", "after", "freed", "text", "floor", "messages", "input/request"]
    assert first.split()[0] == "1"
    assert sorted(path.name for path in (home / "out").iterdir()) == [
        "recency.jsonl",
        "simulation.json",
        "vademecum.jsonl",
    ]


def test_what_is_refused(cli: Cli, long: Path) -> None:
    cli("simulate", long, "--arm", "none").refused(2, "there is no arm 'none'")
    cli("simulate", long, "--preset", "none").refused(2, "no preset 'none'", "the presets are half, agent, hermes")
    cli("simulate", long, "--trigger", 8000, "--target", 9000).refused(2, "target 9,000 is above the trigger 8,000")
