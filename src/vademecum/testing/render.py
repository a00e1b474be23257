"""Writing turns in a wire format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from vademecum.errors import ConfigError
from vademecum.testing.turns import Call, Result, Round, Turn

Row = dict[str, Any]
#: The smallest PNG there is: one transparent pixel.
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
_MARK = {"cache_control": {"type": "ephemeral"}}


def rendered(turns: Sequence[Turn], format: str, system: Sequence[str] = ()) -> list[Row]:
    """The turns as wire messages of a format, after leading system rows.

    Raises:
        ConfigError: There is no such format.
    """
    if format not in ("openai-chat", "anthropic"):
        raise ConfigError(f"no transcripts of format {format!r}", hint="openai-chat and anthropic are known")
    rows: list[Row] = [{"role": "system", "content": text} for text in system]
    for turn in turns:
        if turn.said or turn.image or turn.opaque:
            rows.append(_user(turn, format))
        for one in turn.rounds:
            rows.extend(_openai(one) if format == "openai-chat" else _anthropic(one))
            if one.system:
                rows.append({"role": "system", "content": one.system})
    return rows


def _user(turn: Turn, format: str) -> Row:
    plain = len(turn.said) == 1 and not (turn.as_list or turn.marked or turn.image or turn.opaque)
    if plain:
        return {"role": "user", "content": turn.said[0].text}
    parts: list[Row] = [{"type": "text", "text": said.text} for said in turn.said]
    if turn.image:
        parts.append(_image(format))
    if turn.opaque:
        parts.append({"type": "x_unknown", "payload": {"deep": [1, 123456789012345678901234567890]}})
    if turn.marked and parts:
        parts[-1] = {**parts[-1], **_MARK}
    return {"role": "user", "content": parts, "x_client": {"kept": True}}


def _image(format: str) -> Row:
    if format == "anthropic":
        return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}


def _openai(one: Round) -> list[Row]:
    row: Row = {"role": "assistant", "content": one.text or None}
    if one.reasoning:
        row["reasoning_content"] = one.reasoning
    if one.calls:
        row["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.tool, "arguments": json.dumps(call.arguments)},
            }
            for call in one.calls
        ]
    rows = [row]
    if one.between:
        rows.append({"role": "user", "content": one.between})
    for call in _ordered(one):
        if call.result is not None:
            meta: Row = {"meta": {"is_error": True}} if call.result.error else {}
            rows.append(
                {"role": "tool", "tool_call_id": call.id, "content": _content(call.result, "openai-chat"), **meta}
            )
    if one.orphan:
        rows.append({"role": "tool", "tool_call_id": one.orphan, "content": "a result that nobody asked for"})
    return rows


def _anthropic(one: Round) -> list[Row]:
    blocks: list[Row] = []
    if one.reasoning:
        blocks.append({"type": "thinking", "thinking": one.reasoning, "signature": "c2lnbmF0dXJl"})
    if one.text:
        blocks.append({"type": "text", "text": one.text})
    blocks.extend(
        {"type": "tool_use", "id": call.id, "name": call.tool, "input": call.arguments} for call in one.calls
    )
    rows: list[Row] = [{"role": "assistant", "content": blocks}]
    results: list[Row] = []
    for call in _ordered(one):
        if call.result is not None:
            failed: Row = {"is_error": True} if call.result.error else {}
            content: Row = {"content": _content(call.result, "anthropic")}
            if call.result.shape == "empty":
                content = {}
            results.append({"type": "tool_result", "tool_use_id": call.id, **content, **failed})
    if one.orphan:
        results.append({"type": "tool_result", "tool_use_id": one.orphan, "content": "nobody asked for it"})
    if one.between:
        results.append({"type": "text", "text": one.between})
    if results:
        rows.append({"role": "user", "content": results})
    return rows


def _ordered(one: Round) -> Sequence[Call]:
    return one.calls[::-1] if one.swapped else one.calls


def _content(result: Result, format: str) -> Any:
    match result.shape:
        case "list":
            return [{"type": "text", "text": result.text}]
        case "image":
            return [{"type": "text", "text": result.text}, _image(format)]
        case "object" if format == "openai-chat":
            return {"stdout": result.text, "code": 0}
        case "null" if format == "openai-chat":
            return None
        case "empty" | "null":
            return ""
        case _:
            return result.text
