"""The command as a user starts it: a process of its own, with pipes, signals and a terminal's encoding."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.transcripts import FACT, output

VADEMECUM = Path(sys.executable).with_name("vademecum")


@pytest.fixture
def desk(home: Path, compacted: Path) -> Path:
    """The folder, with a transcript in it that is compacted as the session `nightly`."""
    return home


def vademecum(*args: str, **more) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([VADEMECUM, *args], capture_output=True, check=False, **more)


def test_from_a_transcript_to_a_restored_fact(desk: Path) -> None:
    found = vademecum("search", "gatekeeper", "listener", "port")
    assert found.returncode == 0
    id = found.stdout.split()[0].decode()
    restored = vademecum("restore", id, "-q")
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


@pytest.mark.parametrize("args", ["sessions export nightly", "search build", "show ID", "restore ID -q", "--help"])
def test_a_reader_that_goes_away_is_no_fault(desk: Path, args: str) -> None:
    id = vademecum("search", "gatekeeper").stdout.split()[0].decode()
    reading, writing = os.pipe()
    os.close(reading)
    command = [VADEMECUM, *args.replace("ID", id).split()]
    ran = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_an_interrupt_ends_it_with_130(desk: Path) -> None:
    code = (
        "import signal\n"
        "from vademecum.cli import compact, main\n"
        "def interrupted(*named):\n"
        "    signal.raise_signal(signal.SIGINT)\n"  # in this thread, so that it is there at once
        "compact.read_log = interrupted\n"
        "main(['compact', 'build.jsonl', '--window', '32K', '-o', 'never.jsonl'])\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr.strip()) == (130, b"", b"error: interrupted")
    assert not (desk / "never.jsonl").exists()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_a_terminal_that_lacks_characters(desk: Path, monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    found = vademecum("search", "gatekeeper")
    assert (found.returncode, found.stderr) == (0, b"")
    # Plain ASCII is taken for a mistake in the settings, and UTF-8 is written.
    expected = FACT.encode("utf-8" if encoding == "ascii" else encoding, "backslashreplace")
    assert expected in found.stdout
    id = found.stdout.split()[0].decode()
    assert vademecum("restore", id).stdout == output(0, 2_400).encode()
    again = vademecum("compact", "build.jsonl", "--window", "32K", "-o", "out.jsonl", "--session", "x")
    assert b" tokens (" in again.stdout


def test_colour_is_for_terminals_only(desk: Path) -> None:
    assert b"\x1b[" not in vademecum("search", "gatekeeper").stdout
