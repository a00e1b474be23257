"""Killed in the middle of removing, purging or migrating: the old state or the new one, and the next run finishes."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from contract.archive.build import filled, ids_of, raws, user
from contract.archive.test_removal import SECRET, trace
from contract.archive.test_upkeep import older
from requirement import requirement
from vademecum.archive import Archive
from vademecum.archive.sqlite.migrations import SCHEMA

#: Runs one step of upkeep and kills itself after so many thousand instructions of SQLite's machine.
CHILD = """
import os, signal, sqlite3, sys
path, what, id, after = sys.argv[1:]
connect, left = sqlite3.connect, [int(after)]
def tick():
    left[0] -= 1
    if left[0] < 0:
        os.kill(os.getpid(), signal.SIGKILL)
def opened(*args, **kwargs):
    db = connect(*args, **kwargs)
    if what == "migrate" or left[0] >= 0 and what == "armed":
        db.set_progress_handler(tick, 1000)
    return db
sqlite3.connect = opened
from vademecum.archive import Archive
archive = Archive.open(path)
archive.connection.db.set_progress_handler(tick, 1000)
if what == "remove":
    archive.remove(id)
elif what == "purge":
    archive.purge(id)
"""
MESSAGES = 500


def fill(archive: Archive) -> None:
    filled(archive, *[user(f"{SECRET} number {number} in src/file_{number}.py") for number in range(MESSAGES)])
    filled(archive, user("another session"), id="other")


def killed(path: Path, what: str, id: str, after: int) -> bool:
    done = subprocess.run([sys.executable, "-c", CHILD, path, what, id, str(after)], capture_output=True, check=False)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode != 0


@requirement("A-2", "A-9")
@pytest.mark.parametrize("after", [0, 3, 30, 100, 200, 400])
def test_removing(path: Path, after: int) -> None:
    with Archive.open(path) as archive:
        fill(archive)
    killed(path, "remove", "s", after)
    with Archive.open(path) as archive:
        assert {fault.what for fault in archive.verify()} <= {"removal"}
        if archive.has("s"):
            assert len(raws(archive.existing("s"))) == MESSAGES
            archive.remove("s")
        else:
            assert archive.search(SECRET) == []
            archive.vacuum()
        assert archive.verify() == []
        assert trace(path) == 0
        assert len(raws(archive.existing("other"))) == 1


@requirement("A-2", "A-9")
@pytest.mark.parametrize("after", [0, 2, 8, 40, 150])
def test_purging(path: Path, after: int) -> None:
    with Archive.open(path) as archive:
        fill(archive)
        id = ids_of(archive.existing("s"))[250]
        before = archive.restore(id).data
    killed(path, "purge", id, after)
    with Archive.open(path) as archive:
        assert archive.verify() == []
        now = archive.restore(id).data
        assert now == before or now.startswith(b"[vademecum: purged on ")
        assert bool(archive.search("src/file_250.py", limit=1)[0].text.count("file_250")) == (now == before)


@requirement("A-2", "A-9")
@pytest.mark.parametrize("after", [0, 1, 2, 4, 8, 1_000])
def test_migrating(path: Path, after: int) -> None:
    older(path, fill)
    killed(path, "migrate", "", after)
    with Archive.open(path) as archive:
        assert archive.verify() == []
        assert len(raws(archive.existing("s"))) == MESSAGES
        assert archive.status().schema == SCHEMA
