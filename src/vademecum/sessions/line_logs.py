"""Small JSON Lines logs: Grok, Droid's stream, Antigravity, and Entire's compact transcripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from vademecum.core.messages import Message
from vademecum.sessions.blocks import result_content, said
from vademecum.sessions.reading import Reading
from vademecum.sessions.rounds import Rounds, call
from vademecum.sessions.source import Row, Source
from vademecum.sessions.times import seconds
from vademecum.wire.openai_chat import OPENAI_CHAT
from vademecum.wire.values import dumped, mapping, sequence, string, without

_Take = Callable[[Rounds, Reading, Row], bool]


def read_grok(source: Source) -> Iterator[Reading]:
    """Reads a chat history of Grok."""
    yield _reading("grok", "", source, _grok)


def read_droid_stream(source: Source) -> Iterator[Reading]:
    """Reads what Droid prints as a stream of JSON."""
    session = next((string(row.value.get("session_id")) for row in source.rows() if row.value.get("session_id")), "")
    yield _reading("droid", session, source, _droid)


def read_antigravity(source: Source) -> Iterator[Reading]:
    """Reads the steps of Antigravity."""
    yield _reading("antigravity", "", source, _antigravity)


def read_entire(source: Source) -> Iterator[Reading]:
    """Reads a compact transcript of Entire."""
    yield _reading("entire", "", source, _entire)


def _reading(kind: str, session: str, source: Source, take: _Take) -> Reading:
    def messages(reading: Reading) -> Iterator[Message]:
        rounds = Rounds(reading)
        for row in source.rows(reading.skipped):
            if not take(rounds, reading, row):
                reading.unknown(row.line, string(row.value.get("type")) or "row without a type")
            yield from rounds.ready()
        yield from rounds.rest()

    return Reading(kind, session, OPENAI_CHAT, messages)


def _grok(rounds: Rounds, reading: Reading, row: Row) -> bool:  # noqa: ARG001
    value, line = row.value, row.line
    native = without(value, frozenset({"type", "content", "tool_calls", "tool_call_id", "summary"}))
    found = said(value.get("content"), str(line))
    match value.get("type"):
        case "system" | "user" as role:
            rounds.say(
                role, found.content or "", harness=bool(value.get("synthetic_reason")), native=native, line=line
            )
        case "reasoning":
            texts = said(value.get("summary"), "").parts
            rounds.model(reasoning="\n\n".join(string(part.get("text")) for part in texts), native=native, line=line)
        case "assistant":
            calls = [mapping(made) or {} for made in sequence(value.get("tool_calls")) or ()]
            made = [call(string(one.get("id")), string(one.get("name")), one.get("arguments")) for one in calls]
            rounds.model(found.content, calls=made, native=native, line=line)
        case "tool_result":
            rounds.result(string(value.get("tool_call_id")), result_content(value.get("content")), line=line)
        case "backend_tool_call":  # it runs where the model runs
            rounds.model([dict(value)], line=line)
        case _:
            return False
    return True


def _droid(rounds: Rounds, reading: Reading, row: Row) -> bool:
    value, line, ts = row.value, row.line, seconds(row.value.get("timestamp"))
    match value.get("type"):
        case "message":
            text = string(value.get("text"))
            if value.get("role") == "assistant":
                rounds.model(text, ts=ts, key=string(value.get("id")), line=line)
            else:
                rounds.say(string(value.get("role")), text, ts=ts, line=line)
        case "tool_call":
            made = call(string(value.get("toolCallId")), string(value.get("toolName")), value.get("parameters"))
            rounds.model(calls=[made], ts=ts, line=line)
        case "tool_result":
            result = value.get("value", value.get("error"))
            code = (mapping(result) or {}).get("exitCode")
            failed = bool(value.get("isError") or value.get("error")) or code not in (None, 0)
            content = result if isinstance(result, str) else dumped(result)
            rounds.result(string(value.get("toolCallId")), content, failed=failed, ts=ts, line=line)
        case "completion":
            rounds.model(string(value.get("finalText")), ts=ts, key="end", line=line)
        case "system" | "error" as what:
            reading.left_out[what] += 1
        case _:
            return False
    return True


def _antigravity(rounds: Rounds, reading: Reading, row: Row) -> bool:
    value, line, ts = row.value, row.line, seconds(row.value.get("created_at"))
    kind, content = string(value.get("type")), string(value.get("content"))
    if kind in ("CHECKPOINT", "CONVERSATION_HISTORY"):
        reading.dropped += 1
    elif kind in ("USER_INPUT", "SYSTEM_MESSAGE", "EPHEMERAL_MESSAGE"):
        rounds.say("user", content, ts=ts, harness=kind != "USER_INPUT", line=line)
    elif kind == "PLANNER_RESPONSE":
        wanted = [mapping(made) or {} for made in sequence(value.get("tool_calls")) or ()]
        calls = [
            call(string(one.get("id")) or f"call_{line}_{number}", string(one.get("name")), one.get("args"))
            for number, one in enumerate(wanted)
        ]
        thinking = string(value.get("thinking"))
        rounds.model(content, reasoning=thinking, calls=calls, ts=ts, key=str(line), line=line)
    elif kind and "step_index" in value:
        # Any other step is what a tool brought; the log does not say which call it answers.
        waiting = rounds.pending()
        id = waiting[0] if waiting else f"call_{line}"
        if not waiting:
            rounds.model(calls=[call(id, kind.lower(), None)], ts=ts, key=str(line), line=line)
        native = without(value, frozenset({"content", "created_at"}))
        rounds.result(id, content, tool=kind.lower(), failed=value.get("status") == "ERROR", ts=ts, native=native)
    else:
        return False
    return True


def _entire(rounds: Rounds, reading: Reading, row: Row) -> bool:  # noqa: ARG001
    value, line, ts = row.value, row.line, seconds(row.value.get("ts"))
    found = said(value.get("content"), str(line))
    native = without(value, frozenset({"content", "type", "ts"}))
    role = string(value.get("type"))
    if role in ("user", "system"):
        rounds.say(role, found.content or "", ts=ts, native=native, line=line)
    elif role == "assistant":
        rounds.model(
            found.content,
            reasoning=found.reasoning,
            calls=found.calls,
            ts=ts,
            native=native,
            key=str(line),
            line=line,
        )
        for made, block in zip(found.calls, _calls(value), strict=False):
            if (result := mapping(block.get("result"))) is not None:
                failed = result.get("status") not in (None, "success", "ok")
                rounds.result(made["id"], result_content(result.get("output")), failed=failed, ts=ts, line=line)
    else:
        return False
    return True


def _calls(value: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    blocks = [mapping(block) or {} for block in sequence(value.get("content")) or ()]
    return [block for block in blocks if block.get("type") == "tool_use"]
