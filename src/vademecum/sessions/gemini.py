"""Gemini CLI: a JSON document, or JSON Lines in which a message may come again as it is completed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vademecum.core.messages import Message
from vademecum.sessions.gemini_parts import response, taken_apart
from vademecum.sessions.reading import Reading
from vademecum.sessions.rounds import Rounds, call
from vademecum.sessions.source import Source
from vademecum.sessions.times import seconds
from vademecum.wire.openai_chat import OPENAI_CHAT
from vademecum.wire.values import mapping, sequence, string, without

KIND = "gemini-cli"
_TAKEN = frozenset({"content", "timestamp", "thoughts", "toolCalls", "type"})


def read_gemini(source: Source) -> Iterator[Reading]:
    """Reads a session that is one JSON document."""
    document = mapping(source.document()) or {}
    rows = [(0, mapping(row) or {}) for row in sequence(document.get("messages")) or ()]
    reading = Reading(KIND, string(document.get("sessionId")), OPENAI_CHAT, lambda reading: _messages(reading, rows))
    if source.torn:
        reading.skipped.append((0, source.torn))
    yield reading


def read_gemini_lines(source: Source) -> Iterator[Reading]:
    """Reads a session that is JSON Lines; the last version of a message counts."""
    session, rows = "", dict[str, tuple[int, Mapping[str, Any]]]()
    reading = Reading(KIND, "", OPENAI_CHAT, lambda reading: _messages(reading, list(rows.values())))
    for row in source.rows(reading.skipped):
        value = row.value
        if "type" not in value and "sessionId" in value:
            session = session or string(value["sessionId"])
            reading.left_out["header"] += 1
        elif "$rewindTo" in value:
            _rewind(rows, string(value["$rewindTo"]), reading)
        elif "$set" in value:
            for inner in sequence((mapping(value["$set"]) or {}).get("messages")) or ():
                fields = mapping(inner) or {}
                rows[string(fields.get("id")) or f"line {row.line}"] = row.line, fields
            reading.left_out["$set"] += 1
        else:
            rows[string(value.get("id")) or f"line {row.line}"] = row.line, value
    reading.session = session
    yield reading


def _rewind(rows: dict[str, tuple[int, Mapping[str, Any]]], to: str, reading: Reading) -> None:
    ids = list(rows)
    for id in ids[ids.index(to) :] if to in rows else ids:
        del rows[id]
        reading.left_out["rewound message"] += 1


def _messages(reading: Reading, rows: Sequence[tuple[int, Mapping[str, Any]]]) -> Iterator[Message]:
    rounds = Rounds(reading)
    for number, (line, row) in enumerate(rows):
        kind, ts = string(row.get("type")), seconds(row.get("timestamp"))
        id = string(row.get("id")) or str(number)
        native = without(row, _TAKEN)
        found = taken_apart(row.get("content"), id)
        if kind == "user":
            for answer in found.results:
                rounds.result(answer[0], answer[2], tool=answer[1], failed=answer[3], ts=ts, line=line)
            if found.parts or not found.results:
                rounds.say("user", found.content or "", ts=ts, native=native, line=line)
        elif kind in ("gemini", "model", "assistant"):
            _model(rounds, row, id, ts, line)
        elif kind in ("info", "error", "warning"):
            reading.left_out[kind] += 1
        else:
            reading.unknown(line, kind or "row without a type")
        yield from rounds.ready()
    yield from rounds.rest()


def _model(rounds: Rounds, row: Mapping[str, Any], id: str, ts: float | None, line: int) -> None:
    found = taken_apart(row.get("content"), id)
    thoughts = [mapping(thought) or {} for thought in sequence(row.get("thoughts")) or ()]
    told = [f"{string(thought.get('subject'))}\n{string(thought.get('description'))}".strip() for thought in thoughts]
    made = [mapping(one) or {} for one in sequence(row.get("toolCalls")) or ()]
    ids = [string(one.get("id")) or f"call_{id}_{number}" for number, one in enumerate(made)]
    calls = [call(own, string(one.get("name")), one.get("args")) for own, one in zip(ids, made, strict=True)]
    rounds.model(
        found.content,
        reasoning="\n\n".join([*found.thoughts, *told]),
        calls=[*found.calls, *calls],
        ts=ts,
        native=without(row, _TAKEN),
        key=id,
        line=line,
    )
    for own, one in zip(ids, made, strict=True):
        if one.get("result") is None and "status" not in one:
            continue
        answers = [mapping(part) or {} for part in sequence(one.get("result")) or ()]
        texts = [
            response(answer) for part in answers if (answer := mapping(part.get("functionResponse"))) is not None
        ]
        failed = one.get("status") in ("error", "cancelled") or any(answer[3] for answer in texts)
        content = "\n".join(answer[2] for answer in texts) or string(one.get("resultDisplay"))
        native = without(one, frozenset({"id", "name", "args", "result", "timestamp"}))
        when = seconds(one.get("timestamp"))
        rounds.result(own, content, tool=string(one.get("name")), failed=failed, ts=when, native=native, line=line)
