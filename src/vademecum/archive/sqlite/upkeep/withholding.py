"""Withholding: what was purged is recognised by its hash when it is sent again, so that it does not come back.

The hash is keyed by the archive's own salt. Texts that could be anybody's ("yes", "go on") are not remembered: they
would be taken out of every message that says the same.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace

from vademecum.archive.sqlite import state
from vademecum.archive.sqlite.blobs import pack, value_of
from vademecum.archive.sqlite.hiding import hiding, settled
from vademecum.archive.sqlite.reading import StoredMessage
from vademecum.archive.sqlite.revisions import versions
from vademecum.archive.sqlite.upkeep.notices import without
from vademecum.archive.sqlite.upkeep.redaction import is_particular
from vademecum.core.dialect import Dialect
from vademecum.core.messages import Message

_SCOPE, _KEY = "archive", "withheld"


def remember(db: sqlite3.Connection, owner: str, texts: Sequence[str]) -> None:
    """Remembers texts that an owner has purged, inside a transaction; others must not learn of it."""
    salt = settled(db).redactor.salt
    new = {_hash(salt, text): 1 for text in texts if is_particular(text)}
    if new:
        state.put(db, owner, _SCOPE, _KEY, {**(state.get(db, owner, _SCOPE, _KEY) or {}), **new})


def remembered(db: sqlite3.Connection, owner: str) -> Callable[[str], bool] | None:
    """What tells whether an owner has purged a text; None where nothing ever was."""
    held = state.get(db, owner, _SCOPE, _KEY)
    if held is None:
        return None
    salt = hiding(db).redactor.salt
    return lambda text: is_particular(text) and _hash(salt, text) in held


def _hash(salt: bytes, text: str) -> str:
    data = text.strip().encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, key=salt[:64], digest_size=16).hexdigest()


def kept_out(
    db: sqlite3.Connection, row: int, message: Message, format: Dialect, gone: Callable[[str], bool], now: float
) -> tuple[Message, frozenset[int]]:
    """A message to be appended, without what was purged before and is sent again; and which parts that is."""
    numbers = frozenset(number for number, part in enumerate(message.parts) if gone(part.text))
    for number in numbers:
        db.execute("INSERT OR REPLACE INTO purged VALUES (?, ?, ?)", (row, number, now))
    if not numbers:
        return message, numbers
    raw = without(message, sorted(numbers), format, now)
    return replace(format.load(value_of(raw), 0, raw=raw), ts=message.ts), numbers


def keep_out_versions(db: sqlite3.Connection, owner: str, row: int, count: int, format: Dialect, now: float) -> None:
    """The same for the newest versions of a message; the one that stands for a purged message holds much the same."""
    gone = remembered(db, owner)
    if gone is None or not count:
        return
    later, purged = versions(db, row)[-count:], bool(purged_parts(db, row))
    same = [
        version
        for version in later
        if (purged and version is later[-1]) or any(gone(part.text) for part in version.load(format).parts)
    ]
    rewrite_versions(db, row, same, format, now)


def rewrite_versions(
    db: sqlite3.Connection, row: int, later: Sequence[StoredMessage], format: Dialect, now: float
) -> None:
    """Versions that an edit made hold much the same: all of each goes."""
    for version in later:
        loaded = version.load(format)
        how, data = pack(without(loaded, range(len(loaded.parts)), format, now))
        db.execute(
            "UPDATE revisions SET packed = ?, wire = ? WHERE message = ? AND node = ?",
            (how, data, row, version.node),
        )


def purged_parts(db: sqlite3.Connection, row: int) -> frozenset[int]:
    """The parts of a message that were purged before."""
    return frozenset(part for (part,) in db.execute("SELECT part FROM purged WHERE message = ?", (row,)))
