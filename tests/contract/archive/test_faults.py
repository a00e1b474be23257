"""Files that cannot be written, are locked or full: typed errors, and the caller's request still goes out."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from contract.archive.build import append, filled, raws, user
from requirement import requirement
from vademecum import compact
from vademecum.archive import Archive
from vademecum.archive.sqlite.connection import Connection
from vademecum.errors import ArchiveBusy, ArchiveFull

AS_NOBODY = """
import os, sys
from pathlib import Path
from vademecum import compact
from vademecum.archive import Archive
from vademecum.archive.sqlite.connection import Connection
from vademecum.errors import ArchiveReadOnly
compact([{"role": "user", "content": "all is imported before rights are given up"}], window=200_000)
if os.geteuid() == 0:
    os.setegid(65534)
    os.seteuid(65534)
try:
    with Archive.open(sys.argv[1]) as archive:
        session = archive.session("s")
        rows = [{"role": "user", "content": f"message {n}"} for n in range(5)]
        done = compact(rows, window=200_000, session=session)
        assert list(done.messages) == rows, done.messages
        print("went out", done.receipt.failure)
        archive.session("new one")
except ArchiveReadOnly as error:
    print("ArchiveReadOnly", error, "|", error.hint)
"""


@pytest.fixture
def open_folder() -> Generator[Path]:
    """A folder that a process without our rights may enter."""
    with tempfile.TemporaryDirectory() as made:
        Path(made).chmod(0o755)
        yield Path(made)


@requirement("A-2")
@pytest.mark.parametrize("what", ["file", "folder", "both"])
def test_what_cannot_be_written_is_a_typed_error(open_folder: Path, what: str) -> None:
    path = open_folder / "sessions.db"
    with Archive.open(path) as archive:
        filled(archive, user("message 0"))
    path.chmod(0o444 if what != "folder" else 0o666)
    open_folder.chmod(0o555 if what != "file" else 0o777)
    done = subprocess.run([sys.executable, "-c", AS_NOBODY, path], capture_output=True, text=True, check=False)
    open_folder.chmod(0o755)
    assert "ArchiveReadOnly" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0, done.stderr


@requirement("A-2")
def test_a_folder_without_the_right_to_make_files(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    command = [sys.executable, "-c", AS_NOBODY, open_folder / "sessions.db"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    open_folder.chmod(0o755)
    assert done.stdout.startswith("ArchiveReadOnly"), done.stdout + done.stderr


@pytest.fixture
def locked(path: Path) -> Generator[Path]:
    """An archive whose write lock another process holds."""
    with Archive.open(path) as archive:
        filled(archive, user("a"))
    code = (
        "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None); "
        "db.execute('BEGIN IMMEDIATE'); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield path
        holder.kill()


@requirement("A-2", "A-3")
def test_a_locked_file_is_waited_for_and_then_a_typed_error(locked: Path) -> None:
    with Archive(Connection(locked, patience=0.3)) as archive:
        session = archive.existing("s")
        with pytest.raises(ArchiveBusy):
            append(session, user("b"))
        assert len(raws(session)) == 1  # readers are not held up
        assert [hit.text for hit in archive.search("a")] == ["a"]
        rows = [user("a"), user("b")]
        done = compact(rows, window=200_000, session=session)
        assert list(done.messages) == rows
        assert "ArchiveBusy" in done.receipt.failure


@requirement("A-2")
def test_a_full_disk_is_a_typed_error_and_leaves_nothing_half_written(path: Path) -> None:
    with Archive.open(path) as archive:
        session = filled(archive, user("a"))
        pages = archive.connection.db.execute("PRAGMA page_count").fetchone()[0]
        archive.connection.db.execute(f"PRAGMA max_page_count = {pages + 20}")
        noise = os.urandom(120_000).hex()
        error = None
        while error is None:
            count = len(session)
            try:
                append(session, user(f"message {count} {noise[count * 2_000 : count * 2_000 + 2_000]}"))
            except ArchiveFull as caught:
                error = caught
        assert "space" in error.hint
        assert 1 < count == len(session)
        rows = [*[message.wire for message in session.messages()], user(noise)]
        done = compact(rows, window=200_000, session=session)
        assert list(done.messages) == rows
        assert "ArchiveFull" in done.receipt.failure
        archive.connection.db.execute(f"PRAGMA max_page_count = {pages + 2_000}")
        append(session, user("there is room again"))
    with Archive.open(path) as archive:
        assert len(archive.existing("s")) == count + 1
        assert archive.connection.db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
