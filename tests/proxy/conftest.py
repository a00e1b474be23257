"""Fixtures: where the archive is, and the recordings of real clients."""

from __future__ import annotations

from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "../shared/cases/clients"
RECORDINGS = sorted(FOLDER.glob("*.jsonl.xz"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "recording" not in metafunc.fixturenames:
        return
    if RECORDINGS:
        metafunc.parametrize("recording", RECORDINGS, ids=lambda path: path.name.removesuffix(".jsonl.xz"))
    else:
        absent = pytest.mark.skip(reason="data: there is no ../shared/cases/clients")
        metafunc.parametrize("recording", [pytest.param(FOLDER, marks=absent)], ids=["absent"])


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "sessions.db"
