"""The shell blocks of the pages run as they are written, and give what the pages show.

A page's `sh` blocks run in one shell, in a new folder where `session.jsonl` is a sample session, unless the page
makes it itself. A `text` block right after one shows its output; numbers, ids and widths may differ.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from vademecum.testing import sample

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs/tutorials").glob("*.md")),
    *sorted((ROOT / "docs/how-to").glob("*.md")),
]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
MARK = "=== block ==="


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in os.environ:
        if name.startswith(("VADEMECUM_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    work = tmp_path / "desk"
    work.mkdir()
    (work / "session.jsonl").write_text("".join(json.dumps(row) + "\n" for row in sample(turns=60)), "utf-8")
    return work


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_shell_blocks_run(desk: Path, page: Path) -> None:
    blocks = BLOCK.findall(page.read_text("utf-8"))
    scripts = [text for kind, text in blocks if kind == "sh"]
    if not scripts:
        return
    script = "set -e\n" + f"\necho '{MARK}'\n".join(scripts)
    done = subprocess.run(["bash", "-c", script], cwd=desk, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    outputs = done.stdout.split(f"{MARK}\n")
    shown = [(outputs[number], text) for number, text in zip(places(blocks), expected(blocks), strict=True)]
    for output, text in shown:
        assert alike(output) == alike(text)


def places(blocks: list[tuple[str, str]]) -> list[int]:
    """The number of the `sh` block that each `text` block after one belongs to."""
    kinds = [kind for kind, _ in blocks]
    return [kinds[:at].count("sh") - 1 for at in range(1, len(kinds)) if kinds[at - 1 : at + 1] == ["sh", "text"]]


def expected(blocks: list[tuple[str, str]]) -> list[str]:
    return [blocks[at][1] for at in range(1, len(blocks)) if (blocks[at - 1][0], blocks[at][0]) == ("sh", "text")]


def alike(text: str) -> list[str]:
    text = re.sub(r"\b(?:t|s)_[a-z2-7]{10}\b", "ID", text)
    return [" ".join(re.sub(r"\d[\d,.]*", "N", line).split()) for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_python_blocks_run(desk: Path, page: Path) -> None:
    for kind, text in BLOCK.findall(page.read_text("utf-8")):
        if kind == "python":
            done = subprocess.run([sys.executable, "-c", text], cwd=desk, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
