"""Opening: private files, and a typed error for whatever is wrong with one."""

import os
import sqlite3
import stat
from pathlib import Path

import pytest

from contract.archive.build import append, filled, raws, user
from requirement import requirement
from vademecum.archive import Archive
from vademecum.errors import (
    ArchiveCorrupt,
    ArchiveError,
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


@requirement("A-2")
def test_a_session_id_that_cannot_be_stored_is_refused(archive: Archive) -> None:
    for odd in ("", "  ", "\ud83d"):
        with pytest.raises((ConfigError, ArchiveError)):
            archive.session(odd)
    with pytest.raises(ArchiveError):
        archive.search("x", session="\ud83d")
