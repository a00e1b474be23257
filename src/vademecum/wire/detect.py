"""Which wire format a list of messages has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from vademecum.wire.values import mapping, sequence, string

_ANTHROPIC_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking", "image", "document"})
_RESPONSES_PARTS = frozenset({"input_text", "output_text", "input_image", "input_file"})
_RESPONSES_ITEMS = frozenset(
    {
        "reasoning", "item_reference", "compaction", "compaction_trigger", "mcp_list_tools", "mcp_approval_request",
        "mcp_approval_response",
    }
)  # fmt: skip
_OPENAI_KEYS = frozenset({"tool_call_id", "function_call"})
_OLLAMA_KEYS = frozenset({"tool_name", "thinking"})


def detect(messages: Iterable[object], outside: Mapping[str, Any] | None = None) -> str:
    """The format's name; `openai-chat` where nothing tells, since plain text is the same in all.

    Args:
        messages: The messages.
        outside: What stands beside them in a request body.
    """
    for message in messages:
        row = mapping(message)
        found = None if row is None else _told(row)
        if found:
            return found
    beside = outside or {}
    if "system" in beside or "anthropic_version" in beside:
        return "anthropic"
    if mapping(beside.get("options")) is not None or "keep_alive" in beside:
        return "ollama"
    tools = sequence(beside.get("tools")) or ()
    if any("input_schema" in (mapping(tool) or {}) for tool in tools):
        return "anthropic"
    return "openai-chat"


def _told(row: Mapping[str, object]) -> str:
    """The format that one message has for sure; empty where it could be of several."""
    kind = string(row.get("type"))
    if kind in _RESPONSES_ITEMS or kind.endswith(("_call", "_call_output")):
        return "openai-responses"
    if "parts" in row and "content" not in row:
        return "gemini"
    if _OLLAMA_KEYS & row.keys() or ("images" in row and isinstance(row.get("content"), str)):
        return "ollama"
    calls = sequence(row.get("tool_calls"))
    if calls:
        return "ollama" if any(map(_is_ollama_call, calls)) else "openai-chat"
    if row.get("role") == "function" or _OPENAI_KEYS & row.keys():
        return "openai-chat"
    for item in sequence(row.get("content")) or ():
        block = mapping(item)
        part = "" if block is None else string(block.get("type"))
        if part in _RESPONSES_PARTS:
            return "openai-responses"
        if part in _ANTHROPIC_BLOCKS:
            return "anthropic"
        if part in ("image_url", "input_audio", "file"):
            return "openai-chat"
    return ""


def _is_ollama_call(call: object) -> bool:
    """Whether a call has its arguments as an object, and not the type and id that a chat row's call has."""
    fields = mapping(call) or {}
    arguments = (mapping(fields.get("function")) or {}).get("arguments")
    return mapping(arguments) is not None and not ("type" in fields and "id" in fields)
