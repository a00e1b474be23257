"""The answer: what a reply says, whichever format it came in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from vademecum.models.errors.truncation import ended_at, ending
from vademecum.wire.usage import Usage, usage_of
from vademecum.wire.values import at, mapping, sequence

Finish = str
_TOOLS = frozenset({"tool_calls", "function_call", "tool_use"})


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's answer.

    Attributes:
        text: What it wrote, without reasoning and calls.
        messages: What to append to the transcript, in the format of the request.
        finish: `stop`, `length`, `tool_call`, `refusal` or `other`.
        usage: What the provider reported; None where it reports nothing.
        raw: The whole reply as JSON data.
        model: The model that answered, as the reply says; empty where it does not.
        calls: Whether it has calls of tools, whole ones or not.
    """

    text: str
    messages: tuple[dict[str, Any], ...]
    finish: Finish
    usage: Usage | None
    raw: Mapping[str, Any]
    model: str = ""
    calls: bool = False


def answer_of(format: str, raw: Mapping[str, Any]) -> Answer:
    """The answer that a whole reply holds.

    Args:
        format: The wire format.
        raw: The reply as JSON data.
    """
    messages = tuple(dict(found) for found in _messages(format, raw))
    usage = usage_of(raw)
    model = next((name for key in ("model", "modelVersion") if isinstance(name := raw.get(key), str)), "")
    text = "".join(_texts(format, messages))
    calls = any(_calls(format, message) for message in messages)
    return Answer(text, messages, _finish(raw, calls), usage, raw, model, calls)


def _messages(format: str, raw: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    if format == "openai-responses":
        return [item for item in map(mapping, sequence(raw.get("output")) or ()) if item is not None]
    if format == "anthropic":
        return [{"role": "assistant", "content": raw["content"]}] if raw.get("content") else []
    way: dict[str, tuple[str | int, ...]] = {
        "openai-chat": ("choices", 0, "message"),
        "gemini": ("candidates", 0, "content"),
        "ollama": ("message",),
    }
    found = mapping(_within(raw, way[format]))
    return [found] if found else []


def _within(value: object, way: tuple[str | int, ...]) -> object:
    for key in way:
        if isinstance(key, int):
            items = sequence(value) or ()
            value = items[key] if key < len(items) else None
        else:
            value = at(mapping(value) or {}, (key,))
    return value


def _texts(format: str, messages: tuple[dict[str, Any], ...]) -> list[str]:
    parts: list[object] = []
    for message in messages:
        content = message.get("parts" if format == "gemini" else "content")
        parts += [content] if isinstance(content, str) else list(sequence(content) or ())
    texts: list[str] = []
    for part in parts:
        fields = mapping(part)
        text = part if isinstance(part, str) else None if fields is None else fields.get("text")
        if isinstance(text, str) and not (fields or {}).get("thought"):
            texts.append(text)
    return texts


def _finish(raw: Mapping[str, Any], calls: bool) -> Finish:
    reason = (ending(raw) or "").lower()
    ended = ended_at(reason, None, None)
    if ended is not None:  # a call that was cut off is none
        return "refusal" if ended.kind == "content_filter" else "length"
    if reason in _TOOLS or calls:
        return "tool_call"
    whole = {"stop", "end_turn", "stop_sequence", "completed", "stopped"}
    return "stop" if reason in whole or (not reason and raw.get("status") == "completed") else "other"


def _calls(format: str, message: dict[str, Any]) -> bool:
    if format == "openai-responses":
        return str(message.get("type", "")).endswith("_call")
    parts = cast("list[Any]", message.get("parts" if format == "gemini" else "content") or [])
    if format == "gemini":
        return any("functionCall" in part for part in parts if isinstance(part, dict))
    if format == "anthropic":
        return any("tool_use" in str((mapping(part) or {}).get("type")) for part in parts)
    return bool(message.get("tool_calls"))
