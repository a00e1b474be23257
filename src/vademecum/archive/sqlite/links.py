"""Links: a session that continues another one, whose messages are its own, not shared."""

from __future__ import annotations

import sqlite3

from vademecum.archive.sqlite.lineage import generations
from vademecum.errors import ConfigError


def link(db: sqlite3.Connection, owner: str, session: str, parent: str) -> None:
    """Notes the session that one continues, inside a transaction; an empty parent changes nothing.

    The parent need not be there yet: logs are imported in any order.

    Raises:
        ConfigError: It continues another session already, or the link would lead back to it.
    """
    if not parent:
        return
    (held,) = db.execute("SELECT parent FROM sessions WHERE owner = ? AND session = ?", (owner, session)).fetchone()
    if held == parent:
        return
    if held is not None:
        raise ConfigError(f"session {session!r} continues {held!r} already", hint="use another session id")
    if session == parent or session in {name for name, _ in generations(db, owner, parent)}:
        raise ConfigError(f"session {session!r} cannot continue itself", hint="use another session id")
    db.execute("UPDATE sessions SET parent = ? WHERE owner = ? AND session = ?", (parent, owner, session))
