"""Archives that cannot be used: every verb fails with one line and exit code 3, and harms nothing."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cli.conftest import Cli
from requirement import requirement

VERBS = [
    ("compact", "build.jsonl", "--window", "32K", "-o", "out.jsonl"),
    ("compact", "build.jsonl", "--window", "32K", "--dry-run"),
    ("context", "nightly"),
    ("import", "build.jsonl"),
    ("restore", "t_aaaaaaaaaa"),
    ("search", "port"),
    ("sessions",),
    ("sessions", "export", "nightly"),
    ("show", "t_aaaaaaaaaa"),
]


def named(args: tuple[str, ...]) -> str:
    return " ".join(args[:2])


@requirement("A-2")
@pytest.mark.parametrize("args", VERBS, ids=named)
def test_a_file_that_is_no_archive(cli: Cli, log: Path, args: tuple[str, ...]) -> None:
    junk = b"This is no database, whatever its name says." * 50
    Path("junk.db").write_bytes(junk)
    cli(*args, "--db", "junk.db").refused(3, "is damaged or not an archive")
    assert Path("junk.db").read_bytes() == junk
    assert not Path("out.jsonl").exists()


@requirement("A-2")
@pytest.mark.parametrize("args", VERBS, ids=named)
def test_the_database_of_another_program(cli: Cli, log: Path, args: tuple[str, ...]) -> None:
    with closing(sqlite3.connect("other.db")) as db, db:
        db.execute("CREATE TABLE bookmarks (url TEXT)")
    before = Path("other.db").read_bytes()
    cli(*args, "--db", "other.db").refused(3, "is a database of another program", "name another file with --db")
    assert Path("other.db").read_bytes() == before


@requirement("A-2")
@pytest.mark.parametrize("args", VERBS, ids=named)
def test_an_archive_of_a_later_version(cli: Cli, log: Path, compacted: Path, archive_file: Path, args) -> None:
    with closing(sqlite3.connect(archive_file)) as db:
        db.execute("PRAGMA user_version = 99")
    cli(*args).refused(3, "has schema 99, this version knows schemas up to", "upgrade vademecum")


@requirement("A-2")
@pytest.mark.parametrize("args", VERBS, ids=named)
def test_an_archive_whose_pages_are_damaged(cli: Cli, log: Path, compacted: Path, archive_file: Path, args) -> None:
    data = bytearray(archive_file.read_bytes())
    data[100 : len(data)] = b"\xff" * (len(data) - 100)
    archive_file.write_bytes(bytes(data))
    compacted.unlink()
    cli(*args).refused(3, "")
    assert not Path("out.jsonl").exists()


@requirement("A-2")
@pytest.mark.parametrize("args", [VERBS[0], VERBS[3]], ids=named)
def test_a_place_where_no_archive_can_be(cli: Cli, log: Path, home: Path, args: tuple[str, ...]) -> None:
    cli(*args, "--db", home).refused(3, "cannot be written", "name a writable file with --db")
    cli(*args, "--db", log / "archive.db").refused(3, "cannot open", "name a writable file with --db")
    cli(*args, "--db", "postgresql://host/db").refused(
        2, "--db is 'postgresql://host/db'", "the archive is an SQLite"
    )


@requirement("A-2")
def test_an_archive_that_may_only_be_read(
    cli: Cli, log: Path, compacted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect

    def read_only(name: str, **more: object) -> sqlite3.Connection:
        return connect(f"file:{name}?mode=ro&immutable=1", uri=True, **more)

    monkeypatch.setattr(sqlite3, "connect", read_only)
    before = compacted.read_bytes()
    cli("compact", log, "--window", "32K", "--session", "more", "-o", compacted).refused(
        3, "cannot be written", "name a writable file with --db"
    )
    assert compacted.read_bytes() == before
