"""The code blocks of a page, run as a reader would run them, and what the page says they give."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
_MARK = "=== block ==="

Blocks = list[tuple[str, str]]


def blocks_of(page: Path) -> Blocks:
    """(language, text) of each block."""
    return _BLOCK.findall(page.read_text("utf-8"))


def check_shell(blocks: Blocks, desk: Path, timeout: float | None = None) -> None:
    """Runs the `sh` blocks in one shell; a `text` block right after one shows its output."""
    scripts = [text for kind, text in blocks if kind == "sh"]
    if not scripts:
        return
    script = "set -e\n" + f"\necho '{_MARK}'\n".join(scripts)
    done = subprocess.run(
        ["bash", "-c", script], cwd=desk, capture_output=True, text=True, check=False, timeout=timeout
    )
    assert done.returncode == 0, done.stderr
    outputs = done.stdout.split(f"{_MARK}\n")
    shown = [(outputs[number], text) for number, text in zip(_places(blocks), _expected(blocks), strict=True)]
    for output, text in shown:
        assert _alike(output) == _alike(text)


def _places(blocks: Blocks) -> list[int]:
    """The number of the `sh` block that each `text` block after one belongs to."""
    kinds = [kind for kind, _ in blocks]
    return [kinds[:at].count("sh") - 1 for at in range(1, len(kinds)) if kinds[at - 1 : at + 1] == ["sh", "text"]]


def _expected(blocks: Blocks) -> list[str]:
    return [blocks[at][1] for at in range(1, len(blocks)) if (blocks[at - 1][0], blocks[at][0]) == ("sh", "text")]


def _alike(text: str) -> list[str]:
    text = re.sub(r"\b(?:t|s)_[a-z2-7]{10}\b", "ID", text)
    return [" ".join(re.sub(r"\d[\d,.]*", "N", line).split()) for line in text.splitlines() if line.strip()]
