"""The content blocks that agents write, taken apart for a chat row: what was said, thought and called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vademecum.sessions.rounds import call, image
from vademecum.wire.values import mapping, sequence, string

_THOUGHTS = frozenset({"thinking", "think", "reasoning", "thought"})
_CALLS = frozenset({"toolCall", "tool_use", "tool-call", "tool_call"})


@dataclass
class Said:
    """A message's content.

    Attributes:
        parts: Its parts as chat rows have them; parts of unknown sorts as they are.
        thoughts: Texts of its reasoning.
        calls: Its tool calls.
    """

    parts: list[Any] = field(default_factory=list[Any])
    thoughts: list[str] = field(default_factory=list[str])
    calls: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    @property
    def content(self) -> Any:
        """The parts, or the text where there is but one."""
        if len(self.parts) == 1 and (only := mapping(self.parts[0])) is not None and only.get("type") == "text":
            return only.get("text")
        return self.parts or None

    @property
    def reasoning(self) -> str:
        """The reasoning as one text."""
        return "\n\n".join(self.thoughts)


def said(content: object, id: str) -> Said:
    """Takes a content apart.

    Args:
        content: A text, or a list of blocks.
        id: What the ids of calls begin with that have none.
    """
    found = Said()
    if isinstance(content, str):
        if content:
            found.parts.append(text(content))
        return found
    for number, item in enumerate(sequence(content) or ()):
        if isinstance(item, str):
            found.parts.append(text(item))
            continue
        fields = mapping(item) or {}
        kind = string(fields.get("type"))
        if kind in _THOUGHTS:
            found.thoughts.append(_first(fields, "thinking", "think", "text", "reasoning", "thought"))
        elif kind in _CALLS:
            name = _first(fields, "name", "toolName", "tool")
            made = _first(fields, "id", "toolCallId", "toolUseId") or f"call_{id}_{number}"
            found.calls.append(call(made, name, fields.get("arguments", fields.get("input", fields.get("args")))))
        else:
            found.parts.append(part(fields) or item)
    return found


def part(fields: Mapping[str, Any]) -> dict[str, Any] | None:
    """A text or image block as chat rows have it; None for a block of another sort."""
    kind = string(fields.get("type"))
    if isinstance(fields.get("text"), str) and (not kind or kind.endswith("text")):
        return text(fields["text"])
    if kind in ("image", "image_url") and (url := _url(fields)):
        return image(url)
    return None


def text(value: str) -> dict[str, Any]:
    """A text part."""
    return {"type": "text", "text": value}


def result_content(content: object) -> Any:
    """A result's content as chat rows have it."""
    if content is None or isinstance(content, str):
        return content or ""
    return said(content, "").content if sequence(content) is not None else content


def _url(fields: Mapping[str, Any]) -> str:
    source = mapping(fields.get("source")) or fields
    data = string(source.get("data"))
    kind = string(source.get("media_type")) or string(source.get("mimeType")) or "image/png"
    if data:
        return data if data.startswith("data:") else f"data:{kind};base64,{data}"
    target = fields.get("image_url")
    return string((mapping(target) or {}).get("url")) or _first(fields, "image_url", "image", "url")


def _first(fields: Mapping[str, Any], *keys: str) -> str:
    return next((value for key in keys if isinstance(value := fields.get(key), str) and value), "")
