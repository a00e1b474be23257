"""kill -9 at random instants of appending, compacting, committing and importing: what was acknowledged is there."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from injection.worker import TARGET, WINDOW, carry, digest
from night import often
from requirement import requirement
from vademecum import Archive, Compactor, Session
from vademecum.testing import sample

WORKER = Path(__file__).with_name("worker.py")
ROWS = sample(turns=260, rounds=2, chars=2_400)
#: Kills of each kind of work; at night 50, which makes 200 in all.
KILLS = often(2, 50)
#: Hundreds of SQLite's instructions after which a process kills itself at the latest, by the work.
MOST_STEPS = {"append": 4_000, "compact": 12_000, "commit": 2_000, "import": 3_000}
Said = dict[str, Any]


@pytest.fixture(scope="module")
def transcript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("transcript") / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    return path


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs of different sessions."""
    folder = tmp_path_factory.mktemp("logs")
    for number in range(4):
        rows = sample(turns=30, rounds=2, chars=900, start=number * 40)
        (folder / f"log{number}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return folder


def killed(what: str, path: Path, given: Path, chance: random.Random) -> list[Said]:
    """Lets a worker work and kills it, from outside or inside; what it said before."""
    inside = chance.random() < 0.5
    steps = chance.randint(1, MOST_STEPS[what]) if inside else 0
    command = [sys.executable, WORKER, what, path, given, str(steps)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        with suppress(subprocess.TimeoutExpired):
            process.wait(60 if inside else chance.uniform(0.0, 0.4))
        process.kill()
        rest, errors = process.communicate()
    assert errors == ""
    assert process.returncode in (0, -signal.SIGKILL)
    return [json.loads(line) for line in (first + rest).splitlines(keepends=True) if line.endswith("\n")]


def newest(said: list[Said], key: str, before: int) -> int:
    return max([before, *(each[key] for each in said if key in each)])


def goes_on(session: Session) -> None:
    """The next request continues with the context that stands, to the byte, and a later one goes beyond it."""
    standing, length = session.context(), len(session)
    if length == 0 or ROWS[length - 1].get("tool_calls"):
        return
    compactor = Compactor(window=WINDOW, trigger=WINDOW, target=TARGET, session=session)
    done = compactor.fit(ROWS[:length])
    if done.receipt.outcome == "nothing_needed":
        assert [session.dialect.load(row, at).identity for at, row in enumerate(done.messages)] == [
            session.dialect.load(json.loads(raw), at).identity for at, raw in enumerate(standing)
        ]
    assert done.receipt.outcome in ("nothing_needed", "compacted", "crowded"), done.receipt.failure
    assert done.receipt.tokens_after < WINDOW


@requirement("A-2", "I5", "I10")
@pytest.mark.parametrize("what", ["append", "compact"])
def test_what_was_appended_or_compacted(tmp_path: Path, transcript: Path, what: str) -> None:
    chance = random.Random(f"{what} 20261130")
    path, length, cycle = tmp_path / "sessions.db", 0, 0
    for number in range(KILLS):
        if length == len(ROWS):
            path, length, cycle = tmp_path / f"sessions{number}.db", 0, 0
        said = killed(what, path, transcript, chance)
        length, cycle = newest(said, "length", length), newest(said, "cycle", cycle)
        with Archive.open(path) as archive:
            assert archive.verify() == []
            session = archive.session("s", format="openai-chat")
            kept = [json.loads(message.raw) for message in session.stored()]
            assert len(kept) >= length
            assert kept == ROWS[: len(kept)]
            standing = session.compaction()
            now = standing.cycle if standing is not None else 0
            assert now >= cycle
            last = said[-1].get("context")
            if last and (len(kept), now) == (said[-1]["length"], said[-1]["cycle"]):
                assert digest(session.context()) == last
            if what == "compact":
                goes_on(session)
            length = len(kept)


@requirement("A-2", "I5")
def test_what_was_committed(tmp_path: Path, transcript: Path) -> None:
    chance = random.Random("commit 20261130")
    path, cycle = tmp_path / "sessions.db", 0
    for number in range(KILLS):
        if cycle == len(ROWS):
            path, cycle = tmp_path / f"sessions{number}.db", 0
        said = killed("commit", path, transcript, chance)
        cycle = newest(said, "cycle", cycle)
        with Archive.open(path) as archive:
            assert archive.verify() == []
            session = archive.session("s", format="openai-chat")
            standing = session.compaction()
            now = standing.cycle if standing is not None else 0
            assert cycle <= now <= cycle + 1  # at most the one that was not told yet
            if now:
                assert session.context()[0] == carry(now)
                assert [json.loads(raw) for raw in session.context()[1:]] == ROWS[now:]
            assert len(session) == len(ROWS) or not any("length" in each for each in said)
            cycle = now


@requirement("A-2", "A-8")
def test_what_was_imported(tmp_path: Path, logs: Path) -> None:
    chance = random.Random("import 20261130")
    whole = {file.stem: [json.loads(line) for line in file.read_text().splitlines()] for file in logs.iterdir()}
    for number in range(KILLS):
        path = tmp_path / f"sessions{number}.db"
        said = killed("import", path, logs, chance)
        with Archive.open(path) as archive:
            assert archive.verify() == []
            for name, rows in whole.items():
                if not archive.has(name):
                    assert {"file": name} not in said
                    continue
                kept = [json.loads(message.raw) for message in archive.existing(name).stored()]
                assert kept == rows[: len(kept)]
                assert len(kept) == len(rows) or {"file": name} not in said
        command = [sys.executable, "-m", "vademecum", "import", *sorted(logs.iterdir()), "--db", path, "-q"]
        # Importing once more adds what is missing, and nothing twice.
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        with Archive.open(path) as archive:
            assert archive.verify() == []
            for name in whole:
                if archive.has(name):
                    kept = [json.loads(message.raw) for message in archive.existing(name).stored()]
                    assert kept == whole[name][: len(kept)]
