"""What the word index has of a message: its passages, then those of its later versions, numbered through."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from vademecum.archive.sqlite.passages import passages, readable, spelled_out
from vademecum.archive.sqlite.reading import StoredMessage
from vademecum.archive.sqlite.revisions import versions
from vademecum.core.dialect import Dialect
from vademecum.core.messages import Message


@dataclass(frozen=True, slots=True)
class Version:
    """A message as it came, or what a caller made of it later; `first` is the number of its first passage."""

    stored: StoredMessage
    loaded: Message
    first: int


def all_versions(db: sqlite3.Connection, message: StoredMessage, format: Dialect) -> list[Version]:
    """A message with its later versions, the oldest first."""
    found: list[Version] = []
    number = 0
    for held in (message, *versions(db, message.row)):
        loaded = held.load(format)
        found.append(Version(held, loaded, number))
        number += sum(1 for _ in passages(loaded))
    return found


def indexed_texts(db: sqlite3.Connection, message: StoredMessage, format: Dialect) -> list[str]:
    """The text of every passage as the index was given it, by number."""
    texts: list[str] = []
    for version in all_versions(db, message, format):
        shown = [readable(part) for part in version.loaded.parts]
        texts += [
            spelled_out(shown[passage.part][passage.start : passage.stop]) for passage in passages(version.loaded)
        ]
    return texts
