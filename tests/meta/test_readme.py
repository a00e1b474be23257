"""What the front pages promise: short, and with the numbers that were measured."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

MOST_LINES = {"README.md": 150, "AGENTS.md": 100}


@pytest.mark.parametrize("name", MOST_LINES)
def test_a_front_page_is_short(root: Path, name: str) -> None:
    assert len((root / name).read_text("utf-8").splitlines()) < MOST_LINES[name]


def test_the_numbers_are_those_that_were_measured(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, root / "bench/readme.py", "--check"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def pages(root: Path) -> list[Path]:
    return [root / "README.md", root / "AGENTS.md", *sorted((root / "docs").rglob("*.md"))]


def test_links_lead_somewhere(root: Path) -> None:
    for page in pages(root):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.relative_to(root)} links to {target}"
