"""Small things that are remembered between processes: breakers, anchors, the main window of a session."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from vademecum.archive.sqlite.blobs import value_of


def get(db: sqlite3.Connection, owner: str, scope: str, key: str) -> dict[str, Any] | None:
    """What was remembered, or None."""
    found = db.execute(
        "SELECT value FROM state WHERE owner = ? AND scope = ? AND key = ?", (owner, scope, key)
    ).fetchone()
    return None if found is None else value_of(found[0])


def put(db: sqlite3.Connection, owner: str, scope: str, key: str, value: dict[str, Any]) -> None:
    """Remembers a value in place of an earlier one."""
    db.execute("INSERT OR REPLACE INTO state VALUES (?, ?, ?, ?)", (owner, scope, key, json.dumps(value)))


def drop(db: sqlite3.Connection, owner: str, scope: str, prefix: str) -> None:
    """Forgets what is remembered under keys that begin so."""
    db.execute(
        "DELETE FROM state WHERE owner = ? AND scope = ? AND substr(key, 1, ?) = ?",
        (owner, scope, len(prefix), prefix),
    )
