"""Runs side by side, runs in a list, and the questions that they ask."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.conftest import Cli
from cli.test_json_shapes import agrees
from requirement import requirement
from unit.bench.talk import rows

RUN = ("--tokens", "45000", "--window", "40000", "--target", "8000", "--probes", "20", "--jobs", "1")


@pytest.fixture
def log(home: Path) -> Path:
    path = home / "talk.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows(120)), "utf-8")
    return path


@requirement("B-10")
def test_compare_ends_with_one_on_a_planted_regression(cli: Cli, home: Path, log: Path) -> None:
    arms = ("--arm", "drop-results", "--arm", "nothing")
    for name in ("before", "after"):
        assert cli("bench", "run", log, "-o", name, *RUN, *arms, "-q").code == 0
    same = cli("bench", "compare", "before", "after", "--fail-on", "regression", "--json")
    assert (same.code, same.json["regressions"]) == (0, 0)
    path = home / "after" / "talk" / "drop-results.json"
    held = json.loads(path.read_text("utf-8"))
    for answer in held["answers"]:
        answer["closed"]["points"] = 0
    path.write_text(json.dumps(held), "utf-8")
    worse = cli("bench", "compare", "before", "after", "--fail-on", "regression", "--json")
    agrees("bench_comparison", worse.json)
    assert (worse.code, worse.json["regressions"]) == (1, 1)
    assert cli("bench", "compare", "before", "after").code == 0, "a regression is no failure unless it is asked for"
    assert "worse" in cli("bench", "compare", "before", "after").text
    assert cli("bench", "compare", "after", "before", "--fail-on", "regression").code == 0
    assert cli("bench", "compare", "before", "after", "--fail-on", "regression", "--arm", "nothing").code == 0
    cli("bench", "compare", "before", "nowhere").refused(2, "holds no run")
    listed = cli("bench", "list", "--json")
    agrees("bench_runs", listed.json)
    assert [run["run"] for run in listed.json["runs"]] == ["after", "before"]
    assert "after" in cli("bench", "list", home).text


def test_no_runs(cli: Cli, home: Path) -> None:
    nothing = cli("bench", "list", "--json")
    assert (nothing.code, nothing.json["runs"]) == (1, [])


@requirement("B-2")
def test_probes_are_written_and_shown_again(cli: Cli, home: Path, log: Path) -> None:
    some = ("--tokens", "45000", "--probes", "12")
    made = cli("bench", "probes", log, "-o", "probes.jsonl", *some, "--show", "1", "--json")
    agrees("bench_probes", made.json)
    assert made.json["kind"]["cloze"] == 12
    assert {row["kind"] for row in made.json["examples"]} == set(made.json["kind"])
    again = cli("bench", "probes", "probes.jsonl", "--show", "1", "--json").json
    assert {**again, "file": ""} == {**made.json, "file": ""}
    first = (home / "probes.jsonl").read_bytes()
    cli("bench", "probes", log, "-o", "probes.jsonl", *some)
    assert (home / "probes.jsonl").read_bytes() == first
    shown = cli("bench", "probes", "probes.jsonl", "--show", "2").text
    assert shown.count("\ncloze c_") == 2
    assert "gold: (none)" in shown
