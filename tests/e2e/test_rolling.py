"""Rolling use, the quick version: the first third of one lineage through `fit`; the bench has all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.lineages import rows_of
from e2e.rolling import Roller
from requirement import requirement
from vademecum import Archive

NAME = "entire-statemachine"


@requirement("C-6", "C-23", "C-27", "C-29", "C-32")
@pytest.mark.parametrize("window", [32_000, 200_000])
def test_a_growing_lineage(data_folder: Path, tmp_path: Path, window: int) -> None:
    rows = rows_of(data_folder, NAME)
    with Archive.open(tmp_path / "rolling.db") as archive:
        found = Roller(window, archive).roll(rows[: len(rows) // 3])
    assert found.cycles
    assert found.failures == []
    assert found.invalid == []
    assert found.above_window == 0
    assert found.newest_missing == 0
    assert found.floor(-1) <= 1.1 * found.floor(5)
    assert min(cycle.freed for cycle in found.cycles) >= 0.5
