"""Each mistake is noticed by a test: made at night in a copy of the package; by day the list is held current."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mutation.mutants import MUTANTS, Mutant
from requirement import requirement

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src/vademecum"
EACH = pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)


@EACH
def test_the_place_is_there(mutant: Mutant) -> None:
    assert (PACKAGE / mutant.file).read_text("utf-8").count(mutant.old) == 1
    assert mutant.old != mutant.new
    assert all((ROOT / name).exists() for name in mutant.tests)


@requirement("I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I10", "I11", "I12")
@pytest.mark.nightly
@EACH
def test_it_is_noticed(mutant: Mutant, tmp_path: Path) -> None:
    copied = tmp_path / "src/vademecum"
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__"))
    place = copied / mutant.file
    place.write_text(place.read_text("utf-8").replace(mutant.old, mutant.new), "utf-8")
    environ = {**os.environ, "PYTHONPATH": str(copied.parent), "NIGHTLY": "", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *mutant.tests]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environ)
    assert done.returncode == 1, f"survived: {done.stdout[-800:]}"
