"""Recorded requests of real agent programs, from the optional folder beside the project."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vademecum.proxy.endpoints import format_of
from vademecum.wire.bodies import BODIES, outside_of

#: Headers that tell conversations apart; a sub-agent's own id comes on top of its session's.
_CONVERSATION = ("thread-id", "session_id", "x-session-id", "x-claude-code-session-id")
_AGENT = "x-claude-code-agent-id"


@dataclass(frozen=True)
class Request:
    """One recorded request of a format that is compacted.

    Attributes:
        number: Its number in the recording.
        format: The wire format.
        conversation: The client's own id; empty where it sends none.
        messages: Its messages.
        system: What stands outside of them.
        tools: The tools it offers.
        max_output: The output limit it asks for.
        side: A title, count or summary: it belongs to no lineage.
    """

    number: int
    format: str
    conversation: str
    messages: list[dict[str, Any]]
    system: Any
    tools: Any
    max_output: int | None
    side: bool


def recorded(path: Path) -> list[Request]:
    """The requests of a recording in order, without those whose history is partly with the provider."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    found = list(_requests(rows))
    # Only a client that offers tools at all tells its side calls by offering none.
    offers = any(request.tools for request in found)
    return [_as_side(request) if offers and not request.tools else request for request in found]


def _requests(rows: list[dict[str, Any]]) -> Iterator[Request]:
    for row in rows:
        name, body = format_of(row["path"].split("?")[0]), row["body"]
        messages = body.get(BODIES[name].messages) if name and isinstance(body, dict) else None
        if not name or not messages or any(message.get("type") == "compaction" for message in messages):
            continue
        headers = {key.lower(): value for key, value in row["headers"]}
        conversation = next((headers[key] for key in _CONVERSATION if key in headers), "")
        if _AGENT in headers:
            conversation += "/" + headers[_AGENT]
        limit = body.get("max_tokens") or body.get("max_completion_tokens")
        system, tools = outside_of(name, body)
        yield Request(row["n"], name, conversation, messages, system, tools, limit, False)


def _as_side(request: Request) -> Request:
    return Request(**{**vars(request), "side": True})
