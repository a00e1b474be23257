"""Running the command line inside the test's process, with a home, a configuration and a folder of its own."""

import io
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cli.published import held_against, widen
from cli.transcripts import chat, jsonl
from vademecum.cli.app import run


@dataclass(frozen=True)
class Ran:
    """What one run gave: the exit code, the bytes on stdout, the text on stderr."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode()

    @property
    def json(self) -> dict[str, Any]:
        """The one JSON object on stdout; it is as its published schema says."""
        assert self.out.count(b"\n") == 1, "one line and nothing else"
        assert self.out.endswith(b"\n")
        value = json.loads(self.out)
        if os.environ.get("RENEW_SHAPES"):
            widen(value)
        held_against(value)
        return value

    def refused(self, code: int, text: str, hint: str = "") -> None:
        """Asserts that it ended with this code and said why, on stderr alone and without a traceback."""
        assert (self.code, self.out) == (code, b"")
        assert self.err.startswith("error: ")
        assert text in self.err
        assert "Traceback" not in self.err
        if hint:
            assert f"hint: {hint}" in self.err


Cli = Callable[..., Ran]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in; the archive, the settings and the home folder are below it."""
    for name in os.environ:
        if name.startswith(("VADEMECUM_", "XDG_")):
            monkeypatch.delenv(name)
    work = tmp_path / "desk"
    work.mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(work)
    return work


@pytest.fixture
def archive_file(home: Path) -> Path:
    """Where the archive is when nobody says otherwise."""
    return home.parent / "data/vademecum/archive.db"


@pytest.fixture
def cli(home: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> Cli:
    """Runs `vademecum` with these arguments."""

    def call(*args: object) -> Ran:
        capsysbinary.readouterr()
        code = run([str(arg) for arg in args])
        captured = capsysbinary.readouterr()
        return Ran(code, captured.out, captured.err.decode())

    return call


@pytest.fixture
def feed(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Puts bytes on standard input."""

    def put(data: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))

    return put


@pytest.fixture
def log(home: Path) -> Path:
    """A transcript of about 20,000 tokens: above the trigger of a 32,000 token window."""
    return jsonl(home / "build.jsonl", chat(30))


@pytest.fixture
def compacted(cli: Cli, log: Path, home: Path) -> Path:
    """The context of that transcript, compacted into the archive as the session `nightly`."""
    done = cli("compact", log, "--window", "32K", "--session", "nightly", "-o", home / "context.jsonl")
    assert done.code == 0, done.err
    return home / "context.jsonl"
