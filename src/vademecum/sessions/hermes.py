"""Hermes: exported sessions, a document each or a line each, and the rows of its database as such."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vademecum.core.messages import Message
from vademecum.errors import WireError
from vademecum.sessions.reading import Reading
from vademecum.sessions.source import Source
from vademecum.sessions.times import seconds
from vademecum.wire.openai_chat import OPENAI_CHAT
from vademecum.wire.values import encoded, mapping, sequence, string

KIND = "hermes"


def read_hermes(source: Source) -> Iterator[Reading]:
    """Reads an exported session."""
    document = mapping(source.document()) or {}
    reading = hermes_reading(document, 0)
    if source.torn:
        reading.skipped.append((0, source.torn))
    yield reading


def read_hermes_lines(source: Source) -> Iterator[Reading]:
    """Reads exported sessions, one a line."""
    skipped: list[tuple[int, str]] = []
    for row in source.rows(skipped):
        reading = hermes_reading(row.value, row.line)
        reading.skipped += skipped
        skipped.clear()
        yield reading
    if skipped:
        rest = hermes_reading({}, 0)
        rest.skipped += skipped
        yield rest


def hermes_reading(session: Mapping[str, Any], line: int) -> Reading:
    """One session, as its export has it."""
    name = string(session.get("session_id")) or string(session.get("id"))
    rows = [mapping(row) or {} for row in sequence(session.get("messages")) or ()]
    skipped = [] if sequence(session.get("messages")) is not None or not session else [(line, "has no messages")]
    prompt = string(session.get("system_prompt"))
    if prompt and not any(row.get("role") == "system" for row in rows[:1]):
        rows = [{"role": "system", "content": prompt}, *rows]
    # A rotated session names the one that it goes on from.
    parent = string(session.get("parent_session_id"))
    return Reading(
        KIND, name, OPENAI_CHAT, lambda reading: _messages(reading, rows, line), skipped=skipped, parent=parent
    )


def _messages(reading: Reading, rows: Sequence[Mapping[str, Any]], line: int) -> Iterator[Message]:
    count = 0
    for row in rows:
        if row.get("role") == "session_meta":
            reading.left_out["session_meta"] += 1
            continue
        wire = dict(row)
        if "ts" not in wire and (ts := seconds(wire.get("timestamp"))) is not None:
            wire["ts"] = ts
        try:
            message = OPENAI_CHAT.load(wire, count, raw=encoded(wire))
        except WireError as error:
            reading.skipped.append((line, f"message {count + 1} {error.reason}"))
            continue
        count += 1
        yield message
