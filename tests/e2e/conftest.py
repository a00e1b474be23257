from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

import vademecum
from e2e.lineages import BENCH, Row, prefix, rows_of
from vademecum.archive import Session, StoredCompaction
from vademecum.compactor import Compaction

PREFIX, WINDOW, TARGET = 500_000, 200_000, 40_000


@dataclass
class Bench:
    """A bench lineage after its compaction."""

    name: str
    rows: list[Row]
    done: Compaction

    @cached_property
    def session(self) -> Session:
        (info,) = self.done.archive.sessions()
        return self.done.archive.existing(info.id)

    @cached_property
    def standing(self) -> StoredCompaction:
        found = self.session.compaction()
        assert found is not None
        return found

    @cached_property
    def removed(self) -> list[int]:
        """Positions of the rows that are not in the context as they were."""
        return [at for at in range(len(self.rows)) if not self.standing.shows(at)]


@pytest.fixture(scope="session", params=BENCH)
def bench(request: pytest.FixtureRequest, data_folder: Path) -> Bench:
    rows = prefix(rows_of(data_folder, request.param), PREFIX)
    return Bench(request.param, rows, vademecum.compact(rows, window=WINDOW, target=TARGET))
