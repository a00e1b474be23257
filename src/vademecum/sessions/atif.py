"""ATIF trajectories: steps of a user, an agent and a system, each with its calls and what came back."""

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
from vademecum.wire.values import at, mapping, sequence, string, without

KIND = "atif"
_TAKEN = frozenset({"source", "message", "reasoning_content", "tool_calls", "observation", "timestamp"})


def read_atif(source: Source) -> Iterator[Reading]:
    """Reads a trajectory."""
    document = mapping(source.document()) or {}
    steps = [mapping(step) or {} for step in sequence(document.get("steps")) or ()]

    def messages(reading: Reading) -> Iterator[Message]:
        rounds, begun = Rounds(reading), False
        for number, step in enumerate(steps):
            begun = _step(rounds, reading, step, number, begun)
            yield from rounds.ready()
        yield from rounds.rest()

    reading = Reading(KIND, string(document.get("session_id")), OPENAI_CHAT, messages)
    if source.torn:
        reading.skipped.append((0, source.torn))
    yield reading


def _step(rounds: Rounds, reading: Reading, step: Mapping[str, Any], number: int, begun: bool) -> bool:
    by, ts, native = string(step.get("source")), seconds(step.get("timestamp")), without(step, _TAKEN)
    found = said(step.get("message"), str(number))
    if by == "agent":
        made = [mapping(one) or {} for one in sequence(step.get("tool_calls")) or ()]
        calls = [
            call(
                string(one.get("tool_call_id")) or f"call_{number}_{place}",
                string(one.get("function_name")),
                one.get("arguments"),
            )
            for place, one in enumerate(made)
        ]
        reasoning = string(step.get("reasoning_content"))
        rounds.model(found.content, reasoning=reasoning, calls=calls, ts=ts, native=native, key=str(number))
    elif by == "system" and not begun:
        rounds.say("system", found.content or "", ts=ts, native=native)
    elif by in ("user", "system"):  # a system's words in the midst are the harness's
        rounds.say("user", found.content or "", ts=ts, harness=by == "system", native=native)
    else:
        reading.unknown(0, f"step of the source {by}")
    for seen in sequence(at(step, ("observation", "results"))) or ():
        _result(rounds, reading, mapping(seen) or {}, ts)
    return begun or by != "system"


def _result(rounds: Rounds, reading: Reading, seen: Mapping[str, Any], ts: float | None) -> None:
    content = result_content(seen.get("content"))
    waiting = rounds.pending()
    id = string(seen.get("source_call_id")) or (waiting[0] if waiting else "")
    if id:
        native = without(seen, frozenset({"source_call_id", "content"}))
        rounds.result(id, content, ts=ts, native=native)
    elif content:
        rounds.say("user", content, ts=ts, harness=True)
    else:
        reading.left_out["reference to a sub-agent"] += 1
