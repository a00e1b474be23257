"""Words that no file of the project may hold."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Written in pieces, so that this file does not hold them either.
FORBIDDEN = [
    "pypi" + ".org",
    "python" + "hosted.org",
    "npm" + "js.org",
    "npm" + "js.com",
    "deb." + "debian.org",
    "security." + "debian.org",
    "proxy." + "golang.org",
    "/wo" + "rk/",
    "sessions of " + "work",
]


def project_files() -> list[Path]:
    """What is committed or would be."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    ).stdout.decode()
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def test_there_are_files_to_look_at() -> None:
    assert ROOT / "pyproject.toml" in project_files()


@pytest.mark.parametrize("word", FORBIDDEN)
def test_no_file_names_a_registry_or_a_workplace(word: str) -> None:
    needle = word.encode()
    assert [str(path.relative_to(ROOT)) for path in project_files() if needle in path.read_bytes()] == []
