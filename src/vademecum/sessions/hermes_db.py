"""Hermes' `state.db`: sessions and messages in SQLite. The file is copied first, the live one is never opened."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from vademecum.errors import ConfigError, WireError
from vademecum.sessions.hermes import hermes_reading
from vademecum.sessions.reading import Reading
from vademecum.sessions.source import Source

#: Columns that hold JSON.
_JSON = frozenset({"tool_calls", "reasoning_details", "codex_reasoning_items", "codex_message_items"})
#: A row's own id and session say where it stands, not what it says.
_PLACE = frozenset({"id", "session_id"})
_TRIES = 3


def read_hermes_db(source: Source) -> Iterator[Reading]:
    """Reads every session of the database.

    Raises:
        ConfigError: It is the database of something else, or comes from elsewhere than a file.
        WireError: It is damaged, or changed while it was copied.
    """
    for attempt in range(_TRIES):
        try:
            found = _read(source)
        except sqlite3.DatabaseError as error:
            if attempt == _TRIES - 1:
                hint = "stop the agent and try again"
                raise WireError(-1, f"the database cannot be read: {error}", hint=hint) from error
        else:
            yield from (hermes_reading(session, 0) for session in found)
            return


def _read(source: Source) -> list[Mapping[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "state.db")
        _copy(source, copy)
        with closing(sqlite3.connect(copy)) as db:
            return list(_sessions(db))


def _copy(source: Source, to: Path) -> None:
    if source.path is None:
        to.write_bytes(source.data())
        return
    # The log beside it holds what was written last; its index is made anew.
    for suffix in ("", "-wal"):
        beside = source.path.with_name(source.path.name + suffix)
        if beside.exists():
            shutil.copyfile(beside, f"{to}{suffix}")


def _sessions(db: sqlite3.Connection) -> Iterator[Mapping[str, Any]]:
    db.row_factory = sqlite3.Row
    db.text_factory = _text
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"sessions", "messages"} <= tables:
        raise ConfigError(
            "a SQLite database without the tables `sessions` and `messages` is not Hermes' state.db",
            hint="databases of other agents cannot be imported yet",
        )
    columns = [row[1] for row in db.execute("PRAGMA table_info(messages)")]
    owner = next((name for name in ("session_id", "session") if name in columns), "")
    if not owner or "role" not in columns:
        raise ConfigError("the table `messages` has no session_id and role", hint="is it Hermes' state.db?")
    for session in db.execute("SELECT * FROM sessions").fetchall():
        fields = dict(session)
        name = str(fields.get("id", fields.get("session_id", "")))
        # The name of the column is one of two that were looked at above.
        rows = db.execute(f"SELECT * FROM messages WHERE {owner} = ? ORDER BY rowid", (name,)).fetchall()  # noqa: S608
        yield {**fields, "session_id": name, "messages": _rows(rows)}


def _rows(rows: Sequence[sqlite3.Row]) -> list[dict[str, Any]]:
    return [
        {key: _value(key, row[key]) for key in row.keys() if key not in _PLACE and row[key] is not None}  # noqa: SIM118
        for row in rows
    ]


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _value(key: str, value: Any) -> Any:
    if isinstance(value, bytes):
        value = value.decode("utf-8", "surrogateescape")
    if isinstance(value, str) and (key in _JSON or (key == "content" and value.startswith("\0json:"))):
        try:
            return json.loads(value.removeprefix("\0json:"))
        except (ValueError, RecursionError):
            return value
    return value
