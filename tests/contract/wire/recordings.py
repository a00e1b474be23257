"""Recorded requests of the responses and Gemini formats, from the optional folder beside the project."""

from __future__ import annotations

import json
import lzma
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NAMES = {
    "codex-0.171.0-openai": "openai-responses",
    "codex-0.171.0-session": "openai-responses",
    "opencode-1.18.33-responses": "openai-responses",
    "pi-0.73.1-responses": "openai-responses",
    "gemini-cli-0.61.0-session": "gemini",
}
_CONVERSATION = ("thread-id", "x-session-id", "session_id")
_LISTS = {"openai-responses": "input", "gemini": "contents"}


@dataclass(frozen=True)
class Request:
    """One recorded request.

    Attributes:
        number: Its number in the recording.
        format: The wire format.
        conversation: The client's own id; empty where it sends none.
        body: The whole body.
        side: A title, router or summary: it belongs to no lineage.
    """

    number: int
    format: str
    conversation: str
    body: dict[str, Any]
    side: bool

    @property
    def messages(self) -> list[dict[str, Any]]:
        return self.body[_LISTS[self.format]]

    @property
    def system(self) -> Any:
        return self.body.get("instructions") or self.body.get("systemInstruction")

    @property
    def tools(self) -> Any:
        return self.body.get("tools")


def recorded(folder: Path, name: str) -> list[Request]:
    """The requests of a recording, in order."""
    format = NAMES[name]
    with lzma.open(folder / f"{name}.jsonl.xz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    found: list[Request] = []
    for row in rows:
        body = row["body"]
        if not isinstance(body, dict) or not body.get(_LISTS[format]):
            continue
        headers = {key.lower(): value for key, value in row["headers"]}
        conversation = next((headers[key] for key in _CONVERSATION if key in headers), "")
        found.append(Request(row["n"], format, conversation, body, not body.get("tools")))
    return found
