"""The command as a user starts it: a process of its own, with pipes, signals and a terminal's encoding."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli.transcripts import FACT, chat, jsonl, output

VADEMECUM = Path(sys.executable).with_name("vademecum")


@pytest.fixture
def desk(home: Path) -> Path:
    """The folder, with a transcript in it that is compacted."""
    jsonl(home / "build.jsonl", chat(30))
    ran = vademecum("compact", "build.jsonl", "--window", "32K", "--session", "nightly", "-o", "context.jsonl")
    assert ran.returncode == 0, ran.stderr
    return home


def vademecum(*args: str, **more) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([VADEMECUM, *args], capture_output=True, check=False, **more)


def test_from_a_transcript_to_a_restored_fact(desk: Path) -> None:
    found = vademecum("search", "gatekeeper", "listener", "port")
    assert found.returncode == 0
    id = found.stdout.split()[0].decode()
    restored = vademecum("restore", id)
    assert (restored.returncode, restored.stderr) == (0, b"")
    assert restored.stdout == output(0, 2_400).encode()
    exported = vademecum("sessions", "export", "nightly", "--context")
    assert exported.stdout == (desk / "context.jsonl").read_bytes()


def test_python_dash_m_is_the_same(desk: Path) -> None:
    ran = subprocess.run([sys.executable, "-m", "vademecum", "sessions", "--json"], capture_output=True, check=True)
    assert ran.stdout == vademecum("sessions", "--json").stdout


def test_a_pipe_in_and_a_pipe_out(desk: Path) -> None:
    ran = vademecum("compact", "-", "--window", "32K", "-q", input=(desk / "build.jsonl").read_bytes())
    assert ran.stderr == b""
    assert ran.stdout.count(b"\n") < 60


@pytest.mark.parametrize(
    "args",
    [("sessions", "export", "nightly"), ("search", "build"), ("show", "ID"), ("restore", "ID"), ("--help",)],
    ids=str,
)
def test_a_reader_that_goes_away_is_no_fault(desk: Path, args: tuple[str, ...]) -> None:
    id = vademecum("search", "gatekeeper").stdout.split()[0].decode()
    reading, writing = os.pipe()
    os.close(reading)
    command = [VADEMECUM, *(arg.replace("ID", id) for arg in args)]
    ran = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_an_interrupt_ends_it_with_130(desk: Path) -> None:
    code = (
        "import os, signal, sys\n"
        "from vademecum.cli import compact, main\n"
        "def interrupted(name):\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "compact.read_input = interrupted\n"
        "main(['compact', 'build.jsonl', '--window', '32K', '-o', 'never.jsonl'])\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, b"", b"error: interrupted\n")
    assert not (desk / "never.jsonl").exists()
    assert signal.getsignal(signal.SIGINT) is not None


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_a_terminal_that_lacks_characters(desk: Path, monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    found = vademecum("search", "gatekeeper")
    assert (found.returncode, found.stderr) == (0, b"")
    assert FACT.encode(encoding, "backslashreplace") in found.stdout
    id = found.stdout.split()[0].decode()
    assert vademecum("restore", id).stdout == output(0, 2_400).encode()
    again = vademecum("compact", "build.jsonl", "--window", "32K", "-o", "out.jsonl", "--session", "x")
    assert b" tokens (" in again.stdout


def test_colour_is_for_terminals_only(desk: Path) -> None:
    assert b"\x1b[" not in vademecum("search", "gatekeeper").stdout
