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


def test_the_index_links_every_page(root: Path) -> None:
    docs = root / "docs"
    linked = {
        (docs / target).resolve() for target in re.findall(r"\]\(([^)#:]+)\)", (docs / "README.md").read_text())
    }
    missing = [page for page in docs.rglob("*.md") if page != docs / "README.md" and page.resolve() not in linked]
    assert [page.name for page in missing if page.parent.resolve() not in linked] == []


def test_the_layout_names_every_package(root: Path) -> None:
    layout = (root / "AGENTS.md").read_text("utf-8")
    packages = [path.parent.name for path in (root / "src/vademecum").glob("*/__init__.py")]
    tests = [path.name for path in (root / "tests").iterdir() if any(path.glob("**/test_*.py"))]
    assert [name for name in packages if f"\n  {name}/" not in layout] == []
    assert [name for name in tests if not re.search(rf"^tests/ .*\b{name}\b", layout, re.M)] == []
