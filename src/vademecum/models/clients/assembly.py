"""Assembly: the whole reply of a stream's events, as the same format would have sent it at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

Event = dict[str, Any]
_JOINED = ("content", "reasoning_content", "reasoning", "refusal", "thinking")


def assembled(format: str, events: Sequence[Event]) -> Event:
    """The reply that a stream's events make up.

    Args:
        format: The wire format.
        events: The events' data, in order.
    """
    return _FORMATS[format](events)


def text_of(format: str, event: Event) -> str:
    """The text that an event adds to the reply; empty for one that adds none."""
    if format == "openai-chat":
        return "".join(_inner(choice, "delta").get("content") or "" for choice in event.get("choices") or ())
    if format == "openai-responses":
        return event.get("delta", "") if event.get("type") == "response.output_text.delta" else ""
    if format == "anthropic":
        return _inner(event, "delta").get("text", "") if event.get("type") == "content_block_delta" else ""
    if format == "gemini":
        return "".join(part.get("text", "") for part in _parts(event) if not part.get("thought"))
    return _inner(event, "message").get("content") or ""


def _chat(events: Sequence[Event]) -> Event:
    reply: Event = {}
    message: Event = {"role": "assistant"}
    calls: dict[int, Event] = {}
    finish = None
    for event in events:
        reply.update({key: value for key, value in event.items() if key != "choices" and value is not None})
        for choice in event.get("choices") or ():
            finish = choice.get("finish_reason") or finish
            delta: Event = choice.get("delta") or {}
            _join(message, delta)
            for piece in delta.get("tool_calls") or ():
                call = calls.setdefault(piece.get("index", len(calls)), {"type": "function", "function": {}})
                call.update({key: value for key, value in piece.items() if key in ("id", "type") and value})
                for key, value in _inner(piece, "function").items():
                    call["function"][key] = call["function"].get(key, "") + (value or "")
    if calls:
        message["tool_calls"] = [calls[index] for index in sorted(calls)]
    message.setdefault("content", None)
    reply["object"] = "chat.completion"
    return {**reply, "choices": [{"index": 0, "message": message, "finish_reason": finish}]}


def _join(message: Event, delta: Event) -> None:
    for key in _JOINED:
        if isinstance(delta.get(key), str):
            message[key] = message.get(key, "") + delta[key]


def _responses(events: Sequence[Event]) -> Event:
    ends = ("response.completed", "response.incomplete", "response.failed")
    return next((_inner(event, "response") for event in reversed(events) if event.get("type") in ends), Event())


def _anthropic(events: Sequence[Event]) -> Event:
    reply: Event = {}
    blocks: dict[int, Event] = {}
    inputs: dict[int, str] = {}
    for event in events:
        kind = event.get("type")
        if kind == "message_start":
            reply = {**event["message"], "content": []}
        elif kind == "content_block_start":
            blocks[event["index"]] = dict(event["content_block"])
        elif kind == "content_block_delta":
            _grow(blocks, inputs, event)
        elif kind == "message_delta":
            reply.update(event.get("delta") or {})
            reply["usage"] = {**(reply.get("usage") or {}), **(event.get("usage") or {})}
    for index, text in inputs.items():
        blocks[index]["input"] = json.loads(text or "{}")
    reply["content"] = [blocks[index] for index in sorted(blocks)]
    return reply


def _grow(blocks: dict[int, Event], inputs: dict[int, str], event: Event) -> None:
    index, delta = event["index"], event["delta"]
    if delta.get("type") == "input_json_delta":
        inputs[index] = inputs.get(index, "") + delta.get("partial_json", "")
        return
    for key in ("text", "thinking", "signature"):
        if key in delta:
            blocks[index][key] = (blocks[index].get(key) or "") + delta[key]
    if "citation" in delta:
        blocks[index].setdefault("citations", []).append(delta["citation"])


def _gemini(events: Sequence[Event]) -> Event:
    reply: Event = {}
    parts: list[Event] = []
    candidate: Event = {}
    for event in events:
        reply.update({key: value for key, value in event.items() if key != "candidates"})
        for found in (event.get("candidates") or ())[:1]:
            candidate.update({key: value for key, value in found.items() if key != "content"})
        for part in _parts(event):
            if parts and _continues(parts[-1], part):
                parts[-1] = {**parts[-1], **part, "text": parts[-1]["text"] + part["text"]}
            else:
                parts.append(dict(part))
    return {**reply, "candidates": [{**candidate, "content": {"role": "model", "parts": parts}}]}


def _parts(event: Event) -> list[Event]:
    candidates: list[Event] = event.get("candidates") or []
    return (_inner(candidates[0], "content").get("parts") or []) if candidates else []


def _continues(before: Event, part: Event) -> bool:
    """Whether a text goes on with the one before it; a signature ends a part."""
    same = bool(before.get("thought")) == bool(part.get("thought"))
    return same and "text" in before and "text" in part and "thoughtSignature" not in before


def _ollama(events: Sequence[Event]) -> Event:
    message: Event = {"role": "assistant", "content": ""}
    for event in events:
        piece = _inner(event, "message")
        _join(message, piece)
        if piece.get("tool_calls"):
            message.setdefault("tool_calls", []).extend(piece["tool_calls"])
    return {**(events[-1] if events else {}), "message": message}


def _inner(fields: Event, key: str) -> Event:
    return fields.get(key) or {}


_FORMATS: dict[str, Callable[[Sequence[Event]], Event]] = {
    "openai-chat": _chat,
    "openai-responses": _responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "ollama": _ollama,
}
