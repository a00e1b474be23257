"""Cline: a session's messages, its own compaction of them, and the conversation history of its extension."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from vademecum.core.messages import Message
from vademecum.errors import WireError
from vademecum.sessions.claude_code import PREFIX, SUFFIX, joined
from vademecum.sessions.reading import Reading
from vademecum.sessions.source import Source
from vademecum.sessions.times import seconds
from vademecum.wire.anthropic import ANTHROPIC
from vademecum.wire.values import encoded, mapping, sequence, string

KIND = "cline"
_HARNESS = re.compile(r"\s*(?:<environment_details>|<SYSTEM_NOTICE>|\[[\w-]+(?: for .*)?\] Result:|\[ERROR\])")
#: How the extension's first message begins.
OPENING = re.compile(r"\s*<(?:task|environment_details)>")


def read_cline(source: Source) -> Iterator[Reading]:
    """Reads a session; its compaction is a session of its own, since it does not have the whole transcript."""
    document = source.document()
    fields = mapping(document) or {}
    rows = [mapping(row) or {} for row in sequence(fields.get("messages")) or sequence(document) or ()]
    name = string(fields.get("sessionId"))
    if any(_compaction(row) for row in rows):
        name = f"{name}/compaction"
    system = fields.get("system_prompt")
    prefix = PREFIX if not system else b'{"system":' + encoded(system) + b',"messages":['
    reading = Reading(
        KIND, name, ANTHROPIC, lambda reading: _messages(reading, rows), layout="body", prefix=prefix, suffix=SUFFIX
    )
    if system:
        reading.outside = {"system": system}
    if source.torn:
        reading.skipped.append((0, source.torn))
    yield reading


def _compaction(row: Mapping[str, Any]) -> bool:
    return (mapping(row.get("metadata")) or {}).get("kind") == "compaction"


def _messages(reading: Reading, rows: Sequence[Mapping[str, Any]]) -> Iterator[Message]:
    count, role, ts = 0, "", None
    contents: list[tuple[object, bool]] = []
    for number, row in enumerate(rows):
        if _compaction(row):
            reading.dropped += 1
            continue
        said = string(row.get("role"))
        try:
            new = _contents(row.get("content"))
            joined(new, said, count)
        except WireError as error:
            reading.skipped.append((0, f"message {number + 1} {error.reason}"))
            continue
        if contents and said != role:
            yield replace(joined(contents, role, count), ts=ts)
            contents, count = [], count + 1
        if not contents:
            role, ts = said, seconds(row.get("ts"))
        contents += new
    if contents:
        yield replace(joined(contents, role, count), ts=ts)


def _contents(content: object) -> list[tuple[object, bool]]:
    items = sequence(content)
    if items is None:
        return [(content, isinstance(content, str) and _HARNESS.match(content) is not None)]
    if len(items) == 1 and (mapping(items[0]) or {}).get("type") != "file":
        return [(content, _by_the_harness(items[0]))]
    return [([_block(item)], _by_the_harness(item)) for item in items] or [([], False)]


def _by_the_harness(item: object) -> bool:
    fields = mapping(item) or {}
    return fields.get("type") == "file" or _HARNESS.match(string(fields.get("text"))) is not None


def _block(item: object) -> object:
    """A block as the API takes it: a file that was attached goes as its text."""
    fields = mapping(item) or {}
    if fields.get("type") != "file":
        return item
    path = json.dumps(fields.get("path"), ensure_ascii=False)
    return {"type": "text", "text": f"<file_content path={path}>\n{string(fields.get('content'))}\n</file_content>"}
