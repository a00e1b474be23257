from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from requirement import requirement
from unit.bench.answering import reply_to
from unit.bench.talk import lineage
from vademecum.bench.arms.table import chosen
from vademecum.bench.calls.request import Request
from vademecum.bench.calls.store import Given
from vademecum.bench.compare import compare
from vademecum.bench.interview.drive import drive
from vademecum.bench.interview.interview import Interview
from vademecum.bench.interview.prepare import plan_of, prepare
from vademecum.bench.lineage import save
from vademecum.bench.listing import listing
from vademecum.bench.run import Run, run
from vademecum.bench.setting import Setting
from vademecum.errors import ConfigError

SETTING = Setting(tokens=45_000, window=40_000, target=8_000, cloze=60, others=5)


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("compare")
    run(Run(folder / "run", {"made": save(lineage(150), folder)}, SETTING, chosen(["uncompacted", "drop-results"])))
    return folder / "run"


def changed(before: Path, folder: Path, change: Callable[[int, dict[str, Any]], None]) -> Path:
    """The run with other answers of `drop-results`."""
    shutil.copytree(before, folder)
    path = folder / "made" / "drop-results.json"
    held = json.loads(path.read_text("utf-8"))
    for number, answer in enumerate(held["answers"]):
        change(number, answer)
    path.write_text(json.dumps(held), "utf-8")
    return folder


def row(found: dict[str, Any], arm: str, mode: str = "closed") -> dict[str, Any]:
    return next(row for row in found["rows"] if (row["arm"], row["mode"]) == (arm, mode))


@requirement("B-10", "B-7")
def test_a_run_is_the_same_as_itself(before: Path) -> None:
    found = compare(before, before)
    assert {row["verdict"] for row in found["rows"]} == {"same"}
    assert found["regressions"] == 0
    assert (found["setting"], found["only"]) == ({}, [[], []])
    assert row(found, "drop-results")["difference"] == {"value": 0, "low": 0, "high": 0}


@requirement("B-10", "B-7")
def test_a_planted_regression_is_found_and_its_reverse_is_none(before: Path, tmp_path: Path) -> None:
    def forget(number: int, answer: dict[str, Any]) -> None:
        if number % 2:
            answer["closed"]["points"] = 0

    after = changed(before, tmp_path / "worse", forget)
    worse = compare(before, after)
    told = row(worse, "drop-results")
    assert (told["verdict"], worse["regressions"]) == ("worse", 1)
    assert told["difference"]["high"] < 0
    assert told["p_holm"] < 0.05
    assert row(worse, "drop-results", "search")["verdict"] == "same"
    assert row(worse, "uncompacted")["verdict"] == "same"
    better = compare(after, before)
    assert (row(better, "drop-results")["verdict"], better["regressions"]) == ("better", 0)


@requirement("B-7")
def test_a_loss_that_chance_may_bring_is_no_regression(before: Path, tmp_path: Path) -> None:
    gone: list[int] = []

    def forget_one(number: int, answer: dict[str, Any]) -> None:
        if answer["closed"]["points"] and not gone:
            gone.append(number)
            answer["closed"]["points"] = 0

    found = compare(before, changed(before, tmp_path / "chance", forget_one))
    assert gone
    assert row(found, "drop-results")["after"] < row(found, "drop-results")["before"]
    assert found["regressions"] == 0


def test_what_cannot_be_compared_is_refused(before: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no run"):
        compare(before, tmp_path)
    with pytest.raises(ConfigError, match="in common"):
        compare(before, before, arms=["recency"])


@requirement("B-11")
def test_runs_are_listed_with_what_is_missing(before: Path, tmp_path: Path) -> None:
    shutil.copytree(before, tmp_path / "deep" / "one")
    shutil.copytree(before, tmp_path / "two")
    head = json.loads((tmp_path / "two" / "run.json").read_text("utf-8"))
    head["lineages"].append("other")
    (tmp_path / "two" / "run.json").write_text(json.dumps(head), "utf-8")
    one, two = listing([tmp_path, tmp_path / "two"])
    assert (one["arms"], one["done"], one["missing"]) == (["drop-results", "uncompacted"], 2, [])
    assert two["missing"] == [["other", "drop-results"], ["other", "uncompacted"]]
    assert one["setting"] == SETTING.as_dict()
    assert one["models"] is None
    assert listing([before / "made"]) == []
    with pytest.raises(ConfigError, match="no folder"):
        listing([tmp_path / "none"])


@requirement("B-10", "B-4")
def test_what_models_answered_is_compared_too(before: Path, tmp_path: Path) -> None:
    folder = tmp_path / "asked"
    shutil.copytree(before, folder)
    lineages = {"made": before.parent / "made.jsonl.gz"}
    made = Run(folder, lineages, SETTING, chosen(["uncompacted", "drop-results"]))
    prepare(made, plan_of(made, 12, 0, 2))
    shutil.copytree(folder, tmp_path / "mute")

    def asks(request: Request) -> Given:
        return Given(request.id, reply_to(request.prompt))

    def mute(request: Request) -> Given:
        return Given(request.id, "I do not know")

    for name, answerer in (("asked", asks), ("mute", mute)):
        with Interview(tmp_path / name) as interview:
            drive(interview, {"writer": asks, "answerer": answerer})
    found = compare(folder, tmp_path / "mute")
    told = {(row["arm"], row["mode"]): row for row in found["rows"] if row["answerer"] == "model"}
    assert told["uncompacted", "closed"]["verdict"] == "worse"
    assert (told["uncompacted", "closed"]["before"], told["uncompacted", "closed"]["after"]) == (1, 0)
    assert told["uncompacted", "closed"]["asked"] == 12
    assert compare(folder, folder)["regressions"] == 0
