"""Restoring: the exact bytes of a part, found by the id that stands in a context."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace

from vademecum.archive.sqlite.lineage import clipped, lineage, within
from vademecum.archive.sqlite.reading import StoredMessage, stored, stored_range
from vademecum.archive.sqlite.revisions import latest, versions
from vademecum.archive.sqlite.revisions import named as named_versions
from vademecum.archive.sqlite.rows import Range, run_of, short_text, short_value
from vademecum.archive.values import Restored
from vademecum.core.dialect import Dialect
from vademecum.core.identity import parse_part_id, short
from vademecum.core.messages import Message, Part
from vademecum.errors import AmbiguousId, ConfigError, PartNotFound
from vademecum.wire.values import at, encoded, mapping, sequence

#: Messages that restoring a range gives at most.
MOST_IN_RANGE = 5_000
#: How many messages before a result are searched for the call that it answers.
_LOOK_BACK = 200
#: Ids on either side of an unknown one that are looked at for the nearest.
_NEIGHBOURS = 200


def find(
    db: sqlite3.Connection,
    text: str,
    ranges: Sequence[Range] | None,
    visible: Callable[[int], bool],
) -> StoredMessage:
    """The message that an id names; copies of it in several sessions are the same message, the newest serves.

    Args:
        db: A connection.
        text: The id.
        ranges: The lineage that is looked in first.
        visible: Whether a run may be looked in where the lineage has it not: an edit may have left it behind.

    Raises:
        ConfigError: The text is no id.
        PartNotFound: No message has it.
        AmbiguousId: Different messages have it.
    """
    parsed = parse_part_id(text)
    if parsed is None:
        raise ConfigError(f"{text!r} is not an id", hint="ids look like t_k3x5mq2v7a or t_k3x5mq2v7a.2")
    value = short_value(parsed[0])
    named = db.execute("SELECT id, node FROM messages WHERE short = ? ORDER BY id DESC", (value,)).fetchall()
    rows = [(row, node) for row, node in named if ranges is not None and within(row, ranges)]
    rows = rows or [(row, node) for row, node in named if visible(run_of(row))]
    if not rows:
        later = named_versions(db, value)
        seen = [held for held in later if ranges is not None and within(held.row, ranges)]
        seen = seen or [held for held in later if visible(run_of(held.row))]
        if seen:
            return seen[0]
        raise PartNotFound(text, _nearest(db, value, visible))
    if len({node for _, node in rows}) > 1:
        raise AmbiguousId(text, [f"run {run_of(row)}: {bytes(node).hex()[:16]}" for row, node in rows])
    found = stored(db, rows[0][0])
    if found is None:  # its id was read in the same transaction
        raise PartNotFound(text)
    return found


def restored(
    db: sqlite3.Connection, text: str, message: StoredMessage, dialect: Dialect, session: str, *, wire: bool
) -> Restored:
    """A part's exact bytes, or the whole message's where the id names a message of several parts.

    Raises:
        PartNotFound: The message has no part of that number.
    """
    parsed = parse_part_id(text)
    number = parsed[1] if parsed is not None else None
    message = _with_part(db, message, number or 0, dialect)
    loaded = message.load(dialect)
    if number is None and len(loaded.parts) != 1:
        return Restored(text, session, message.raw, "message", message.role, ts=message.ts, size=len(message.raw))
    if not 0 <= (number or 0) < len(loaded.parts):
        raise PartNotFound(text, [f"{short(message.node)}.{at + 1}" for at in range(min(len(loaded.parts), 8))])
    part = loaded.parts[number or 0]
    call = call_of(db, message, part, dialect) if part.kind == "tool_result" else part
    data = _bytes(loaded, part, wire=wire)
    tool = (call.tool if call is not None else part.tool) if part.kind in ("tool_call", "tool_result") else ""
    arguments = call.text if call is not None and call.kind == "tool_call" else ""
    return Restored(text, session, data, part.kind, message.role, tool, arguments, message.ts, len(data))


def _with_part(db: sqlite3.Connection, message: StoredMessage, number: int, dialect: Dialect) -> StoredMessage:
    """The message, or the newest version of it that has a part of that number where it had none at first."""
    later = (held for held in (message, *reversed(versions(db, message.row))))
    return next((held for held in later if number < len(held.load(dialect).parts)), message)


def joined(db: sqlite3.Connection, first: StoredMessage, last: StoredMessage) -> bytes:
    """The messages from one to another of its lineage, in either order: one message's JSON a line.

    Raises:
        ConfigError: They are not in one lineage, or there are more than `MOST_IN_RANGE` of them.
    """
    first, last = sorted((first, last), key=lambda message: message.position)
    if last.position - first.position >= MOST_IN_RANGE:
        raise ConfigError(f"the range has more than {MOST_IN_RANGE:,} messages", hint="restore a part of it")
    wanted = clipped(lineage(db, run_of(last.row)), first.position, last.position + 1)
    messages = list(stored_range(db, wanted))
    if not messages or (messages[0].node != first.node and messages[0].row != first.row):
        ends = f"{short(first.node)} and {short(last.node)}"
        raise ConfigError(f"{ends} are not in one lineage", hint="give ids of the same session")
    revised = latest(db, run_of(last.row), wanted)
    # What was put in before a message stands at its place; the message itself is the last there.
    whole = [held for message in messages for held in (*revised.get(message.position, ())[:-1], message)]
    # Line ends can stand between the tokens of a message that was read from an indented file.
    return b"".join(message.raw.replace(b"\n", b" ") + b"\n" for message in whole)


def page(found: Restored, offset: int, limit: int | None, pattern: str | None) -> Restored:
    """A page of a restored part: the lines that match a pattern, then bytes from `offset`, at most `limit`.

    Pages of text end between characters.

    Raises:
        ConfigError: The pattern is not a regular expression, or a number is negative.
    """
    if offset < 0 or (limit is not None and limit < 0):
        raise ConfigError(f"offset {offset} and limit {limit} must not be negative")
    data = found.data
    if pattern is not None:
        try:
            wanted = re.compile(pattern)
        except re.error as error:
            raise ConfigError(f"{pattern!r} is not a regular expression: {error}") from error
        lines = data.decode("utf-8", "surrogateescape").splitlines(keepends=True)
        data = "".join(line for line in lines if wanted.search(line)).encode("utf-8", "surrogateescape")
    start, stop = offset, len(data) if limit is None else min(len(data), offset + limit)
    while 0 < start < len(data) and data[start] & 0xC0 == 0x80:
        start -= 1
    while stop < len(data) and stop > start and data[stop] & 0xC0 == 0x80:
        stop -= 1
    start = min(start, len(data))
    return replace(found, data=data[start:stop], offset=start, rest=len(data) - max(start, stop))


def _bytes(message: Message, part: Part, *, wire: bool) -> bytes:
    value = at(message.wire, part.place)
    if part.kind == "tool_result" and mapping(value) is not None:
        inner = (mapping(value) or {}).get("content")
    else:
        inner = value
    if part.plain and not wire:
        items = sequence(inner)
        single = items[0] if items else inner
        only = mapping(single)
        text = only.get("text") if only is not None else single
        return str("" if text is None else text).encode("utf-8", "surrogatepass")
    return encoded(value)


def call_of(db: sqlite3.Connection, message: StoredMessage, result: Part, dialect: Dialect) -> Part | None:
    """The call that a result answers: the nearest one before it with its id."""
    before = clipped(lineage(db, run_of(message.row)), message.position - _LOOK_BACK, message.position)
    for row in (row for part in reversed(before) for row in range(part.messages[1], part.messages[0] - 1, -1)):
        earlier = stored(db, row)
        for part in earlier.load(dialect).calls() if earlier is not None and earlier.role == "assistant" else ():
            if part.call_id == result.call_id:
                return part
    return None


def _nearest(db: sqlite3.Connection, value: int, visible: Callable[[int], bool]) -> list[str]:
    """Ids with the longest common beginning, of messages that the caller may see."""
    found: dict[str, None] = {}
    for sql in (
        "SELECT id, short FROM messages WHERE short < ? ORDER BY short DESC LIMIT ?",
        "SELECT id, short FROM messages WHERE short > ? ORDER BY short LIMIT ?",
    ):
        rows = db.execute(sql, (value, _NEIGHBOURS)).fetchall()
        own = dict.fromkeys(short_text(number) for row, number in rows if visible(run_of(row)))
        found.update(dict.fromkeys(list(own)[:2]))
    return list(found)
