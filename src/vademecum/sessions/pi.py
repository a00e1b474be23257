"""pi and openclaw: JSON Lines, a header, then rows that name their parents; compactions are rows of their own."""

from __future__ import annotations

from collections.abc import Iterator

from vademecum.core.messages import Message
from vademecum.sessions.blocks import result_content, said
from vademecum.sessions.reading import Reading
from vademecum.sessions.rounds import Rounds, call
from vademecum.sessions.source import Row, Source
from vademecum.sessions.times import seconds
from vademecum.sessions.tree import Branch, Entry, branches
from vademecum.wire.openai_chat import OPENAI_CHAT
from vademecum.wire.values import mapping, sequence, string, without

KIND = "pi"
BOOKKEEPING = frozenset(
    {"session", "model_change", "thinking_level_change", "custom", "label", "session_info", "leaf"}
)
_OWN_COMPACTION = frozenset({"compaction", "branch_summary"})
_ROLES = {"user": "user", "toolResult": "user", "assistant": "assistant", "bashExecution": "user", "custom": "user"}


def read_pi(source: Source) -> Iterator[Reading]:
    """Reads a session."""
    main = Reading(KIND, "", OPENAI_CHAT, lambda _: iter(()), copies=True)
    entries: list[Entry] = []
    for row in source.rows(main.skipped):
        kind = string(row.value.get("type"))
        if kind == "session" and not main.session:
            main.session = string(row.value.get("id"))
        if kind in _OWN_COMPACTION:
            main.dropped += 1
        elif kind in BOOKKEEPING:
            main.left_out[kind] += 1
        elif kind not in ("message", "custom_message"):
            main.unknown(row.line, kind or "row without a type")
        entries.append(_entry(row, kind))
    found, left_out = branches(entries)
    if left_out:
        main.skipped.append((0, f"{left_out} rows of older branches"))
    *others, newest = found or [Branch(())]
    main.messages = lambda reading: _messages(reading, source, newest)
    main.branches = [_other(main.session, source, branch) for branch in others]
    yield main


def _other(session: str, source: Source, branch: Branch) -> Reading:
    return Reading(KIND, session, OPENAI_CHAT, lambda reading: _messages(reading, source, branch))


def _entry(row: Row, kind: str) -> Entry:
    value, message = row.value, mapping(row.value.get("message")) or {}
    entry = Entry(row.line, row.offset, row.size, string(value.get("id")), string(value.get("parentId")))
    entry.root = value.get("parentId", "") is None or kind == "session"
    if kind == "custom_message":
        entry.role = "user"
    elif kind == "message":
        entry.role = _ROLES.get(string(message.get("role")), "user")
        if message.get("role") == "toolResult":
            entry.results = (string(message.get("toolCallId")),)
        blocks = [mapping(block) or {} for block in sequence(message.get("content")) or ()]
        entry.calls = tuple(string(block.get("id")) for block in blocks if block.get("type") == "toolCall")
    return entry


def _messages(reading: Reading, source: Source, branch: Branch) -> Iterator[Message]:
    rounds = Rounds(reading)
    for entry in (entry for step in branch.steps for entry in step):
        row = source.row(entry.offset, entry.size)
        message = mapping(row.get("message")) or row
        ts = seconds(message.get("timestamp")) or seconds(row.get("timestamp"))
        native = without(message, frozenset({"role", "content", "timestamp", "toolCallId", "toolName", "isError"}))
        role = string(message.get("role"))
        found = said(message.get("content"), entry.id or str(entry.line))
        if role == "assistant":
            rounds.model(
                found.content,
                reasoning=found.reasoning,
                calls=found.calls,
                ts=ts,
                native=native,
                key=entry.id,
                line=entry.line,
            )
        elif role == "toolResult":
            rounds.result(
                string(message.get("toolCallId")),
                result_content(message.get("content")),
                tool=string(message.get("toolName")),
                failed=bool(message.get("isError")),
                ts=ts,
                native=native,
                line=entry.line,
            )
        elif role == "bashExecution":  # a command that the person ran and showed to the model
            made = entry.id or f"line_{entry.line}"
            rounds.model(calls=[call(made, "bash", {"command": message.get("command")})], ts=ts, line=entry.line)
            failed = message.get("exitCode") not in (None, 0)
            rounds.result(made, message.get("output"), tool="bash", failed=failed, ts=ts, native=native)
        elif role in ("user", "", "custom"):
            rounds.say("user", found.content or "", ts=ts, harness=role != "user", native=native, line=entry.line)
        else:
            reading.unknown(entry.line, f"message of the role {role}")
        yield from rounds.ready()
    yield from rounds.rest()
