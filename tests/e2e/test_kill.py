"""kill -9 at any instant: what was acknowledged is there, the context projects, the session goes on."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from contract.wire.convert import FORMATS
from contract.wire.convert import session as session_of
from e2e.worker import TARGET, WINDOW, digest
from requirement import requirement
from vademecum import compact
from vademecum.archive import Archive, Session
from vademecum.models.tokenizer import count_tokens
from vademecum.testing import sample
from vademecum.wire import dialect

WORKER = Path(__file__).with_name("worker.py")
KILLS = 20
ROWS = sample("openai-chat", turns=200, rounds=2, chars=2_400)
Said = dict[str, Any]


@pytest.fixture(scope="module")
def transcript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("transcript") / "rows.jsonl", ROWS)


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@contextmanager
def working(path: Path, transcript: Path, format: str = "openai-chat") -> Generator[subprocess.Popen[str]]:
    command = [sys.executable, WORKER, path, transcript, format]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def killed(path: Path, transcript: Path, chance: random.Random) -> list[Said]:
    """Lets a worker work for a while and kills it; what it said before."""
    with working(path, transcript) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        with suppress(subprocess.TimeoutExpired):
            process.wait(chance.uniform(0.0, 0.35))
        process.kill()
        rest, errors = process.communicate()
        assert errors == ""
    lines = [first, *rest.splitlines(keepends=True)]
    return [json.loads(line) for line in lines if line.endswith("\n")]


def check(session: Session, last: Said, rows: list[dict[str, Any]] = ROWS) -> None:
    """Everything acknowledged is there, and the context is one that can be sent."""
    kept = [json.loads(message.raw) for message in session.stored()]
    assert len(kept) >= last["length"]
    assert kept == rows[: len(kept)]
    standing = session.compaction()
    cycle = standing.cycle if standing is not None else 0
    assert cycle >= last["cycle"]
    context = session.context()
    if (len(kept), cycle) == (last["length"], last["cycle"]):
        assert digest(context) == last["context"]
    messages = [session.dialect.load(json.loads(raw), index) for index, raw in enumerate(context)]
    kinds = {problem.kind for problem in session.dialect.problems(messages)}
    assert kinds <= {"open_call"}, kinds  # a round whose results were not appended yet
    for hit in session.search(f"port {5_000 + last['length'] // 8}", limit=2):
        assert session.restore(hit.id).data


@requirement("A-2", "I5", "I10")
def test_killed_at_twenty_instants(tmp_path: Path, transcript: Path) -> None:
    path = tmp_path / "sessions.db"
    chance = random.Random(20_261_130)
    lengths, cycles = [], []
    for _ in range(KILLS):
        said = killed(path, transcript, chance)
        assert said
        assert not any(each["failure"] for each in said)
        with Archive.open(path) as archive:
            check(archive.existing("s"), said[-1])
            assert archive.connection.db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        lengths.append(said[-1]["length"])
        cycles.append(said[-1]["cycle"])
    print(f"\nacknowledged rows at each kill: {lengths}, cycles {cycles}")
    assert lengths == sorted(set(lengths))
    assert cycles[-1] >= 5


@requirement("A-2", "I10")
@pytest.mark.parametrize("format", [name for name in FORMATS if name != "openai-chat"])
def test_every_format_survives_being_killed(tmp_path: Path, format: str) -> None:
    rows = session_of(format, turns=60, rounds=2, chars=2_400)
    path, transcript = tmp_path / "sessions.db", written(tmp_path / "rows.jsonl", rows)
    for lines in (25, 40, 40):
        with working(path, transcript, format) as process:
            assert process.stdout is not None
            said = [json.loads(process.stdout.readline()) for _ in range(lines)]
        assert not any(each["failure"] for each in said)
        with Archive.open(path) as archive:
            check(archive.existing("s"), said[-1], rows)
    assert said[-1]["cycle"] >= 1
    with Archive.open(path) as archive:
        session = archive.session("s")
        done = compact(rows, window=WINDOW, target=TARGET, session=session)
        assert done.receipt.failure == ""
        assert [json.loads(raw) for raw in session.context()] == list(done.messages)
        (hit, *_) = session.search("port 5003", limit=1)
        assert b"5003" in session.restore(hit.id).data


@requirement("A-2", "I10")
def test_a_killed_session_goes_on_as_if_nothing_had_been(tmp_path: Path, transcript: Path) -> None:
    path = tmp_path / "sessions.db"
    said = killed(path, transcript, random.Random(7))
    length = said[-1]["length"] + 40
    with Archive.open(path) as archive:
        session = archive.session("s")
        done = compact(ROWS[:length], window=WINDOW, target=TARGET, session=session)
        assert done.receipt.failure == ""
        assert done.receipt.tokens_after <= 16_000
        assert [json.loads(raw) for raw in session.context()] == list(done.messages)
        assert len(session) == length


@requirement("I10")
def test_another_process_projects_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    with Archive.open(path) as archive:
        session = archive.session("s", format="openai-chat")
        for length in range(50, len(ROWS), 300):
            compact(ROWS[:length], window=WINDOW, target=TARGET, session=session)
        expected = digest(session.context())
        tokens = sum(count_tokens([raw.decode() for raw in session.context()]))
    assert tokens < WINDOW
    code = (
        "import sys; sys.path.insert(0, sys.argv[2]); from e2e.worker import digest; "
        "from vademecum.archive import Archive; print(digest(Archive.open(sys.argv[1]).existing('s').context()))"
    )
    tests = Path(__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code, path, tests], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == expected


@requirement("A-2", "A-3")
def test_two_agents_on_one_session_agree(tmp_path: Path, transcript: Path) -> None:
    path = tmp_path / "sessions.db"
    with working(path, transcript) as one, working(path, transcript) as two:
        for process in (one, two):
            assert process.stdout is not None
            for _ in range(30):
                said = json.loads(process.stdout.readline())
                assert said["failure"] == ""
    with Archive.open(path) as archive:
        session = archive.existing("s")
        kept = [json.loads(message.raw) for message in session.stored()]
        assert kept == ROWS[: len(kept)]
        context = [dialect("openai-chat").load(json.loads(raw), 0) for raw in session.context()]
        assert {problem.kind for problem in session.dialect.problems(context)} <= {"open_call"}
