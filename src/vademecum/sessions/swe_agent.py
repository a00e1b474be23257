"""SWE-agent's `.traj` and mini-swe-agent's `.traj.json`: one document with the messages of a run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vademecum.core.messages import Message
from vademecum.errors import WireError
from vademecum.sessions.reading import Reading
from vademecum.sessions.rounds import Rounds, call
from vademecum.sessions.source import Source
from vademecum.wire.openai_chat import OPENAI_CHAT
from vademecum.wire.values import at, encoded, mapping, sequence, string, without

#: How mini-swe-agent shows a command's output to the model.
OBSERVED = re.compile(r"\s*(?:<returncode>|<output>|<exception>|Observation:)")
_TAKEN = frozenset({"role", "content", "tool_calls"})


def read_swe_agent(source: Source) -> Iterator[Reading]:
    """Reads a trajectory of SWE-agent; an action that was text becomes a call, and what came back its result."""
    document = mapping(source.document()) or {}
    rows = [mapping(row) or {} for row in sequence(document.get("history")) or ()]
    rows = rows or list(_rows(sequence(document.get("trajectory")) or ()))
    name = at(document, ("replay_config", "problem_statement", "id"))
    reading = Reading("swe-agent", string(name), OPENAI_CHAT, lambda reading: _messages(reading, rows))
    if source.torn:
        reading.skipped.append((0, source.torn))
    yield reading


def _rows(steps: Sequence[object]) -> Iterator[Mapping[str, Any]]:
    for step in steps:
        fields = mapping(step) or {}
        yield {"role": "assistant", "content": fields.get("response"), "action": fields.get("action")}
        if fields.get("observation") is not None:
            yield {"role": "user", "content": fields["observation"]}


def _messages(reading: Reading, rows: Sequence[Mapping[str, Any]]) -> Iterator[Message]:
    rounds, spoke = Rounds(reading), False
    for number, row in enumerate(rows):
        role, content = string(row.get("role")), row.get("content")
        waiting = rounds.pending()
        if role == "assistant":
            spoke = True
            calls = list(sequence(row.get("tool_calls")) or ())
            action = string(row.get("action"))
            if not calls and action.strip():
                calls = [call(f"call_{number}", action.split(maxsplit=1)[0], {"command": action})]
            rounds.model(content, calls=calls, native=without(row, _TAKEN), key=str(number))  # type: ignore[arg-type]
        elif role == "tool" or (role == "user" and waiting):
            ids = sequence(row.get("tool_call_ids")) or [row.get("tool_call_id")]
            id = string(ids[0] if ids else "") or (waiting[0] if waiting else f"call_{number}")
            rounds.result(id, content, native=without(row, frozenset({*_TAKEN, "tool_call_ids", "tool_call_id"})))
        elif role in ("user", "system"):
            harness = spoke or bool(row.get("is_demo"))
            rounds.say(role, content, harness=harness, native=without(row, _TAKEN))
        else:
            reading.unknown(0, f"message of the role {role}")
        yield from rounds.ready()
    yield from rounds.rest()


def read_mini_swe(source: Source) -> Iterator[Reading]:
    """Reads a trajectory of mini-swe-agent: its messages as they are; what came back from commands nobody typed."""
    document = source.document()
    fields = mapping(document) or {}
    rows = sequence(document) or sequence(fields.get("messages")) or ()
    name = string(fields.get("instance_id")) or string(at(fields, ("info", "instance_id")))
    reading = Reading("mini-swe-agent", name, OPENAI_CHAT, lambda reading: _chat(reading, rows))
    if source.torn:
        reading.skipped.append((0, source.torn))
    yield reading


def _chat(reading: Reading, rows: Sequence[object]) -> Iterator[Message]:
    count, spoke = 0, False
    for row in rows:
        fields = mapping(row) or {}
        if fields.get("role") == "exit":
            reading.left_out["exit"] += 1
            continue
        spoke = spoke or fields.get("role") == "assistant"
        try:
            message = OPENAI_CHAT.load(row, count, raw=encoded(row), harness=spoke)
        except WireError as error:
            reading.skipped.append((0, f"message {count + 1} {error.reason}"))
            continue
        count += 1
        yield message
