"""Kimi Code: JSON Lines in which messages, steps of the loop and the state of the session alternate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vademecum.core.messages import Message
from vademecum.sessions.blocks import result_content, said
from vademecum.sessions.reading import Reading
from vademecum.sessions.rounds import Rounds, call
from vademecum.sessions.source import Source
from vademecum.sessions.times import seconds
from vademecum.wire.openai_chat import OPENAI_CHAT
from vademecum.wire.values import mapping, string, without

KIND = "kimi"
BOOKKEEPING = (
    "metadata", "config.", "tools.", "turn.", "llm.", "usage.", "permission.", "plan_mode.", "full_compaction.",
    "profile.", "plugin.", "runtime.", "token_counting.", "step.", "goal.", "todo.", "mcp.", "skill.", "task.",
)  # fmt: skip


def read_kimi(source: Source) -> Iterator[Reading]:
    """Reads a session."""
    yield Reading(KIND, "", OPENAI_CHAT, lambda reading: _messages(reading, source))


def _messages(reading: Reading, source: Source) -> Iterator[Message]:
    rounds, prompt = Rounds(reading), ""
    for row in source.rows(reading.skipped):
        value, kind, ts = row.value, string(row.value.get("type")), seconds(row.value.get("time"))
        if value.get("agentId") not in (None, "", "main"):
            reading.left_out[f"sub-agent {kind}"] += 1
        elif kind == "context.append_message":
            _message(rounds, mapping(value.get("message")) or {}, ts, row.line)
        elif kind == "context.append_loop_event":
            if not _event(rounds, mapping(value.get("event")) or {}, ts, row.line):
                reading.left_out[f"{kind}/{string((mapping(value.get('event')) or {}).get('type'))}"] += 1
        elif kind == "context.apply_compaction":
            reading.dropped += 1
        elif kind.startswith(BOOKKEEPING):
            if not prompt and (prompt := string(value.get("systemPrompt"))):
                rounds.say("system", prompt, ts=ts, line=row.line)
            reading.left_out[kind] += 1
        else:
            reading.unknown(row.line, kind or "row without a type")
        yield from rounds.ready()
    yield from rounds.rest()


def _message(rounds: Rounds, message: Mapping[str, Any], ts: float | None, line: int) -> None:
    found = said(message.get("content"), str(line))
    role = string(message.get("role"))
    native = without(message, frozenset({"role", "content", "toolCalls"}))
    if role == "assistant":
        rounds.model(found.content, reasoning=found.reasoning, calls=found.calls, ts=ts, native=native, line=line)
    elif role == "tool":
        rounds.result(string(message.get("toolCallId")), result_content(message.get("content")), ts=ts, native=native)
    else:
        harness = (mapping(message.get("origin")) or {}).get("kind") not in (None, "user")
        rounds.say(role or "user", found.content or "", ts=ts, harness=harness, native=native, line=line)


def _event(rounds: Rounds, event: Mapping[str, Any], ts: float | None, line: int) -> bool:
    key = string(event.get("stepUuid"))
    match event.get("type"):
        case "content.part":
            found = said([event.get("part")], str(line))
            rounds.model(found.content, reasoning=found.reasoning, ts=ts, key=key, line=line)
        case "tool.call":
            id = string(event.get("toolCallId")) or f"call_{line}"
            made = call(id, string(event.get("name")), event.get("args"))
            rounds.model(calls=[made], ts=ts, key=key, line=line)
        case "tool.result":
            result = mapping(event.get("result")) or {}
            failed = bool(result.get("isError") or result.get("is_error"))
            content = result_content(result.get("output", event.get("result")))
            rounds.result(string(event.get("toolCallId")), content, failed=failed, ts=ts, line=line)
        case _:
            return False
    return True
