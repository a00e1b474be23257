"""Schemas: making a file's tables, and bringing those of an older file to the newest form.

`schema.sql` is the newest schema. Each `NNN_*.sql` here leads from the schema before to schema NNN; a file is
brought up in one transaction, after a copy of it was made beside it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from importlib.resources import files

from vademecum.archive.sqlite.blobs import digests, unpack

SCHEMA = 5
#: "VADE", so that `file` and other programs know whose database this is.
APPLICATION = 0x56414445


def make(db: sqlite3.Connection) -> None:
    """Makes the tables of the newest schema in an empty file, inside a transaction."""
    _run(db, files("vademecum.archive.sqlite").joinpath("schema.sql").read_text("utf-8"))
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute(f"PRAGMA user_version = {SCHEMA}")


def bring_up(db: sqlite3.Connection, version: int) -> None:
    """Leads a file from a schema to the newest one, inside a transaction."""
    db.create_function("digests", 2, _digests, deterministic=True)
    db.create_function("digest", 1, bytes.fromhex, deterministic=True)
    for number, script in steps():
        if number > version:
            _run(db, script)
    db.execute(f"PRAGMA user_version = {SCHEMA}")


def steps() -> list[tuple[int, str]]:
    """Each schema after the first with the script that leads to it, in order."""
    folder = files("vademecum.archive.sqlite.migrations")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [(int(name.partition("_")[0]), folder.joinpath(name).read_text("utf-8")) for name in names]


def _run(db: sqlite3.Connection, script: str) -> None:
    for statement in _statements(script):
        db.execute(statement)


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _digests(packed: int, wire: bytes) -> str:
    return json.dumps([digest.hex() for digest in digests(unpack(packed, wire))])
