"""What servers said of their models' windows and what their errors taught, kept by endpoint and model."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from vademecum.archive.sqlite.connection import Connection
from vademecum.core.windows import Told

_COLUMNS = "tokens, standing, source, at, max_output, against"


@dataclass(frozen=True, slots=True)
class StoredWindow:
    """What is kept of one model.

    Attributes:
        endpoint: Where it is.
        model: Its id there.
        probed: What the server answered last; None where it never did.
        learned: What its errors taught; None for nothing that still stands.
    """

    endpoint: str
    model: str
    probed: Told | None = None
    learned: Told | None = None


class StoredWindows:
    """The windows that an archive keeps.

    Args:
        connection: The archive's.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of(self, endpoint: str, model: str) -> StoredWindow:
        """What is known of a model at an endpoint."""
        with self._connection.reading() as db:
            return StoredWindow(endpoint, model, _row(db, endpoint, model, 0), _row(db, endpoint, model, 1))

    def all(self) -> list[StoredWindow]:
        """Everything that is known, by endpoint and model."""
        with self._connection.reading() as db:
            keys = db.execute("SELECT DISTINCT endpoint, model FROM windows ORDER BY endpoint, model").fetchall()
        return [self.of(endpoint, model) for endpoint, model in keys]

    def remember(self, endpoint: str, model: str, told: Told) -> StoredWindow:
        """Keeps what was said or learned in place of what was before; an answer may end what was learned.

        Returns:
            What is known now.
        """
        with self._connection.transaction() as db:
            _put(db, endpoint, model, told)
            held = _row(db, endpoint, model, 1)
            if held is not None and told.standing != "learned":
                left = held.after(told)
                if left is None:
                    db.execute("DELETE FROM windows WHERE (endpoint, model, learned) = (?, ?, 1)", (endpoint, model))
                elif left != held:
                    _put(db, endpoint, model, left)
        return self.of(endpoint, model)


def _put(db: sqlite3.Connection, endpoint: str, model: str, told: Told) -> None:
    db.execute(
        "INSERT OR REPLACE INTO windows (endpoint, model, learned, tokens, standing, source, at, max_output, "
        "against) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            endpoint,
            model,
            int(told.standing == "learned"),
            told.window,
            told.standing,
            told.source,
            told.at,
            told.max_output,
            told.against,
        ),
    )


def _row(db: sqlite3.Connection, endpoint: str, model: str, learned: int) -> Told | None:
    found = db.execute(
        f"SELECT {_COLUMNS} FROM windows WHERE endpoint = ? AND model = ? AND learned = ?", (endpoint, model, learned)
    ).fetchone()
    return None if found is None else Told(*found)
