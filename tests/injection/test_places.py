"""Files that are full, damaged or of a later version: a typed error, and the caller's messages come out."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from night import often
from requirement import requirement
from vademecum import Archive, Compactor
from vademecum.archive import Session
from vademecum.errors import ArchiveError, SchemaTooNew
from vademecum.testing import sample

ROWS = sample(turns=40)
WINDOW = 8_000

#: Appends until a limit on the size of a file is reached, as on a full disk; then there is room.
FULL = """
import resource, signal, sys
from vademecum import Archive, Compactor
from vademecum.testing import sample
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
rows, path = sample(turns=90), sys.argv[1]
with Archive.open(path) as archive:
    compactor = Compactor(window=8_000, session=archive.session("s", format="openai-chat"))
    compactor.fit(rows[:20])
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), hard))
    failed = []
    for stop in range(40, len(rows), 40):
        done = compactor.fit(rows[:stop])
        if done.receipt.outcome == "failed":
            assert list(done.messages) == rows[:stop]
            failed.append(done.receipt.failure)
    assert failed, "the disk was never full"
    print(failed[0])
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    done = compactor.fit(rows)
    assert done.receipt.outcome == "compacted", done.receipt.failure
    assert archive.verify() == []
with Archive.open(path) as archive:
    assert len(archive.existing("s")) == len(rows)
    assert archive.verify() == []
"""


@requirement("A-2")
@pytest.mark.parametrize("room", [400_000, 300_000, 500_000, 700_000][: often(1)])
def test_a_disk_that_fills_up(tmp_path: Path, room: int) -> None:
    command = [sys.executable, "-c", FULL, tmp_path / "sessions.db", str(room)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("ArchiveFull"), done.stdout


def filled(path: Path) -> None:
    with Archive.open(path) as archive:
        session = archive.session("s", format="openai-chat")
        compactor = Compactor(window=WINDOW, session=session)
        for stop in range(20, 121, 20):
            compactor.fit(ROWS[:stop])


def tried(path: Path) -> tuple[str, list[Any] | None]:
    """What comes of a session in a file: the outcome, and what is sent; None where it cannot be opened at all."""
    try:
        with Archive.open(path) as archive:
            session: Session = archive.session("s", format="openai-chat")
            done = Compactor(window=WINDOW, session=session).fit(ROWS)
            archive.search("port 5003")
            archive.verify()
            return done.receipt.outcome, list(done.messages)
    except ArchiveError as error:
        return type(error).__name__ if error.hint else str(error), None


@requirement("A-2")
def test_damaged_pages_are_typed_errors(tmp_path: Path) -> None:
    """Every page in turn (a few of them by day): overwritten, zeroed, or with a flipped byte."""
    good = tmp_path / "good.db"
    filled(good)
    data, chance, outcomes = good.read_bytes(), random.Random(20_261_130), set()
    pages = list(range(len(data) // 4_096))
    for page in sorted(chance.sample(pages, min(len(pages), often(12)))):
        broken, start = bytearray(data), page * 4_096
        how = page % 3
        if how == 0:
            broken[start : start + 4_096] = chance.randbytes(4_096)
        elif how == 1:
            broken[start : start + 4_096] = bytes(4_096)
        else:
            broken[start + chance.randrange(4_096)] ^= 0xFF
        path = tmp_path / f"page{page}.db"
        path.write_bytes(bytes(broken))
        outcome, sent = tried(path)
        outcomes.add(outcome)
        if outcome == "failed":
            assert sent == ROWS
        elif sent is not None:
            assert outcome in ("compacted", "crowded", "nothing_needed"), outcome
            assert sent[-1] == ROWS[-1]
        path.unlink()
    assert outcomes & {"failed", "ArchiveCorrupt"}, outcomes


@requirement("A-2")
@pytest.mark.parametrize("size", [0, 1, 511, 512, 4_096, 20_000])
def test_a_file_that_was_cut_off(tmp_path: Path, size: int) -> None:
    good = tmp_path / "sessions.db"
    filled(good)
    good.write_bytes(good.read_bytes()[:size])
    outcome, sent = tried(good)
    assert outcome in ("ArchiveCorrupt", "failed", "compacted")
    assert sent is None or outcome == "compacted" or sent == ROWS


@requirement("A-2")
def test_a_schema_that_gets_newer_while_it_is_open(tmp_path: Path) -> None:
    """Another process upgrades: what is open goes on or fails by name; who opens now is told."""
    path = tmp_path / "sessions.db"
    filled(path)
    with Archive.open(path) as archive:
        compactor = Compactor(window=WINDOW, session=archive.existing("s"))
        compactor.fit(ROWS[:130])
        with closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA user_version = 99")
            db.execute("ALTER TABLE messages RENAME TO messages_of_later")
        done = compactor.fit(ROWS)
        assert done.receipt.outcome == "failed"
        assert "Archive" in done.receipt.failure
        assert list(done.messages) == ROWS
    with pytest.raises(SchemaTooNew, match="has schema 99"):
        Archive.open(path)


@requirement("A-2", "A-9")
def test_a_file_that_disappears_or_turns_into_a_folder(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    filled(path)
    with Archive.open(path) as archive:
        compactor = Compactor(window=WINDOW, session=archive.existing("s"))
        for each in tmp_path.iterdir():
            each.unlink()
        done = compactor.fit(ROWS)
        # An open file goes on without its name, or the file is missed: the request goes out in both cases.
        assert list(done.messages)[-1] == ROWS[-1]
    for each in tmp_path.iterdir():
        each.unlink()
    path.mkdir()
    assert tried(path) == ("ArchiveReadOnly", None)
