"""Appending messages: the message, its large strings, its facts and its words, in one transaction."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from vademecum.archive.sqlite.batch import FULL, Batch
from vademecum.archive.sqlite.blobs import EVICTED, pack, split
from vademecum.archive.sqlite.hiding import Hiding, note
from vademecum.archive.sqlite.passages import cut, indexed, readable
from vademecum.archive.sqlite.rows import MOST_NUMBERS, message_row, short_int
from vademecum.core.facts import Findings, extract
from vademecum.core.facts.actions import arguments
from vademecum.core.messages import Message, Part
from vademecum.core.text import clean
from vademecum.wire.values import encoded

#: Tools whose results are themselves taken from the archive; indexed again they would crowd out the originals.
_OWN_TOOLS = ("session_search", "restore_tool_result")
_OWN_COMMAND = re.compile(
    r"(?:^|[;&|(\n]|\b(?:run|exec|env)\s)\s*(?:\S*/)?vademecum\s+(?:-\S+\s+(?:[^-\s]\S*\s+)?)*?(?:search|restore|show)\b"
)
_CARRY = "<vademecum:carry "


def insert(
    db: sqlite3.Connection,
    batch: Batch,
    run: int,
    position: int,
    message: Message,
    node: bytes,
    tokens: int,
    calls: Mapping[str, Part],
    hiding: Hiding,
    gone: Container[int] = (),
) -> list[tuple[bytes, bytes]]:
    """Puts one message with everything that is kept about it into a batch; its large strings are written.

    Args:
        db: A connection inside a transaction.
        batch: What is written with it.
        run: The run it belongs to.
        position: Its position in the lineage.
        message: The message.
        node: Its node id.
        tokens: Its size.
        calls: Calls by id that a result may answer.
        hiding: What the archive does about secrets.
        gone: Parts in whose place a notice stands, since they were purged.

    Returns:
        The large strings of it that were evicted before; they come back with `rewording`.
    """
    row = message_row(run, position)
    skeleton, large = split(message.raw or encoded(message.wire))
    evicted = keep_large(db, row, large)
    how, data = pack(skeleton)
    batch.messages.append(
        (
            row,
            node,
            short_int(node),
            message.role,
            "\n".join(_tools(message, calls)),
            len(message.parts),
            tokens,
            int(message.typed),
            message.ts,
            how,
            data,
        ),
    )
    batch.add_calls(row, message)
    index(db, batch, row, message, node, calls, hiding, gone)
    return evicted


def index(
    db: sqlite3.Connection,
    batch: Batch,
    row: int,
    message: Message,
    node: bytes,
    calls: Mapping[str, Part],
    hiding: Hiding,
    gone: Container[int] = (),
) -> None:
    """Makes a message known to search and to the ledger, but for parts that are gone."""
    own, told = without_own(message, calls, gone)
    add_words(db, batch, row, message, own, hiding)
    told, calls = hiding.told(told, calls)
    batch.add_facts(row, told.parts, node, extract(told, calls))


def without_own(
    message: Message, calls: Mapping[str, Part], gone: Container[int] = ()
) -> tuple[frozenset[int], Message]:
    """The parts that are gone or only repeat what the archive has, and the message without their texts."""
    own = frozenset(number for number, part in enumerate(message.parts) if number in gone or _is_own(part, calls))
    if not own:
        return own, message
    parts = tuple(_blank(part) if number in own else part for number, part in enumerate(message.parts))
    return own, replace(message, parts=parts)


def keep_large(db: sqlite3.Connection, row: int, large: Sequence[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Keeps the large strings of a message, each once; gives those of which only a stand-in is left."""
    evicted: list[tuple[bytes, bytes]] = []
    for digest, literal in large:
        held = db.execute("SELECT packed FROM blobs WHERE hash = ?", (digest,)).fetchone()
        if held is None:
            how, data = pack(literal)
            db.execute("INSERT INTO blobs VALUES (?, ?, ?, ?)", (digest, len(literal), how, data))
        elif held[0] == EVICTED:
            evicted.append((digest, literal))
        db.execute("INSERT OR IGNORE INTO uses VALUES (?, ?)", (digest, row))
    return evicted


def _tools(message: Message, calls: Mapping[str, Part]) -> list[str]:
    """The tool of each call and result, in the order of the parts."""
    names = [
        part.tool if part.kind == "tool_call" else _tool_of(part, calls)
        for part in message.parts
        if part.kind in ("tool_call", "tool_result")
    ]
    return [clean(name).replace("\n", " ") for name in names]


def _tool_of(result: Part, calls: Mapping[str, Part]) -> str:
    call = calls.get(result.call_id)
    return call.tool if call is not None else result.tool


def _is_own(part: Part, calls: Mapping[str, Part]) -> bool:
    """Whether a part only repeats what the archive has: a carry, or what was searched or restored."""
    if part.kind == "tool_result":
        call = calls.get(part.call_id)
        return _tool_of(part, calls).endswith(_OWN_TOOLS) or (call is not None and _asks_the_archive(call))
    return part.kind == "text" and part.text.startswith(_CARRY)


def _asks_the_archive(call: Part) -> bool:
    """Whether a call runs our own command line to search or restore."""
    if "vademecum" not in call.text:
        return False
    given = arguments(call)
    command = given.get("command", given.get("cmd"))
    return isinstance(command, str) and _OWN_COMMAND.search(command) is not None


def _blank(part: Part) -> Part:
    return replace(part, text="", typed=False)


def add_words(
    db: sqlite3.Connection,
    batch: Batch,
    row: int,
    message: Message,
    own: Container[int],
    hiding: Hiding,
    first: int = 0,
) -> None:
    """Puts a message's passages into a batch, numbered from `first` on, but for its own parts."""
    texts = [readable(part) for part in message.parts]
    hidden = hiding.in_texts(texts)
    note(db, row, first, hidden)
    for number, passage in enumerate(cut(texts), first):
        if number > MOST_NUMBERS:
            break
        if passage.part in own:  # numbered all the same: search numbers them without knowing whose they are
            continue
        batch.add_passage(row, number, indexed(texts[passage.part], passage, hidden.get(passage.part, ())))
        if batch.characters > FULL:
            batch.write(db)


def insert_words(
    db: sqlite3.Connection, row: int, message: Message, own: Container[int], hiding: Hiding, first: int = 0
) -> None:
    """Puts a message's passages into the word index, numbered from `first` on, but for its own parts."""
    batch = Batch()
    add_words(db, batch, row, message, own, hiding, first)
    batch.write(db)


def insert_facts(
    db: sqlite3.Connection, row: int, message: Message, node: bytes, found: Findings, first: int = 0
) -> None:
    """Keeps what was extracted from a message, its facts numbered from `first` on."""
    batch = Batch()
    batch.add_facts(row, message.parts, node, found, first)
    batch.write(db)


def calls_of(messages: Sequence[Message]) -> dict[str, Part]:
    """The calls of messages by id; a later one replaces an earlier one of the same id."""
    return {part.call_id: part for message in messages for part in message.calls()}
