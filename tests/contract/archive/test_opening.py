"""Opening: private files, and a typed error for whatever is wrong with one."""

import os
import sqlite3
import stat
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
from vademecum.errors import (
    ArchiveBusy,
    ArchiveCorrupt,
    ArchiveError,
    ArchiveFull,
    ArchiveReadOnly,
    ConfigError,
    SchemaTooNew,
)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@requirement("A-9")
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_files_are_private(tmp_path: Path, umask: int) -> None:
    old = os.umask(umask)
    try:
        with Archive.open(tmp_path / "new" / "sessions.db") as archive:
            filled(archive, user("a"))
            assert {mode(file) for file in (tmp_path / "new").iterdir()} == {0o600}
            assert mode(tmp_path / "new") == 0o700
    finally:
        os.umask(old)


@requirement("A-2")
@pytest.mark.parametrize(
    "content",
    [b"not a database at all", b"x", b"\0" * 5_000, b"SQLite format 3\0" + b"\xff" * 4_080, os.urandom(20_000)],
    ids=["text", "one byte", "zeros", "header only", "noise"],
)
def test_a_file_that_is_none_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(ArchiveCorrupt) as caught:
        Archive.open(path)
    assert str(path) in str(caught.value)
    assert caught.value.hint
    assert path.read_bytes() == content


@requirement("A-2")
def test_an_empty_file_becomes_an_archive(path: Path) -> None:
    path.touch()
    with Archive.open(path) as archive:
        assert archive.sessions() == []


@requirement("A-2")
@pytest.mark.parametrize("version", [0, 1, 7, 99])
@pytest.mark.parametrize("application", [0, 1234])
def test_the_database_of_another_program_is_refused(path: Path, version: int, application: int) -> None:
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE bookmarks (url TEXT)")
    db.execute(f"PRAGMA user_version = {version}")
    db.execute(f"PRAGMA application_id = {application}")
    db.commit()
    db.close()
    content = path.read_bytes()
    with pytest.raises(ArchiveCorrupt, match="another program"):
        Archive.open(path)
    assert path.read_bytes() == content


@requirement("A-2")
def test_a_schema_from_the_future_says_so(path: Path) -> None:
    with Archive.open(path) as archive:
        archive.connection.db.execute("PRAGMA user_version = 99")
    with pytest.raises(SchemaTooNew) as caught:
        Archive.open(path)
    assert caught.value.found == 99
    assert "upgrade" in caught.value.hint


def use(path: Path) -> None:
    """Reads, writes and searches all over the file."""
    with Archive.open(path) as archive:
        session = archive.session("s")
        raws(session)
        append(session, *[user(f"more {number} " + "other words " * 300) for number in range(60)])
        archive.search("words message")


@requirement("A-2")
@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.95])
def test_a_truncated_file_is_a_typed_error_at_the_latest_where_it_is_read(path: Path, share: float) -> None:
    with Archive.open(path) as archive:
        filled(archive, *[user(f"message {number} " + "words " * 300) for number in range(60)])
        archive.connection.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    with pytest.raises(ArchiveCorrupt):
        use(path)


@requirement("A-2")
def test_a_damaged_page_is_a_typed_error(path: Path) -> None:
    with Archive.open(path) as archive:
        filled(archive, *[user(f"message {number} " + "words " * 300) for number in range(60)])
        archive.connection.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    content[4096 * 2 :] = b"\x5a" * (len(content) - 4096 * 2)
    path.write_bytes(content)
    with pytest.raises(ArchiveError):
        use(path)


@requirement("A-2")
def test_a_folder_is_no_archive(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError):
        Archive.open(tmp_path)


@requirement("A-2")
def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ArchiveReadOnly):
        Archive.open(tmp_path / "file" / "sessions.db")


def test_a_url_is_not_supported_yet() -> None:
    with pytest.raises(ConfigError, match="only files"):
        Archive.open("postgresql://host/db")


@requirement("A-2")
def test_a_closed_archive_is_a_typed_error(path: Path) -> None:
    archive = Archive.open(path)
    archive.close()
    with pytest.raises(ArchiveError):
        archive.sessions()


AS_NOBODY = """
import os, sys
from pathlib import Path
from vademecum import compact
from vademecum.archive import Archive
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
def test_a_locked_file_is_waited_for_and_then_a_typed_error(locked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vademecum.archive.sqlite.connection.PATIENCE_S", 0.3)
    with Archive.open(locked) as archive:
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


@requirement("A-2")
def test_a_session_id_that_cannot_be_stored_is_refused(archive: Archive) -> None:
    for odd in ("", "  ", "\ud83d"):
        with pytest.raises((ConfigError, ArchiveError)):
            archive.session(odd)
    with pytest.raises(ArchiveError):
        archive.search("x", session="\ud83d")
