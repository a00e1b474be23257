"""The same from the command line: a killed `compact` leaves the old context or the new one, never a mixture."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from requirement import requirement
from vademecum.testing import sample
from vademecum.wire import dialect

ROWS = sample("openai-chat", turns=120, rounds=2, chars=900)
KILLS = 6
WINDOW = ["--window", "32000", "--target", "6000"]


def vademecum(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "vademecum", *map(str, arguments)]


def run(*arguments: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(vademecum(*arguments), capture_output=True, check=False)


def compacting(file: Path, db: Path, out: Path) -> list[str]:
    return vademecum("compact", file, *WINDOW, "--session", "s", "--db", db, "-o", out)


def exported(db: Path) -> bytes:
    done = run("sessions", "export", "s", "--context", "--db", db)
    assert done.returncode == 0, done.stderr
    return done.stdout


def grow(file: Path, length: int) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS[:length]), "utf-8")


def complete(length: int) -> int:
    """The next length at which a round is complete."""
    while length < len(ROWS) and ROWS[length]["role"] == "tool":
        length += 1
    return length


@requirement("A-2", "I5", "I10")
def test_compact_is_killed_on_a_growing_file(tmp_path: Path) -> None:
    file, db, out = tmp_path / "chat.jsonl", tmp_path / "x.db", tmp_path / "out.jsonl"
    chance = random.Random(20_261_130)
    length, finished, states = complete(60), 0, []
    grow(file, length)
    assert subprocess.run(compacting(file, db, out), capture_output=True, check=False).returncode == 0
    old = out.read_bytes()
    assert exported(db) == old
    for _ in range(KILLS):
        length = complete(length + 60)
        grow(file, length)
        with subprocess.Popen(compacting(file, db, out), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            with suppress(subprocess.TimeoutExpired):
                process.wait(chance.uniform(0.1, 0.8))
            process.kill()
            process.communicate()
        finished += process.returncode == 0
        assert out.read_bytes() in (old, exported(db))  # the file is the one of before or the one that stands now
        context = [dialect("openai-chat").load(json.loads(line), 0) for line in exported(db).splitlines()]
        assert {problem.kind for problem in dialect("openai-chat").problems(context)} <= {"open_call"}
        again = subprocess.run(compacting(file, db, out), capture_output=True, check=False)
        assert again.returncode == 0, again.stderr
        old = out.read_bytes()
        assert exported(db) == old
        states.append(len(old.splitlines()))
    whole = run("sessions", "export", "s", "--db", db)
    assert [json.loads(line) for line in whole.stdout.splitlines()] == ROWS[:length]
    print(f"\n{finished} of {KILLS} had finished before they were killed; rows after each: {states}")


@requirement("I10", "A-1")
def test_the_export_is_what_was_written_out(tmp_path: Path, data_folder: Path) -> None:
    file = data_folder / "lineages/agentv-dashboard.jsonl.gz"
    db, out = tmp_path / "x.db", tmp_path / "out.jsonl"
    done = run("compact", file, "--window", 200_000, "--target", 40_000, "--session", "s", "--db", db, "-o", out)
    assert done.returncode == 0, done.stderr
    assert exported(db) == out.read_bytes()


@requirement("A-4", "A-7")
def test_search_then_restore(tmp_path: Path) -> None:
    file, db, out = tmp_path / "chat.jsonl", tmp_path / "x.db", tmp_path / "out.jsonl"
    grow(file, complete(300))
    assert subprocess.run(compacting(file, db, out), capture_output=True, check=False).returncode == 0
    done = run("search", "port 5003", "--session", "s", "--db", db, "--json")
    (hit, *_) = json.loads(done.stdout)["hits"]
    assert "5003" in hit["text"]
    restored = run("restore", hit["id"], "--session", "s", "--db", db)
    assert b"5003" in restored.stdout
    assert restored.stdout.decode() in [row["content"] for row in ROWS if isinstance(row.get("content"), str)]


@requirement("A-8")
@pytest.mark.parametrize("times", [2, 3])
def test_running_again_on_the_same_file_adds_nothing(tmp_path: Path, times: int) -> None:
    file, db, out = tmp_path / "chat.jsonl", tmp_path / "x.db", tmp_path / "out.jsonl"
    grow(file, complete(200))
    seen = set()
    for _ in range(times):
        assert subprocess.run(compacting(file, db, out), capture_output=True, check=False).returncode == 0
        seen.add(out.read_bytes())
    assert len(seen) == 1
    listed = json.loads(run("sessions", "list", "--db", db, "--json").stdout)
    (session,) = listed["sessions"]
    assert (session["messages"], session["cycles"]) == (complete(200), 1)
