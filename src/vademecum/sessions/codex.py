"""Codex rollouts: JSON Lines of response items between rows about the session; older ones are bare items.

A row becomes part of an OpenAI chat row; what of the item does not stand in that is kept under `native`.
`compacted` rows and what they put in place of the transcript are no transcript.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from vademecum.core.messages import Message
from vademecum.sessions.codex_items import take
from vademecum.sessions.reading import Reading
from vademecum.sessions.rounds import Rounds
from vademecum.sessions.source import Source
from vademecum.sessions.times import seconds
from vademecum.wire.openai_chat import OPENAI_CHAT
from vademecum.wire.values import mapping, string

KIND = "codex"
#: Rows about the session; events tell again what response items say.
BOOKKEEPING = frozenset({"session_meta", "event_msg", "turn_context", "state", "inter_agent_communication_metadata"})


def read_codex(source: Source) -> Iterator[Reading]:
    """Reads a rollout."""
    session, parent, typed = "", "", set[bytes]()
    for row in source.rows():
        kind, payload = string(row.value.get("type")), mapping(row.value.get("payload")) or {}
        if kind == "session_meta" and not session:
            session = string(payload.get("id")) or string(payload.get("session_id"))
            parent = string(payload.get("forked_from_id"))
        elif "payload" not in row.value and "timestamp" in row.value and not session and not kind:
            session = string(row.value.get("id"))
        elif kind == "event_msg" and payload.get("type") == "user_message":
            typed.add(_mark(string(payload.get("message"))))
    yield Reading(
        KIND, session, OPENAI_CHAT, lambda reading: _messages(reading, source, typed), parent=parent, copies=True
    )


def _messages(reading: Reading, source: Source, typed: set[bytes]) -> Iterator[Message]:
    rounds = Rounds(reading)
    for row in source.rows(reading.skipped):
        value = row.value
        kind, payload = string(value.get("type")), mapping(value.get("payload"))
        ts = seconds(value.get("timestamp"))
        if kind == "response_item" and payload is not None:
            _take(rounds, reading, dict(payload), ts, row.line, typed)
        elif kind == "compacted":
            reading.dropped += 1
        elif payload is None and kind not in ("", "response_item", *BOOKKEEPING):
            _take(rounds, reading, value, ts, row.line, typed)  # an old rollout: bare items
        elif kind in BOOKKEEPING or (payload is None and not kind):
            what = string((payload or {}).get("type"))
            reading.left_out[f"{kind}/{what}" if what else kind or "header"] += 1
        else:
            reading.unknown(row.line, kind or "row without a type")
        yield from rounds.ready()
    yield from rounds.rest()


def _take(
    rounds: Rounds, reading: Reading, item: dict[str, Any], ts: float | None, line: int, typed: set[bytes]
) -> None:
    def by_a_person(text: str) -> bool:
        return not typed or _mark(text) in typed

    if not take(rounds, item, ts, line, by_a_person):
        if item.get("type") == "ghost_snapshot":
            reading.left_out["ghost_snapshot"] += 1
        else:
            reading.unknown(line, string(item.get("type")) or "item without a type")


def _mark(text: str) -> bytes:
    return hashlib.sha256(text.strip().encode("utf-8", "surrogatepass")).digest()
