"""Logs that are no single file: Hermes' database, opencode's storage, a folder of OpenHands' events."""

import gzip
import io
import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from requirement import requirement
from unit.sessions.made import CHAT, OPENCODE, OPENHANDS, archive
from vademecum.errors import ConfigError, VademecumError, WireError
from vademecum.sessions import Source, readings

SCHEMA = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, model TEXT, started_at REAL{more});
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, {owner} TEXT, role TEXT, content TEXT,
  tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL, reasoning TEXT);
"""


def hermes(path: Path, owner: str = "session_id", more: str = ", system_prompt TEXT") -> sqlite3.Connection:
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = WAL")
    db.executescript(SCHEMA.format(owner=owner, more=more))
    for session in ("h-1", "h-2"):
        db.execute("INSERT INTO sessions (id, source, model, started_at) VALUES (?, 'cli', 'm', 1.0)", (session,))
        for number, row in enumerate(CHAT):
            calls = json.dumps(row["tool_calls"]) if "tool_calls" in row else None
            db.execute(
                f"INSERT INTO messages ({owner}, role, content, tool_call_id, tool_calls, timestamp) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (session, row["role"], row["content"], row.get("tool_call_id"), calls, 1_700_000_000.5 + number),
            )
    db.commit()
    return db


@requirement("A-8")
@pytest.mark.parametrize("owner", ["session_id", "session"])
def test_a_database_of_hermes(tmp_path: Path, owner: str) -> None:
    path = tmp_path / "whatever.bin"
    with closing(hermes(path, owner)):  # still open elsewhere: what was written last is in the log beside it
        before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
        with Source.open(path) as source:
            found = [(one.session, list(one)) for one in readings(source)]
        assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before, "the live file is left alone"
    assert [name for name, _ in found] == ["h-1", "h-2"]
    for _, said in found:
        assert [message.role for message in said] == ["user", "assistant", "tool", "assistant"]
        assert said[1].calls()[0].call_id == said[2].results()[0].call_id == "t1"
        assert said[0].ts == 1_700_000_000.5


@requirement("A-8")
def test_the_system_prompt_of_a_session_comes_first(tmp_path: Path) -> None:
    with closing(hermes(tmp_path / "state.db")) as db:
        db.execute("UPDATE sessions SET system_prompt = 'theta rules' WHERE id = 'h-2'")
        db.commit()
        with Source.open(tmp_path / "state.db") as source:
            assert [next(iter(one)).role for one in readings(source)] == ["user", "system"]


@requirement("A-8")
def test_another_database_is_refused_by_name(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as db:
        db.execute("CREATE TABLE things (a)")
        db.commit()
    with Source.open(tmp_path / "other.db") as source, pytest.raises(ConfigError, match="Hermes"):
        list(readings(source))


@requirement("A-8")
def test_a_damaged_database_is_a_typed_error(tmp_path: Path) -> None:
    with closing(hermes(tmp_path / "state.db")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = (tmp_path / "state.db").read_bytes()
    (tmp_path / "torn.db").write_bytes(data[:4096] + b"\xff" * 4096 + data[8192:])
    with Source.open(tmp_path / "torn.db") as source, pytest.raises(WireError, match="database"):
        list(readings(source))


def storage(home: Path) -> Path:
    root = home / "opencode/storage"
    for row in OPENCODE["messages"]:
        id = row["info"]["id"]
        message = root / f"message/ses_1/{id}.json"
        message.parent.mkdir(parents=True, exist_ok=True)
        message.write_text(json.dumps(row["info"]), "utf-8")
        (root / f"part/{id}").mkdir(parents=True)
        for number, part in enumerate(row["parts"]):
            (root / f"part/{id}/prt_{number}.json").write_text(json.dumps(part), "utf-8")
    (root / "session/p").mkdir(parents=True)
    (root / "session/p/ses_1.json").write_text(json.dumps({"id": "ses_1", "projectID": "p"}), "utf-8")
    return root


@requirement("A-8")
@pytest.mark.parametrize("what", ["", "..", "message/ses_1", "session/p/ses_1.json"])
def test_the_storage_of_opencode(tmp_path: Path, what: str) -> None:
    root = storage(tmp_path)
    with Source.open((root / what).resolve()) as source:
        (one,) = readings(source)
        said = list(one)
    assert (one.kind, one.session) == ("opencode", "ses_1")
    assert [message.role for message in said] == ["user", "assistant", "tool", "assistant"]
    assert said[2].results()[0].is_error


@requirement("A-8")
def test_a_torn_part_costs_nothing_but_that_part(tmp_path: Path) -> None:
    root = storage(tmp_path)
    (root / "part/msg_2/prt_1.json").write_text('{"type": "reas', "utf-8")
    with Source.open(root) as source:
        (one,) = readings(source)
        assert len(list(one)) == 4
    assert any("prt_1.json" in reason for _, reason in one.skipped)


@requirement("A-8")
def test_a_folder_of_events(tmp_path: Path) -> None:
    events = tmp_path / "conversation-9/events"
    events.mkdir(parents=True)
    for event in OPENHANDS:
        (events / f"{event['id']}.json").write_text(json.dumps(event), "utf-8")
    (events / "5.json").write_text("{torn", "utf-8")
    with Source.open(events.parent) as source:
        (one,) = readings(source)
        said = list(one)
    assert (one.kind, one.session, len(said)) == ("openhands", "conversation-9", 4)
    assert any("5.json" in reason for _, reason in one.skipped)


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (b"models:\n  - m\nconversations:\n  - messages: []\n", "copilot-sdk"),
        (b'[{"ts": 1, "type": "say", "say": "text", "text": "x"}]', "ui_messages"),
        (b"PK\x03\x04" + b"\0" * 40, "zip archive"),
        (b"SQLite format 3\0" + b"\0" * 40, "database"),
    ],
)
def test_what_is_no_log_is_refused_by_name(data: bytes, named: str) -> None:
    with Source.of(data) as source, pytest.raises(VademecumError, match=named) as caught:
        list(readings(source))
    assert "\n" not in str(caught.value)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with Source.open(tmp_path) as source, pytest.raises(ConfigError, match="is a folder"):
        list(readings(source))


def test_another_kind_than_was_said() -> None:
    with (
        Source.of(json.dumps({"trajectory": OPENHANDS}).encode()) as source,
        pytest.raises(ConfigError, match="codex"),
    ):
        list(readings(source, "codex"))


@requirement("A-8")
def test_pipes_and_devices_in_a_folder_are_told_and_hold_nothing_up(tmp_path: Path) -> None:
    root = storage(tmp_path)
    messages = root / "message/ses_1"
    (messages / "zz.json").symlink_to("/dev/zero")
    with Source.open(messages) as source:
        (one,) = readings(source)
        said = list(one)
    assert said
    assert any("no regular file" in why for _, why in one.skipped)


@requirement("A-8")
def test_a_member_of_an_archive_that_is_a_bomb_costs_no_more_than_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vademecum.wire.zipped._LEAST", 1 << 20)
    held = io.BytesIO(archive())
    with zipfile.ZipFile(held, "a", zipfile.ZIP_DEFLATED) as made:
        made.writestr("samples/2_epoch_1.json", b" " * (32 << 20))
    with Source.of(held.getvalue()) as source:
        found = list(readings(source))
    assert any("expand to more than" in why for one in found for _, why in one.skipped)
    bomb = gzip.compress(b" " * (64 << 20))
    with pytest.raises(WireError, match="expand to more than"):
        Source.of(bomb)
