"""The response items of Codex, each as its part of an OpenAI chat row."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from vademecum.sessions.rounds import Rounds, call, image
from vademecum.wire.values import dumped, mapping, sequence, string, without

#: How Codex says in a result's text that a command failed.
_FAILED = re.compile(r"\A(?:.*\n){0,4}?(?:Exit code: |Process exited with code )(?!0\b)-?\d+", re.MULTILINE)
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "tool_search_call", "mcp_tool_call"})
_RESULTS = frozenset(
    {"function_call_output", "custom_tool_call_output", "tool_search_output", "local_shell_call_output"}
)
#: Server tools: they run where the model runs and are answered inside what it says.
_OPAQUE = frozenset({"web_search_call", "image_generation_call", "file_search_call", "code_interpreter_call"})
_Typed = Callable[[str], bool]


def take(rounds: Rounds, item: Mapping[str, Any], ts: float | None, line: int, by_a_person: _Typed) -> bool:
    """Adds an item to the rounds.

    Args:
        rounds: The rows so far.
        item: The item.
        ts: Its time.
        line: Its line.
        by_a_person: Whether a user's text was typed by a person.

    Returns:
        False for an item of a sort that is not known.
    """
    kind = string(item.get("type"))
    if kind == "message":
        _message(rounds, item, ts, line, by_a_person)
    elif kind == "reasoning":
        texts = [*_texts(item.get("summary")), *_texts(item.get("content"))]
        rounds.model(reasoning="\n\n".join(texts), ts=ts, native=_rest(item), line=line)
    elif kind in _CALLS:
        rounds.model(calls=[_call(item, line)], ts=ts, native=_rest(item), line=line)
    elif kind in _RESULTS:
        _result(rounds, item, ts, line)
    elif kind == "agent_message":
        content = _content(item.get("content"))
        rounds.say("user", content, ts=ts, harness=True, native=_rest(item), line=line)
    elif kind in _OPAQUE:
        rounds.model([dict(item)], ts=ts, line=line)
    else:
        return False
    return True


def _message(rounds: Rounds, item: Mapping[str, Any], ts: float | None, line: int, by_a_person: _Typed) -> None:
    content, role, native = _content(item.get("content")), string(item.get("role")), _rest(item)
    if role == "assistant":
        rounds.model(content, ts=ts, native=native, line=line)
        return
    text = "\n".join(_texts(item.get("content")))
    harness = role == "user" and not by_a_person(text)
    rounds.say(role, content, ts=ts, harness=harness, native=native, line=line)


def _call(item: Mapping[str, Any], line: int) -> dict[str, Any]:
    id = string(item.get("call_id")) or string(item.get("id")) or f"call_line_{line}"
    name = string(item.get("name")) or string(item.get("type")).removesuffix("_call")
    if item.get("type") == "custom_tool_call":
        return {"id": id, "type": "custom", "custom": {"name": name, "input": dumped(item.get("input", ""))}}
    return call(id, name, item.get("arguments", item.get("action")))


def _result(rounds: Rounds, item: Mapping[str, Any], ts: float | None, line: int) -> None:
    output = item.get("output", item.get("tools"))
    failed = item.get("success") is False or item.get("status") == "failed"
    held = mapping(output)
    if held is not None and "type" not in held:  # an old form: the text, and whether it went well
        failed = failed or held.get("success") is False
        output = held.get("content", output)
    content = _content([output] if mapping(output) is not None else output)
    rounds.result(
        string(item.get("call_id")) or f"call_line_{line}",
        content,
        failed=failed or (isinstance(content, str) and _failed(content)),
        ts=ts,
        native=_rest(item),
        line=line,
    )


def _failed(text: str) -> bool:
    if text.startswith('{"output":'):
        try:
            metadata = mapping((mapping(json.loads(text)) or {}).get("metadata")) or {}
        except (ValueError, RecursionError):
            return False
        return metadata.get("exit_code") not in (None, 0)
    return _FAILED.match(text) is not None


def _content(content: object) -> Any:
    """Content as chat rows have it; parts of sorts that those do not have stay as they are."""
    items = sequence(content)
    if items is None:
        return content if content is None or isinstance(content, str) else dumped(content)
    parts: list[Any] = []
    for item in items:
        fields = mapping(item) or {}
        if isinstance(fields.get("text"), str) and str(fields.get("type")).endswith("text"):
            parts.append({"type": "text", "text": fields["text"]})
        elif fields.get("type") == "input_image" and isinstance(fields.get("image_url"), str):
            parts.append(image(string(fields["image_url"])))
        else:
            parts.append(item)
    if len(parts) == 1 and parts[0].__class__ is dict and parts[0].get("type") == "text":
        return parts[0]["text"]
    return parts


def _texts(content: object) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [text for item in sequence(content) or () if (text := string((mapping(item) or {}).get("text")))]


#: What stands in the row already.
_TAKEN = frozenset({"role", "content", "arguments", "input", "output", "call_id", "name", "action", "summary"})


def _rest(item: Mapping[str, Any]) -> dict[str, object]:
    several = len(sequence(item.get("summary")) or ()) > 1 or mapping(item.get("output")) is not None
    return dict(item) if several else without(item, _TAKEN)
