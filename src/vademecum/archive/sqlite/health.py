"""Looking at an archive without opening it for work: nothing is made, changed or waited for."""

from __future__ import annotations

import os
import sqlite3
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from vademecum.archive.sqlite.migrations import APPLICATION, SCHEMA


@dataclass(frozen=True, slots=True)
class Health:
    """What was seen of an archive.

    Attributes:
        exists: Whether there is a file.
        writable: Whether it, or the nearest folder above it that there is, can be written.
        private: Whether nobody else may read it; true where the system has no such modes.
        size: Its bytes.
        schema: The schema it has; 0 for an empty file.
        known: The latest schema that this version knows.
        ours: Whether it is an archive, or empty.
        damage: What a quick check of its pages found; empty when they are sound.
    """

    exists: bool
    writable: bool
    private: bool = True
    size: int = 0
    schema: int = 0
    known: int = SCHEMA
    ours: bool = True
    damage: str = ""


def health(path: Path) -> Health:
    """Looks at the file of an archive."""
    if not path.exists():
        return Health(exists=False, writable=_can_be_made(path))
    found = path.stat()
    private = os.name != "posix" or not stat.S_IMODE(found.st_mode) & 0o077
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    seen = Health(exists=True, writable=writable, private=private, size=found.st_size)
    if not path.is_file():
        return replace(seen, ours=False, damage="it is no file")
    try:
        return _looked_into(path, seen)
    except sqlite3.Error as error:
        return replace(seen, ours=False, damage=str(error))


def _looked_into(path: Path, seen: Health) -> Health:
    db = sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True, timeout=1.0)
    try:
        application = db.execute("PRAGMA application_id").fetchone()[0]
        schema = db.execute("PRAGMA user_version").fetchone()[0]
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        ours = application == APPLICATION or not (application or schema or tables)
        (said,) = db.execute("PRAGMA quick_check(1)").fetchone()
        return replace(seen, schema=schema, ours=ours, damage="" if said == "ok" else said)
    finally:
        db.close()


def _can_be_made(path: Path) -> bool:
    folder = next((above for above in path.absolute().parents if above.exists()), None)
    return folder is not None and folder.is_dir() and os.access(folder, os.W_OK)


def has_search() -> bool:
    """Whether this Python's SQLite has FTS5, which searching needs."""
    db = sqlite3.connect(":memory:")
    try:
        db.execute("CREATE VIRTUAL TABLE probe USING fts5 (text)")
    except sqlite3.Error:
        return False
    finally:
        db.close()
    return True
