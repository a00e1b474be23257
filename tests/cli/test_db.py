"""`vademecum db`: status, verify, backup, migrate, vacuum, purge and retain; and `sessions rm`."""

import io
import sqlite3
from pathlib import Path

import pytest

from cli.conftest import Cli
from cli.test_json_shapes import agrees
from cli.transcripts import chat, jsonl
from requirement import requirement
from vademecum.archive.sqlite.migrations import SCHEMA


@pytest.fixture
def logs(cli: Cli, home: Path) -> Path:
    """Two sessions, one of them compacted."""
    rows = [{**row, "ts": 1_700_000_000 + number} for number, row in enumerate(chat(30))]
    log = jsonl(home / "rows.jsonl", rows)
    cli("compact", log, "--window", "32K", "--session", "nightly", "-o", "out.jsonl")
    cli("import", jsonl(home / "small.jsonl", chat(1)), "--session", "small")
    return log


@requirement("A-9")
@pytest.mark.parametrize("verb", ["status", "verify", "vacuum", "migrate"])
def test_where_there_is_no_archive(cli: Cli, archive_file: Path, verb: str) -> None:
    cli("db", verb).refused(2, "there is no archive at")
    assert not archive_file.exists()


@requirement("A-9")
def test_status(cli: Cli, logs: Path) -> None:
    agrees("db_status", cli("db", "status", "--json").json)
    lines = cli("db", "status").text.splitlines()
    assert f"schema {SCHEMA}" in lines[0]
    assert lines[1].startswith("2 sessions, ")
    assert [line.split()[0] for line in lines[2:]] == ["session", "nightly", "small"]


@requirement("A-9")
def test_verify(cli: Cli, logs: Path, archive_file: Path) -> None:
    done = cli("db", "verify", "--json")
    assert (done.code, done.json) == (0, {"schema": "vademecum.db_verify/1", "whole": True, "faults": []})
    db = sqlite3.connect(archive_file)
    db.execute("UPDATE views SET head = 99")
    db.commit()
    db.close()
    done = cli("db", "verify", "--json")
    assert done.code == 1
    agrees("db_verify", done.json)
    assert cli("db", "verify").text == "view 1 main: stands on compaction 99, which is not there\n"


@requirement("A-9")
def test_backup(cli: Cli, home: Path, logs: Path) -> None:
    agrees("db_backup", cli("db", "backup", "copy.db", "--json").json)
    cli("db", "backup", "copy.db").refused(
        2, "copy.db is there already", "name another file, or replace it with --force"
    )
    assert cli("db", "backup", "copy.db", "--force").code == 0
    assert cli("sessions", "--db", "copy.db").out == cli("sessions").out
    assert cli("db", "verify", "--db", "copy.db").code == 0


@requirement("A-9")
def test_migrate_and_vacuum(cli: Cli, logs: Path, archive_file: Path) -> None:
    agrees("db_migrate", cli("db", "migrate", "--json").json)
    agrees("db_vacuum", cli("db", "vacuum", "--json").json)
    db = sqlite3.connect(archive_file)
    for trigger in ("added", "changed", "removed"):
        db.execute(f"DROP TRIGGER messages_{trigger}")
    for table in ("uses", "purged", "doomed", "usage", "sizes", "windows"):
        db.execute(f"DROP TABLE {table}")
    db.execute("PRAGMA user_version = 1")
    db.close()
    done = cli("db", "migrate", "--json").json
    assert (done["from"], done["to"], done["backup"]) == (1, SCHEMA, f"{archive_file}.schema-1")
    assert Path(done["backup"]).exists()
    assert cli("db", "verify").code == 0


@requirement("A-9")
def test_purge(cli: Cli, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    id = cli("search", "listener 5433", "--json").json["hits"][0]["id"]
    cli("db", "purge", id).refused(2, "there is nobody to ask", "add --yes")
    assert cli("db", "purge", id, "--yes", "--json").json["parts"] > 0
    assert cli("restore", id).text.startswith("[vademecum: purged on ")
    assert cli("db", "verify").code == 0
    assert cli("db", "purge", "t_aaaaaaaaaa", "--yes").code == 1


@requirement("A-9")
@pytest.mark.parametrize("verb", ["purge", "rm"])
def test_a_backup_loses_it_too_where_it_is_named(
    cli: Cli, home: Path, logs: Path, archive_file: Path, verb: str
) -> None:
    assert cli("db", "backup", "old.db").code == 0
    assert cli("db", "backup", "other.db").code == 0
    left = archive_file.with_name(archive_file.name + ".schema-1")  # as migrating leaves it
    left.write_bytes(Path("old.db").read_bytes())
    id = cli("search", "listener 5433", "--json").json["hits"][0]["id"]
    words = ("db", "purge", id) if verb == "purge" else ("sessions", "rm", "nightly", "small")
    cli(*words, "--yes", "--also", "none.db").refused(2, "there is no such file", "nothing was removed")
    cli(*words, "--yes", "--also", archive_file).refused(2, "is the archive itself")
    done = cli(*words, "--yes", "--also", "old.db", "--json").json
    agrees("db_purge" if verb == "purge" else "removed", done)
    assert [Path(each["path"]).name for each in done["also"]] == ["old.db"]
    assert done["also"][0]["messages"] == done["messages"] > 0
    assert done["copies"] == [str(left)]
    assert b"5433" not in Path("old.db").read_bytes() or verb == "purge"
    assert not cli("search", "listener 5433", "--db", "old.db", "--json").json["hits"] or verb == "purge"
    if verb == "purge":
        assert cli("restore", id, "--db", "old.db").text.startswith("[vademecum: purged on ")
    assert sorted(path.name for path in home.iterdir() if path.name.startswith("old.db")) == ["old.db"]
    assert cli("db", "verify", "--db", "old.db").code == 0
    assert cli("search", "listener 5433", "--db", "other.db", "--json").json["hits"]
    again = cli(*words, "--yes", "--db", "other.db")
    assert "--also FILE" in again.err


@requirement("A-9")
@pytest.mark.parametrize("verb", ["purge", "rm"])
def test_a_copy_that_is_damaged_does_not_keep_it_in_the_others(cli: Cli, home: Path, logs: Path, verb: str) -> None:
    assert cli("db", "backup", "good.db").code == 0
    Path("bad.db").write_bytes(b"no archive at all " * 100)
    Path("empty.db").touch()
    id = cli("search", "listener 5433", "--json").json["hits"][0]["id"]
    words = ("db", "purge", id) if verb == "purge" else ("sessions", "rm", "nightly", "small")
    cli(*words, "--yes", "--also", "empty.db").refused(2, "the file is empty", "nothing was removed")
    done = cli(*words, "--yes", "--also", "bad.db", "--also", "good.db")
    assert done.code == 3
    assert "bad.db" in done.err
    assert "mend or delete" in done.err
    assert b"good.db: " in done.out
    if verb == "purge":
        assert cli("restore", id, "--db", "good.db").text.startswith("[vademecum: purged on ")
    else:
        assert not cli("search", "listener 5433", "--db", "good.db", "--json").json["hits"]


@requirement("A-9")
def test_retain_says_what_would_go_before_it_goes(cli: Cli, home: Path, logs: Path) -> None:
    cli("db", "retain", "--yes").refused(2, "nothing says what is to go")
    dry = cli("db", "retain", "--older-than", "90d", "--dry-run", "--json").json
    assert (dry["sessions"], dry["messages"]) == (["nightly"], 0)
    cli("db", "retain", "--older-than", "90d").refused(2, "remove 1 sessions for good?")
    (home / "vademecum.toml").write_text('[archive]\nretention = "90d"\n')
    assert [info["id"] for info in cli("sessions", "--json").json["sessions"]] == ["small", "nightly"]
    done = cli("db", "retain", "--yes", "--json").json
    agrees("db_retain", done)
    assert done["messages"] == 121
    assert [info["id"] for info in cli("sessions", "--json").json["sessions"]] == ["small"]
    assert cli("db", "retain", "--max-size", "1K", "--yes").code == 0
    assert cli("db", "verify").code == 0
    cli("db", "retain", "--older-than", "soon", "--yes").refused(2, "a number of days, weeks or years")


@requirement("A-9")
def test_sessions_rm(cli: Cli, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("sessions", "rm", "small").refused(2, "there is nobody to ask")
    assert cli("sessions", "rm", "none", "--yes").code == 1
    assert cli("sessions", "rm", "small", "--yes", "--json").json["sessions"] == ["small"]
    assert [info["id"] for info in cli("sessions", "--json").json["sessions"]] == ["nightly"]
    asked = io.StringIO("n\n")
    asked.isatty = lambda: True
    monkeypatch.setattr("sys.stdin", asked)
    assert cli("sessions", "rm", "nightly").code == 1
    assert cli("sessions", "--json").json["sessions"]
