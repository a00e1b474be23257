"""Status, verifying, backups, migrating and vacuuming."""

import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from contract.archive.build import append, calling, commit, compaction, filled, raws, result, user
from contract.archive.test_processes import write
from requirement import requirement
from vademecum.archive import Archive
from vademecum.errors import ConfigError

LARGE = "A line of a long log, 0123456789.\n" * 400


def fill(archive: Archive, id: str = "s"):
    session = filled(archive, user("look at src/app.py:42"), calling("c1", "Read", {"path": "src/app.py"}), id=id)
    append(session, result("c1", LARGE + id), user("and the port is 5433"))
    assert commit(session, compaction(session, 3))
    return session


def wrong(archive: Archive) -> set[str]:
    return {fault.what for fault in archive.verify()}


@requirement("A-9")
def test_status(path: Path) -> None:
    with Archive.open(path) as archive:
        fill(archive)
        fill(archive, "other")
        append(archive.existing("other"), user("small"))
        found = archive.status()
        assert found.path == str(path)
        assert found.counts["sessions"] == 2
        assert found.counts["messages"] == 9
        assert found.counts["blobs"] == 2
        assert found.bytes >= 4096
        assert [(each.id, each.messages) for each in found.largest] == [("other", 5), ("s", 4)]


@requirement("A-9")
def test_a_whole_archive_has_no_faults(archive: Archive) -> None:
    session = fill(archive)
    session.branch(2)
    append(session, user("another end"))
    session.revise(0, [], [])
    assert archive.verify() == []


FAULTS = {
    "message": "UPDATE messages SET wire = CAST(replace(CAST(wire AS TEXT), '33', '34') AS BLOB) WHERE packed = 0",
    "run": "DELETE FROM messages WHERE id & 0xffffff = 1",
    "string": "UPDATE blobs SET packed = 0, data = CAST('\"other\"' AS BLOB)",
    "compaction": "UPDATE compactions SET covered = 99",
    "view": "UPDATE views SET head = 99",
    "fact": "UPDATE facts SET id = id + (1 << 50) WHERE id = (SELECT max(id) FROM facts)",
    "passage": "INSERT INTO passages (rowid, text) VALUES (1 << 50, 'nowhere')",
    "session": "UPDATE sessions SET run = 99",
    "removal": "INSERT INTO doomed VALUES (1, 2)",
}


@requirement("A-9")
@pytest.mark.parametrize("what", FAULTS)
def test_each_fault_is_named(archive: Archive, what: str) -> None:
    fill(archive)
    with archive.connection.transaction() as db:
        db.execute(FAULTS[what])
    assert what in wrong(archive)
    assert all(fault.text for fault in archive.verify())


@requirement("A-9")
def test_a_damaged_page_is_named(path: Path) -> None:
    with Archive.open(path) as archive:
        fill(archive)
        archive.connection.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = archive.connection.db.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'facts_weight'"
        ).fetchone()
    data = bytearray(path.read_bytes())
    data[(page - 1) * 4096 + 8 : (page - 1) * 4096 + 80] = b"\xff" * 72
    path.write_bytes(data)
    with Archive.open(path) as archive:
        assert wrong(archive) == {"file"}


@requirement("A-9")
def test_a_backup_is_whole_private_and_of_one_moment(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    with Archive.open(path) as archive, Archive.open(path) as other:
        session = fill(archive)
        with other.connection.transaction() as db:  # not committed: not in the copy
            db.execute("DELETE FROM sessions")
            archive.backup(target)
            db.execute("ROLLBACK")
            db.execute("BEGIN")
        assert stat.S_IMODE(target.stat().st_mode) == 0o600
        assert sorted(file.name for file in tmp_path.glob("*copy*")) == ["copy.db"]
        with Archive.open(target) as copied:
            assert copied.verify() == []
            assert raws(copied.existing("s")) == raws(session)
            assert copied.existing("s").context() == session.context()


@requirement("A-9")
def test_a_backup_replaces_nothing_unasked(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    target.write_text("mine")
    with Archive.open(path) as archive:
        fill(archive)
        with pytest.raises(ConfigError, match="is there already") as caught:
            archive.backup(target)
        assert "--force" in caught.value.hint
        assert target.read_text() == "mine"
        with pytest.raises(ConfigError, match="the archive itself"):
            archive.backup(path, force=True)
        with pytest.raises(ConfigError, match="no folder"):
            archive.backup(tmp_path / "none" / "copy.db")
        archive.backup(target, force=True)
        assert target.read_bytes().startswith(b"SQLite format 3")
    with Archive.memory() as archive, pytest.raises(ConfigError, match="in memory"):
        archive.backup(tmp_path / "another.db")


@requirement("A-9")
def test_vacuum_gives_free_pages_back(path: Path) -> None:
    with Archive.open(path) as archive:
        for number in range(20):
            filled(archive, user(f"{number} {LARGE}"), id=f"s{number}")
        archive.remove(*(f"s{number}" for number in range(19)), vacuum=False)
        assert archive.vacuum() > 0
        assert archive.status().free_bytes == 0
        assert archive.verify() == []


@requirement("A-9", "A-4")
def test_a_damaged_index_is_made_anew(archive: Archive) -> None:
    session = fill(archive)
    session.revise(0, session.messages(3, 4), [10])
    before = [archive.search(words) for words in ("port 5433", "line of a long log", "src/app.py")]
    assert all(before)
    with archive.connection.transaction() as db:
        db.execute("DELETE FROM passages_data WHERE id > 10")
    assert wrong(archive) == {"index"}
    assert archive.reindex() > 4
    assert archive.verify() == []
    assert [archive.search(words) for words in ("port 5433", "line of a long log", "src/app.py")] == before


def older(path: Path, fill: Callable[[Archive], object]) -> None:
    """Makes a file as the first schema had it."""
    with Archive.open(path) as archive:
        fill(archive)
        db = archive.connection.db
        for trigger in ("added", "changed", "removed"):
            db.execute(f"DROP TRIGGER messages_{trigger}")
        for table in ("uses", "purged", "doomed", "usage", "sizes", "windows"):
            db.execute(f"DROP TABLE {table}")
        db.execute("PRAGMA user_version = 1")


def schema(path: Path) -> set[tuple[str, str]]:
    db = sqlite3.connect(path)
    rows = db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    db.close()
    lines = {name: " ".join(line.partition("--")[0].strip() for line in sql.splitlines()) for name, sql in rows}
    return {(name, " ".join(sql.split())) for name, sql in lines.items()}


@requirement("A-9")
def test_an_older_file_is_brought_up_with_a_copy_beside_it(path: Path, tmp_path: Path) -> None:
    older(path, fill)
    with Archive.open(path) as archive:
        assert archive.connection.migrated == 1
        assert archive.verify() == []
        assert archive.status().counts["blobs"] == 1
    Archive.open(tmp_path / "new.db").close()
    assert schema(path) == schema(tmp_path / "new.db")
    kept = path.with_name("sessions.db.schema-1")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    db = sqlite3.connect(kept)
    assert db.execute("PRAGMA user_version").fetchone() == (1,)
    assert db.execute("SELECT count(*) FROM messages").fetchone() == (4,)
    db.close()
    with Archive.open(path) as archive:
        assert archive.connection.migrated == 0


@requirement("A-3", "A-9")
def test_several_processes_open_an_older_file_at_the_same_moment(path: Path) -> None:
    older(path, fill)
    assert len(write(path, [f"new{number}" for number in range(4)], 3)) == 12
    with Archive.open(path) as archive:
        assert archive.verify() == []
        assert archive.status().counts["messages"] == 16
