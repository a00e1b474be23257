"""The generated pages of the reference are those that the code gives now."""

import subprocess
import sys
from pathlib import Path
from typing import get_args

from vademecum.core.receipt import Receipt


def test_the_reference_is_current(root: Path) -> None:
    command = [sys.executable, root / "docs/generate.py", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_outcome_is_explained(root: Path) -> None:
    page = (root / "docs/reference/receipt.md").read_text("utf-8")
    for outcome in outcomes():
        assert f"| `{outcome}` |" in page


def outcomes() -> set[str]:
    from vademecum.core import receipt

    found: set[str] = set()
    waiting: list[object] = [receipt.ReceiptOutcome]
    while waiting:
        for inner in get_args(waiting.pop()):
            if isinstance(inner, str):
                found.add(inner)
            else:
                waiting.append(inner)
    assert Receipt.__annotations__["outcome"] == "ReceiptOutcome"
    return found
