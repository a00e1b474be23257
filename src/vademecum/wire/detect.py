"""Which wire format a list of messages has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from vademecum.wire.values import mapping, sequence

_ANTHROPIC_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking", "image", "document"})
_OPENAI_KEYS = frozenset({"tool_calls", "tool_call_id", "function_call"})


def detect(messages: Iterable[object], outside: Mapping[str, Any] | None = None) -> str:
    """The format's name; `openai-chat` where nothing tells, since plain text is the same in all.

    Args:
        messages: The messages.
        outside: What stands beside them in a request body.
    """
    for message in messages:
        row = mapping(message)
        if row is None:
            continue
        if row.get("role") in ("tool", "function", "developer") or _OPENAI_KEYS & row.keys():
            return "openai-chat"
        for item in sequence(row.get("content")) or ():
            block = mapping(item)
            kind = None if block is None else block.get("type")
            if kind in _ANTHROPIC_BLOCKS:
                return "anthropic"
            if kind in ("image_url", "input_audio", "file"):
                return "openai-chat"
    if outside and ("system" in outside or "anthropic_version" in outside):
        return "anthropic"
    tools = sequence((outside or {}).get("tools")) or ()
    if any("input_schema" in (mapping(tool) or {}) for tool in tools):
        return "anthropic"
    return "openai-chat"
