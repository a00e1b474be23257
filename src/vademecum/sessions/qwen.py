"""Qwen Code: rows that name their parents, as in Claude Code, with contents as Gemini has them."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.core.messages import Message
from vademecum.sessions.gemini_parts import taken_apart
from vademecum.sessions.reading import Reading
from vademecum.sessions.rounds import Rounds
from vademecum.sessions.source import Source
from vademecum.sessions.times import seconds
from vademecum.sessions.tree import Branch, Entry, branches
from vademecum.wire.openai_chat import OPENAI_CHAT
from vademecum.wire.values import mapping, string

KIND = "qwen"


def read_qwen(source: Source) -> Iterator[Reading]:
    """Reads a session."""
    main = Reading(KIND, "", OPENAI_CHAT, lambda _: iter(()), copies=True)
    entries: list[Entry] = []
    for row in source.rows(main.skipped):
        value = row.value
        id, kind = string(value.get("uuid")), string(value.get("type"))
        entry = Entry(row.line, row.offset, row.size, id, string(value.get("parentUuid")), root="parentUuid" in value)
        main.session = string(value.get("sessionId")) or main.session
        message = mapping(value.get("message"))
        subtype = string(value.get("subtype"))
        if message is not None and kind in ("user", "assistant", "tool_result"):
            found = taken_apart(message.get("parts"), id)
            entry.role = "assistant" if kind == "assistant" else "user"
            entry.unit = id if kind == "assistant" else ""  # a row may come again, with more of the same message
            entry.calls = tuple(made["id"] for made in found.calls)
            entry.results = tuple(answer[0] for answer in found.results)
        elif subtype == "chat_compression":
            main.dropped += 1
            entry.root = False
        elif kind == "system":
            main.left_out[f"system/{subtype}"] += 1
        else:
            main.unknown(row.line, kind or "row without a type")
        entries.append(entry)
    *others, newest = branches(entries)[0] or [Branch(())]
    main.messages = lambda reading: _messages(reading, source, newest)
    main.branches = [_other(main.session, source, branch) for branch in others]
    yield main


def _other(session: str, source: Source, branch: Branch) -> Reading:
    return Reading(KIND, session, OPENAI_CHAT, lambda reading: _messages(reading, source, branch))


def _messages(reading: Reading, source: Source, branch: Branch) -> Iterator[Message]:
    rounds = Rounds(reading)
    for entry in (entry for step in branch.steps for entry in step):
        row = source.row(entry.offset, entry.size)
        ts = seconds(row.get("timestamp"))
        found = taken_apart((mapping(row.get("message")) or {}).get("parts"), entry.id)
        native = {key: row[key] for key in ("model", "usageMetadata", "subtype") if key in row}
        if entry.role == "assistant":
            rounds.model(
                found.content,
                reasoning=found.reasoning,
                calls=found.calls,
                ts=ts,
                native=native or None,
                key=entry.id,
                line=entry.line,
            )
        else:
            for id, tool, content, failed in found.results:
                rounds.result(id, content, tool=tool, failed=failed, ts=ts, line=entry.line)
            if found.parts or not found.results:
                harness = row.get("provenance") not in (None, "user") or bool(row.get("isMeta"))
                rounds.say("user", found.content or "", ts=ts, harness=harness, native=native, line=entry.line)
        yield from rounds.ready()
    yield from rounds.rest()
