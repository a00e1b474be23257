"""OpenAI chat completions: `messages` rows with string or list content, `tool_calls` and `tool` rows."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from vademecum.core.dialect import Problem
from vademecum.core.edits import NO_RESULT
from vademecum.core.identity import identity
from vademecum.core.messages import Message, Part, Place, Role, Wire
from vademecum.core.text import clean
from vademecum.errors import WireError
from vademecum.wire.harness import by_a_person
from vademecum.wire.media import from_audio, from_file, from_url, url_of
from vademecum.wire.openai_identity import REASONING, identity_form
from vademecum.wire.openai_problems import problems
from vademecum.wire.values import MARKS, at, clean_items, dumped, mapping, sequence, string, without

_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}


@dataclass(frozen=True, slots=True)
class OpenAIChat:
    """The adapter for OpenAI chat rows."""

    name: str = "openai-chat"
    limit_key: str = "max_tokens"

    def load(self, wire: object, index: int, *, raw: bytes = b"", harness: bool = False) -> Message:
        """See `Dialect.load`."""
        row = mapping(wire)
        if row is None:
            raise WireError(index, f"is {type(wire).__name__}, not an object")
        role = _ROLES.get(string(row.get("role")))
        if role is None:
            raise WireError(index, f"has role {row.get('role')!r}", hint=f"roles are {', '.join(_ROLES)}")
        return Message(
            role=role,
            parts=_parts(row, role, index, harness=harness),
            wire=row,
            identity=identity(identity_form(row)),
            raw=raw,
            ts=_seconds(row.get("ts")),
        )

    def user(self, texts: Sequence[str]) -> Wire:
        """See `Dialect.user`."""
        return {"role": "user", "content": _content(texts)}

    def said(self, texts: Sequence[str]) -> Wire:
        """See `Dialect.said`."""
        return {"role": "assistant", "content": _content(texts)}

    def freed(self, message: Message) -> Wire:
        """See `Dialect.freed`: reasoning is a part of the message that it led to."""
        return message.wire

    def prepended(self, texts: Sequence[str], message: Message) -> Wire:
        """See `Dialect.prepended`."""
        new = dict(message.wire)
        own = new.get("content")
        rest = [{"type": "text", "text": own}] if isinstance(own, str) else list(sequence(own) or ())
        new["content"] = [*({"type": "text", "text": text} for text in texts), *rest]
        return new

    def edited(self, message: Message, edits: Mapping[int, str | None]) -> Wire | None:
        """See `Dialect.edited`."""
        if not edits:
            return message.wire
        if all(edits.get(number, "") is None for number in range(len(message.parts))):
            return None
        new = cast("dict[str, Any]", copy.deepcopy(dict(message.wire)))
        # From the last part on, so that removing one does not move the places of those before it.
        for number in sorted(edits, reverse=True):
            _edit(new, message.parts[number], edits[number])
        return new

    def answers(self, calls: Sequence[Part], text: str | None) -> tuple[Wire, ...]:
        """See `Dialect.answers`."""
        content = NO_RESULT if text is None else text
        return tuple({"role": "tool", "tool_call_id": call.call_id, "content": content} for call in calls)

    def joined_answers(self, answers: Wire, message: Message) -> Wire | None:  # noqa: ARG002
        """See `Dialect.joined_answers`: results are rows of their own here."""
        return None

    def problems(self, messages: Sequence[Message]) -> tuple[Problem, ...]:
        """See `Dialect.problems`."""
        return problems(messages)


OPENAI_CHAT = OpenAIChat()


def _parts(row: Wire, role: Role, index: int, *, harness: bool) -> tuple[Part, ...]:
    if role == "tool":
        return (_result(row),)
    found: list[Part] = []
    for key in REASONING:
        if row.get(key):
            found.append(Part("reasoning", dumped(row[key]), (key,), plain=isinstance(row[key], str)))
            break
    found.extend(_content_parts(row.get("content"), role, index, harness=harness))
    if row.get("refusal"):
        found.append(Part("text", string(row["refusal"]), ("refusal",)))
    for number, call in enumerate(sequence(row.get("tool_calls")) or ()):
        found.append(_call(call, ("tool_calls", number), index))
    legacy = mapping(row.get("function_call"))
    if legacy is not None:
        name = string(legacy.get("name"))
        text = dumped(legacy.get("arguments", ""))
        found.append(Part("tool_call", text, ("function_call",), call_id=name, tool=name, plain=False))
    if row.get("audio") is not None:
        found.append(Part("opaque", dumped(row["audio"]), ("audio",), plain=False))
    return tuple(found)


def _content_parts(content: object, role: Role, index: int, *, harness: bool) -> list[Part]:
    if isinstance(content, str):
        typed = role == "user" and not harness and by_a_person(content)
        return [Part("text", content, ("content",), typed=typed)] if content else []
    items = sequence(content)
    if items is None:
        if content is None:
            return []
        raise WireError(index, f"has content of type {type(content).__name__}", hint="content is a string or a list")
    return [_content_part(item, ("content", number), role, harness) for number, item in enumerate(items)]


def _content_part(item: object, place: Place, role: Role, harness: bool) -> Part:
    if isinstance(item, str):
        return Part("text", item, place, typed=role == "user" and not harness and by_a_person(item))
    fields = mapping(item) or {}
    match fields.get("type"):
        case "text" | "input_text" | "output_text" if isinstance(fields.get("text"), str):
            text = string(fields["text"])
            return Part("text", text, place, typed=role == "user" and not harness and by_a_person(text))
        case "image_url":
            media = from_url(url_of(fields.get("image_url")), kind="image")
            return Part("image", "", place, media=(media,), plain=False)
        case "file":
            return Part("document", "", place, media=(from_file(mapping(fields.get("file")) or fields),), plain=False)
        case "input_audio":
            return Part("document", "", place, media=(from_audio(mapping(fields.get("input_audio"))),), plain=False)
        case "thinking" | "reasoning":
            return Part("reasoning", string(fields.get("thinking") or fields.get("text")), place, plain=False)
        case _:
            return Part("opaque", dumped(without(fields, MARKS) if fields else item), place, plain=False)


def _call(call: object, place: Place, index: int) -> Part:
    fields = mapping(call)
    if fields is None:
        raise WireError(index, "has a tool call that is not an object")
    function = mapping(fields.get("function")) or mapping(fields.get("custom")) or {}
    text = dumped(function.get("arguments", function.get("input", "")))
    return Part(
        "tool_call",
        text,
        place,
        call_id=string(fields.get("id")),
        tool=string(function.get("name")),
        plain=False,
    )


def _result(row: Wire) -> Part:
    content = row.get("content")
    call_id = string(row.get("tool_call_id")) or string(row.get("name"))
    failed = bool((mapping(row.get("meta")) or {}).get("is_error"))
    tool = string(row.get("name"))
    items = sequence(content)
    if items is None:
        text = "" if content is None else dumped(content)
        plain = content is None or isinstance(content, str)
        return Part("tool_result", text, ("content",), call_id, tool, failed, plain=plain)
    inner = [_content_part(item, ("content", number), "tool", True) for number, item in enumerate(items)]
    return Part(
        "tool_result",
        "\n".join(part.text for part in inner if part.text),
        ("content",),
        call_id,
        tool,
        failed,
        media=tuple(media for part in inner for media in part.media),
        plain=len(inner) == 1 and inner[0].kind == "text",
    )


def _edit(row: dict[str, Any], part: Part, text: str | None) -> None:
    *path, last = part.place
    holder: Any = at(row, tuple(path))
    if text is None:
        # A content of its own must stay a key: assistants may have null, others lose the message.
        if part.place == ("content",):
            row["content"] = None
        else:
            del holder[last]
            if not holder and path:
                row[str(path[0])] = None
                if path[0] == "tool_calls":
                    del row["tool_calls"]
    elif part.kind == "tool_call":
        # The function's arguments (or a custom tool's input) are text already.
        call = holder[last]
        function = call.get("function") or call.get("custom") or call
        function["arguments" if "arguments" in function else "input"] = text
    elif part.place == ("content",) or isinstance(holder[last], str):
        items = sequence(holder.get(last) if part.place == ("content",) else holder[last])
        # The same text made safe is no reason to lose the images beside it.
        holder[last] = clean_items(items) if items is not None and text == clean(part.text) else text
    elif part.kind == "text":
        holder[last] = {**holder[last], "text": text}
    else:
        # What has no text of its own becomes a text part in its place.
        holder[last] = {"type": "text", "text": text}


def _content(texts: Sequence[str]) -> object:
    if len(texts) == 1:
        return texts[0]
    return [{"type": "text", "text": clean(text)} for text in texts]


def _seconds(value: object) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, str):
        return None
    from datetime import UTC, datetime

    try:
        when = datetime.fromisoformat(value.replace("Z", "+00:00"))
    except ValueError:
        return None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
