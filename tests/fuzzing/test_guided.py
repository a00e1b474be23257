"""The same, led by what each input reaches in the code; at night, where atheris is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fuzzing.targets import TARGETS
from requirement import requirement

SECONDS = int(os.environ.get("FUZZ_SECONDS", "120"))


@requirement("A-8")
@pytest.mark.nightly
@pytest.mark.parametrize("name", TARGETS)
def test_what_reaches_further_is_kept_and_changed_again(name: str, tmp_path: Path) -> None:
    tests = Path(__file__).parents[1]
    command = [sys.executable, tests / "fuzzing/guided.py", name, tmp_path / "corpus", str(SECONDS)]
    path = os.pathsep.join([str(tests), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr[-4_000:]
    assert "stat::number_of_executed_units" in done.stderr
