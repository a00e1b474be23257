"""A desk to follow a page on."""

import json
import os
import sys
from pathlib import Path

import pytest

from vademecum.testing import sample


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with `session.jsonl`, in an environment that says nothing of the tester's own archive."""
    for name in os.environ:
        if name.startswith(("VADEMECUM_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    work = tmp_path / "desk"
    work.mkdir()
    (work / "session.jsonl").write_text("".join(json.dumps(row) + "\n" for row in sample(turns=60)), "utf-8")
    return work
