from collections.abc import Generator
from pathlib import Path

import pytest

from vademecum.archive import Archive


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the test's archive is."""
    return tmp_path / "sessions.db"


@pytest.fixture(params=["file", "memory"])
def archive(request: pytest.FixtureRequest, path: Path) -> Generator[Archive]:
    """An empty archive of each kind."""
    with Archive.open(path) if request.param == "file" else Archive.memory() as made:
        yield made
