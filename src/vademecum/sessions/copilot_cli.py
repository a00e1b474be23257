"""Copilot CLI: JSON Lines of events; messages, tool runs and much about the session."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vademecum.core.messages import Message
from vademecum.sessions.reading import Reading
from vademecum.sessions.rounds import Rounds, call
from vademecum.sessions.source import Source
from vademecum.sessions.times import seconds
from vademecum.wire.openai_chat import OPENAI_CHAT
from vademecum.wire.values import mapping, sequence, string, without

KIND = "copilot-cli"
#: Families of events that are about the session, not in it.
BOOKKEEPING = (
    "session.", "hook.", "permission.", "subagent.", "assistant.turn_", "assistant.usage", "assistant.intent",
    "assistant.message_delta", "assistant.reasoning_delta", "assistant.streaming", "tool.execution_start",
    "tool.execution_p", "tool.user_requested", "user_input.", "external_tool.", "skill.", "command.", "abort",
    "pending_messages.", "capabilities.", "commands.", "mcp.", "model.", "elicitation.",
)  # fmt: skip


def read_copilot_cli(source: Source) -> Iterator[Reading]:
    """Reads a session's events: the main agent's session first, then each sub-agent's."""
    session, agents = "", dict[str, None]()
    for row in source.rows():
        data = mapping(row.value.get("data")) or {}
        if row.value.get("type") == "session.start":
            session = session or string(data.get("sessionId"))
        if agent := string(data.get("parentToolCallId")):
            agents[agent] = None
    yield Reading(KIND, session, OPENAI_CHAT, lambda reading: _messages(reading, source, ""))
    for agent in agents:
        yield _sub_agent(f"{session or 'session'}/agent-{agent}", source, agent)


def _sub_agent(session: str, source: Source, agent: str) -> Reading:
    return Reading(KIND, session, OPENAI_CHAT, lambda reading: _messages(reading, source, agent))


def _messages(reading: Reading, source: Source, agent: str) -> Iterator[Message]:
    rounds, thought = Rounds(reading), ""
    for row in source.rows(None if agent else reading.skipped):
        kind, data = string(row.value.get("type")), mapping(row.value.get("data")) or {}
        ts = seconds(row.value.get("timestamp"))
        if string(data.get("parentToolCallId")) != agent:
            continue
        if kind == "assistant.reasoning":
            thought = string(data.get("content"))
            rounds.model(reasoning=thought, ts=ts, native=without(data, frozenset({"content"})), line=row.line)
        elif kind == "session.compaction_complete":
            reading.dropped += 1
        elif not _said(rounds, kind, data, ts, row.line, thought):
            if kind.startswith(BOOKKEEPING):
                reading.left_out[kind] += 1
            else:
                reading.unknown(row.line, kind or "row without a type")
        yield from rounds.ready()
    yield from rounds.rest()


def _said(rounds: Rounds, kind: str, data: Mapping[str, Any], ts: float | None, line: int, thought: str) -> bool:
    native = without(data, frozenset({"content", "reasoningText", "toolRequests", "toolCallId", "result", "success"}))
    match kind:
        case "system.message":
            role = "system" if data.get("role") in (None, "system", "developer") else "user"
            rounds.say(role, data.get("content"), ts=ts, harness=True, native=native, line=line)
        case "user.message":
            harness = data.get("source") not in (None, "user", "")
            rounds.say("user", data.get("content") or "", ts=ts, harness=harness, native=native, line=line)
        case "system.notification":
            rounds.say("user", data.get("content") or "", ts=ts, harness=True, native=native, line=line)
        case "assistant.message":
            requests = [mapping(request) or {} for request in sequence(data.get("toolRequests")) or ()]
            calls = [
                call(
                    string(request.get("toolCallId")) or f"call_{line}_{number}",
                    string(request.get("name")),
                    request.get("arguments"),
                )
                for number, request in enumerate(requests)
            ]
            reasoning = string(data.get("reasoningText"))
            rounds.model(
                data.get("content"),
                reasoning="" if reasoning == thought else reasoning,
                calls=calls,
                ts=ts,
                native=native,
                line=line,
            )
        case "tool.execution_complete":
            _result(rounds, data, ts, line, native)
        case _:
            return False
    return True


def _result(rounds: Rounds, data: Mapping[str, Any], ts: float | None, line: int, native: dict[str, object]) -> None:
    result, error = mapping(data.get("result")) or {}, mapping(data.get("error")) or {}
    content = result.get("content", error.get("message"))
    more = without(result, frozenset({"content"}))
    if more.get("detailedContent") == content:
        more.pop("detailedContent", None)
    rounds.result(
        string(data.get("toolCallId")),
        content if isinstance(content, str | list) else "",
        failed=data.get("success") is False,
        ts=ts,
        native={**native, "result": more} if more else native,
        line=line,
    )
