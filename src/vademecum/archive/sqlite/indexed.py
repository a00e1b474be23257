"""What search and the ledger know of a message and, numbered on, of its later versions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace

from vademecum.archive.sqlite.append import insert_facts, insert_words, without_own
from vademecum.archive.sqlite.hiding import hiding, note, noted, settled, unnote
from vademecum.archive.sqlite.passages import indexed, passages, readable
from vademecum.archive.sqlite.reading import StoredMessage, stored
from vademecum.archive.sqlite.restore import call_of
from vademecum.archive.sqlite.revisions import versions
from vademecum.archive.sqlite.rows import numbered_row
from vademecum.core.dialect import Dialect
from vademecum.core.facts import Mention, extract
from vademecum.core.messages import Message, Part


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
        if found:  # most messages have no later version, and need not be counted
            number += sum(1 for _ in passages(found[-1].loaded))
        found.append(Version(held, held.load(format), number))
    return found


def indexed_texts(db: sqlite3.Connection, message: StoredMessage, format: Dialect) -> list[str]:
    """The text of every passage as the index was given it, by number."""
    texts: list[str] = []
    for version in all_versions(db, message, format):
        shown = [readable(part) for part in version.loaded.parts]
        hidden = noted(db, message.row, version.first)
        texts += [
            indexed(shown[passage.part], passage, hidden.get(passage.part, ()))
            for passage in passages(version.loaded)
        ]
    return texts


def hide_anew(db: sqlite3.Connection, message: StoredMessage, format: Dialect) -> None:
    """Notes what is to be hidden of a message and its versions by the rules of now, before they are indexed anew."""
    unnote(db, message.row)
    policy = settled(db)
    for version in all_versions(db, message, format):
        note(db, message.row, version.first, policy.in_index(version.loaded))


def index_versions(db: sqlite3.Connection, row: int, format: Dialect, count: int) -> None:
    """Makes the newest `count` versions of a message known to search, and what is new in them to the ledger.

    Requests are not among it: what a user asks for now stands in the context.
    """
    message = stored(db, row)
    if message is None or count == 0:
        return
    held = all_versions(db, message, format)
    policy = settled(db)
    for at in range(len(held) - count, len(held)):
        version = held[at]
        calls = answered(db, message, version.loaded, format)
        own, told = without_own(version.loaded, calls)
        insert_words(db, row, version.loaded, own, policy, version.first)
        told, bare = policy.told(told, calls)
        found = extract(told, bare)
        if not found.facts and not found.mentions:
            continue
        first, last = numbered_row(row, 0), numbered_row(row + 1, 0) - 1
        known = db.execute("SELECT id, kind, text FROM facts WHERE id BETWEEN ? AND ?", (first, last)).fetchall()
        said = {(kind, text) for _, kind, text in known}
        facts = tuple(fact for fact in found.facts if fact.kind != "request" and (fact.kind, fact.text) not in said)
        mentions = {mention.name for earlier in held[:at] for mention in _mentions(db, message, earlier, format)}
        new = replace(
            found, facts=facts, mentions=tuple(each for each in found.mentions if each.name not in mentions)
        )
        number = max((id - first for id, _, _ in known), default=-1) + 1
        insert_facts(db, row, told, version.stored.node, new, number)


def mentioned(db: sqlite3.Connection, message: StoredMessage, format: Dialect) -> Iterator[list[Mention]]:
    """What each version of a message mentions that none before it did."""
    seen: set[str] = set()
    for version in all_versions(db, message, format):
        found = [mention for mention in _mentions(db, message, version, format) if mention.name not in seen]
        seen |= {mention.name for mention in found}
        yield found


def _mentions(
    db: sqlite3.Connection, message: StoredMessage, version: Version, format: Dialect
) -> tuple[Mention, ...]:
    calls = answered(db, message, version.loaded, format)
    return extract(*hiding(db).told(without_own(version.loaded, calls)[1], calls)).mentions


def answered(db: sqlite3.Connection, message: StoredMessage, loaded: Message, format: Dialect) -> dict[str, Part]:
    """The calls that a message's results answer, by id."""
    found: dict[str, Part] = {part.call_id: part for part in loaded.calls()}
    for result in loaded.results():
        call = call_of(db, message, result, format)
        if call is not None:
            found[result.call_id] = call
    return found
