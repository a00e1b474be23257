"""Claude Code: JSON Lines in which each row names its parent; a model call is spread over several rows.

No transcript are `progress` and bookkeeping rows, and what its own compactions wrote: the boundary and the
summary. What stood before a boundary is still in the file, so the transcript goes on over it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from vademecum.core.messages import Message
from vademecum.errors import WireError
from vademecum.sessions.claude_rows import Kept, entry_of, spoken
from vademecum.sessions.reading import Reading
from vademecum.sessions.source import Source
from vademecum.sessions.times import seconds
from vademecum.sessions.tree import Branch, Entry, branches
from vademecum.wire.anthropic import ANTHROPIC
from vademecum.wire.values import encoded, mapping, sequence

KIND = "claude-code"
PREFIX, SUFFIX = b'{"messages":[', b"]}\n"


def read_claude_code(source: Source) -> Iterator[Reading]:
    """Reads a log: the main agent's session first, then those of sub-agents that are in the same file."""
    kept = Kept()
    entries: list[Entry] = []
    copies: set[bytes] = set()
    for row in source.rows(kept.skipped):
        entry = entry_of(row, kept)
        if entry is None:
            continue
        if entry.role and entry.id and entry.id != entry.parent:
            mark = hashlib.sha256(f"{entry.id} {entry.parent} ".encode("utf-8", "replace"))
            mark.update(encoded(row.value.get("message") or row.value.get("attachment")))
            if mark.digest() in copies:
                kept.left_out["copy of a row"] += 1
                continue
            copies.add(mark.digest())
        entries.append(entry)
    groups: dict[str, list[Entry]] = {"": []}
    for entry in entries:
        groups.setdefault(entry.group, []).append(entry)
    spoke = [group for group, rows in groups.items() if any(row.role for row in rows)]
    for number, group in enumerate(spoke or [""]):
        reading = anthropic_reading(KIND, kept.name_of(group), source, groups[group])
        reading.copies = True
        if not group and kept.first != kept.session:
            reading.parent = kept.first
        if number == 0:
            reading.skipped.extend(kept.skipped)
            reading.left_out.update(kept.left_out)
            reading.dropped = kept.dropped
        yield reading


def anthropic_reading(kind: str, session: str, source: Source, entries: Sequence[Entry]) -> Reading:
    """A reading of one agent's tree whose rows have Anthropic messages."""
    found, left_out = branches(entries)
    whole = [_reading(kind, session, source, branch) for branch in found or [Branch(())]]
    newest = whole[-1]
    newest.branches = whole[:-1]
    if left_out:
        newest.skipped.append((0, f"{left_out} rows of older branches"))
    return newest


def _reading(kind: str, session: str, source: Source, branch: Branch) -> Reading:
    def messages(reading: Reading) -> Iterator[Message]:
        count = 0
        for step in branch.steps:
            rows = [(entry, source.row(entry.offset, entry.size)) for entry in step]
            try:
                message = joined([(spoken(row), entry.harness) for entry, row in rows], step[0].role, count)
            except WireError as error:
                reading.skipped.append((step[0].line, error.reason))
                continue
            count += 1
            yield replace(message, ts=seconds(rows[0][1].get("timestamp")))

    return Reading(kind, session, ANTHROPIC, messages, layout="body", prefix=PREFIX, suffix=SUFFIX)


def joined(contents: Sequence[tuple[object, bool]], role: str, index: int) -> Message:
    """One message of several rows' contents: results first, and each text knows whether a harness wrote it.

    Raises:
        WireError: A content is neither text nor a list.
    """
    if len(contents) == 1:
        content, harness = contents[0]
        wire: dict[str, Any] = {"role": role, "content": content}
        return ANTHROPIC.load(wire, index, raw=encoded(wire), harness=harness)
    blocks = [(block, harness) for content, harness in contents for block in _blocks(content, index)]
    blocks.sort(key=lambda held: (mapping(held[0]) or {}).get("type") != "tool_result" and role == "user")
    wire = {"role": role, "content": [block for block, _ in blocks]}
    message = ANTHROPIC.load(wire, index, raw=encoded(wire))
    parts = tuple(
        replace(part, typed=part.typed and not harness)
        for part, (_, harness) in zip(message.parts, blocks, strict=True)
    )
    return replace(message, parts=parts)


def _blocks(content: object, index: int) -> Iterable[object]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    items = sequence(content)
    if items is None:
        raise WireError(index, f"has content of type {type(content).__name__}")
    return items
