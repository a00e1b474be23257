"""The script that measures repeated compaction: job by job, resumed, read by the report and by the results page."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from requirement import requirement
from unit.bench.talk import lineage
from vademecum.bench.arms.table import chosen
from vademecum.bench.lineage import save
from vademecum.bench.report.cycles import cycles_in
from vademecum.bench.simulation.pool import pool_of
from vademecum.bench.simulation.setting import Setting
from vademecum.bench.simulation.simulate import simulate
from vademecum.errors import ConfigError

SCRIPT = Path(__file__).parents[3] / "bench/cycles.py"
MADE = replace(lineage(150), name="cipherbox-sharing")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    save(MADE, folder / "lineages")
    return folder


def measured(data: Path, out: Path, *more: str) -> list[str]:
    """Runs one setting on one lineage; gives what it said of jobs."""
    words = (data, "--only", "window-32000", "--lineage", "cipherbox-sharing", "--jobs", "1", "-o", out, *more)
    ran = subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return [line for line in ran.stdout.splitlines() if "window-32000" in line]


@requirement("B-11")
def test_an_interrupted_run_is_resumed_and_ends_in_the_same_bytes(data: Path, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert len(measured(data, whole)) == 4
    assert len(measured(data, parts, "--arm", "decision", "--arm", "hermes")) == 2
    assert len(measured(data, parts, "--resume")) == 2
    assert measured(data, parts, "--resume") == []
    name = "window-32000.json"
    assert (parts / name).read_bytes() == (whole / name).read_bytes()
    held = json.loads((whole / name).read_text("utf-8"))["lineages"]["cipherbox-sharing"]
    assert [*held["arms"]] == ["vademecum", "hermes", "drop-results", "decision"]
    _agrees(whole / name, Setting(**held["setting"]))
    (whole / name).write_text("{}", "utf-8")
    with pytest.raises(ConfigError, match="holds no simulation"):
        cycles_in(whole / name)


def _agrees(path: Path, setting: Setting) -> None:
    """Asserts that the report reads of a file of results what the simulation said."""
    read = {arm["arm"]: arm for arm in cycles_in(path)}
    *said, end = simulate(pool_of(MADE, 1), *chosen(["drop-results"]), setting)
    arm = read["drop-results"]
    assert len(arm["cycles"]) == len(said) > 2
    for ours, theirs in zip(arm["cycles"], said, strict=True):
        assert {**theirs, **ours} == {**theirs, "recall": ours["recall"]}
        assert (ours["recall"] is None) == (theirs["recall"] is None)
    assert {**end, **arm["end"]} == end
    recall: dict[str, Any] = said[0]["recall"]
    assert arm["cycles"][0]["recall"] == {key: recall[key] for key in arm["cycles"][0]["recall"]}
