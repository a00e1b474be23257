"""Whatever the command line makes is its user's alone, also where the umask would let others in."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from cli.conftest import Cli
from cli.transcripts import chat, jsonl
from requirement import requirement

VADEMECUM = Path(sys.executable).with_name("vademecum")


@pytest.fixture
def open_to_all() -> object:
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    """The mode of everything below a folder."""
    return {str(path.relative_to(folder)): stat.S_IMODE(path.lstat().st_mode) for path in folder.rglob("*")}


def run(*args: object) -> None:
    done = subprocess.run([VADEMECUM, *map(str, args)], capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()


@requirement("A-9")
def test_nothing_that_is_made_is_open_to_others(home: Path, open_to_all: object) -> None:
    given = jsonl(home / "build.jsonl", chat(30))
    made = home.parent / "made"
    made.mkdir(mode=0o700)
    db = made / "deep" / "down" / "a.db"
    os.environ["XDG_CONFIG_HOME"] = str(made / "config" / "home")
    try:
        run("compact", given, "--window", "16K", "--session", "s", "-o", made / "out.jsonl", "--db", db)
        run("config", "set", "pin_cap", "3K", "--user")
        run("db", "backup", made / "copy.db", "--db", db)
        run("db", "vacuum", "--db", db)
        run("sessions", "export", "s", "-o", made / "whole.jsonl.gz", "--db", db)
        run("sessions", "continue", "s", "--as", "t", "-o", made / "first.jsonl", "--db", db)
        run("db", "backup", made / "copy.db", "--force", "--db", db)
        run("sessions", "rm", "t", "--yes", "--db", db)
    finally:
        del os.environ["XDG_CONFIG_HOME"]
    found = modes(made)
    assert {"deep/down/a.db", "copy.db", "out.jsonl", "whole.jsonl.gz", "first.jsonl"} <= found.keys()
    assert "config/home/vademecum/config.toml" in found
    open_ones = {
        name: oct(mode) for name, mode in found.items() if mode != (0o700 if (made / name).is_dir() else 0o600)
    }
    assert open_ones == {}
    assert not [name for name in found if Path(name).name.startswith(".")], "temporary files are left"


@requirement("A-9")
def test_a_library_makes_its_folders_private_too(tmp_path: Path, open_to_all: object) -> None:
    from vademecum import Archive

    with Archive.open(tmp_path / "one" / "two" / "three" / "a.db") as archive:
        archive.session("s", format="openai-chat")
        found = modes(tmp_path)
    assert {name: mode for name, mode in found.items() if mode not in (0o700, 0o600)} == {}
    assert found["one"] == found["one/two"] == found["one/two/three"] == 0o700


def test_a_pipe_or_a_device_is_refused_and_holds_nothing_up(home: Path) -> None:
    os.mkfifo(home / "pipe.jsonl")
    for name in ("pipe.jsonl", "/dev/zero"):
        done = subprocess.run([VADEMECUM, "import", name], capture_output=True, check=False, timeout=60)
        assert done.returncode != 0
        assert b"no regular file" in done.stderr + done.stdout


@requirement("A-9")
@pytest.mark.parametrize("name", ["../../elsewhere", "/tmp/elsewhere-of-vademecum", "a/../../b", "nul\0byte", "~/x"])
def test_no_session_s_name_becomes_a_path(cli: Cli, home: Path, name: str) -> None:
    given = jsonl(home / "build.jsonl", chat(30))
    before = {path for path in home.parent.rglob("*") if not path.name.startswith("archive.db")}
    assert cli("compact", given, "--window", "16K", "--session", name, "-o", home / "out.jsonl").code == 0
    assert cli("sessions", "export", name, "-o", home / "whole.jsonl").code == 0
    assert cli("sessions", "continue", name, "--as", f"{name}-2", "-o", home / "first.jsonl").code == 0
    assert cli("sessions", "rm", f"{name}-2", "--yes").code == 0
    made = {path for path in home.parent.rglob("*") if not path.name.startswith("archive.db")} - before
    files = {path.name for path in made if path.is_file()}
    assert files == {"out.jsonl", "whole.jsonl", "first.jsonl"}
    assert not Path("/tmp/elsewhere-of-vademecum").exists()
