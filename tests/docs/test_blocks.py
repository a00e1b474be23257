"""The shell blocks of the pages run as they are written, and give what the pages show.

A page's `sh` blocks run in one shell, in a new folder where `session.jsonl` is a sample session, unless the page
makes it itself. A `text` block right after one shows its output; numbers, ids and widths may differ.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from docs.blocks import blocks_of, check_shell

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs/tutorials").glob("*.md")),
    *sorted((ROOT / "docs/how-to").glob("*.md")),
]
#: This one needs a real server; it has a test of its own.
OWN_TEST = ROOT / "docs/tutorials/a-night-on-a-local-model.md"


@pytest.mark.parametrize("page", [page for page in PAGES if page != OWN_TEST], ids=lambda page: page.stem)
def test_the_shell_blocks_run(desk: Path, page: Path) -> None:
    check_shell(blocks_of(page), desk)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_python_blocks_run(desk: Path, page: Path) -> None:
    for kind, text in blocks_of(page):
        if kind == "python":
            done = subprocess.run([sys.executable, "-c", text], cwd=desk, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
