"""Logs whose rows hold Anthropic contents: Droid's session store, and Cursor's transcripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from vademecum.core.messages import Message
from vademecum.errors import WireError
from vademecum.sessions.claude_code import PREFIX, SUFFIX, anthropic_reading, joined
from vademecum.sessions.reading import Reading
from vademecum.sessions.source import Source
from vademecum.sessions.tree import Entry
from vademecum.wire.anthropic import ANTHROPIC
from vademecum.wire.values import mapping, sequence, string


def read_droid(source: Source) -> Iterator[Reading]:
    """Reads a session of Droid's store: a tree of messages below a header."""
    entries: list[Entry] = []
    found = Reading("droid", "", ANTHROPIC, lambda _: iter(()))
    for row in source.rows(found.skipped):
        value = row.value
        kind, message = string(value.get("type")), mapping(value.get("message")) or {}
        entry = Entry(row.line, row.offset, row.size, string(value.get("id")), string(value.get("parentId")))
        entry.root = kind == "session_start"
        if kind == "session_start":
            found.session = found.session or string(value.get("id"))
            found.left_out[kind] += 1
        elif kind == "compaction_state":
            found.dropped += 1
        elif kind in ("todo_state", "session_end"):
            found.left_out[kind] += 1
        elif kind == "message" and message.get("role") in ("user", "assistant"):
            blocks = [mapping(block) or {} for block in sequence(message.get("content")) or ()]
            entry.role = string(message["role"])
            entry.calls = tuple(string(block.get("id")) for block in blocks if block.get("type") == "tool_use")
            entry.results = tuple(
                string(block.get("tool_use_id")) for block in blocks if block.get("type") == "tool_result"
            )
        else:
            found.unknown(row.line, kind or "row without a type")
        entries.append(entry)
    reading = anthropic_reading("droid", found.session, source, entries)
    reading.skipped += found.skipped
    reading.left_out.update(found.left_out)
    reading.dropped = found.dropped
    yield reading


def read_cursor(source: Source) -> Iterator[Reading]:
    """Reads a transcript of Cursor: a message a line; calls without ids get those of their results."""
    yield Reading(
        "cursor", "", ANTHROPIC, lambda reading: _cursor(reading, source), layout="body", prefix=PREFIX, suffix=SUFFIX
    )


def _cursor(reading: Reading, source: Source) -> Iterator[Message]:
    answers = iter([id for row in source.rows() for id in _answered(row.value)])
    count, role = 0, ""
    contents: list[tuple[object, bool]] = []
    for row in source.rows(reading.skipped):
        said = string(row.value.get("role"))
        content: object = (mapping(row.value.get("message")) or {}).get("content")
        if said not in ("user", "assistant") or not (isinstance(content, str) or sequence(content) is not None):
            reading.unknown(row.line, said or string(row.value.get("type")) or "row without a role")
            continue
        if said != role and contents:
            yield joined(contents, role, count)
            contents, count = [], count + 1
        role = said
        try:
            named = _named(content, f"{row.line}", answers)
            joined([(named, False)], role, count)  # a row that is no message must not take others with it
            contents.append((named, False))
        except WireError as error:
            reading.skipped.append((row.line, error.reason))
    if contents:
        yield joined(contents, role, count)


def _answered(value: dict[str, Any]) -> list[str]:
    content = (mapping(value.get("message")) or {}).get("content")
    blocks = [mapping(block) or {} for block in sequence(content) or ()]
    return [string(block.get("tool_use_id")) for block in blocks if block.get("type") == "tool_result"]


def _named(content: object, line: str, answers: Iterator[str]) -> object:
    items = sequence(content)
    if items is None:
        return content
    named: list[object] = []
    for number, item in enumerate(items):
        fields = mapping(item)
        if fields is None or fields.get("type") != "tool_use":
            named.append(item)
            continue
        answer = next(answers, "")
        named.append({**fields, "id": string(fields.get("id")) or answer or f"call_{line}_{number}"})
    return named
