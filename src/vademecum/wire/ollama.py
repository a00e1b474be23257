"""Ollama's own chat: string contents with images beside them, calls without ids, arguments as objects."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from vademecum.core.dialect import Problem
from vademecum.core.edits import NO_RESULT
from vademecum.core.identity import identity
from vademecum.core.messages import UNNAMED, Message, Part, Role, Wire
from vademecum.errors import WireError
from vademecum.wire.harness import by_a_person
from vademecum.wire.media import from_base64
from vademecum.wire.ollama_problems import problems
from vademecum.wire.values import dumped, mapping, sequence, string

_ROLES: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}
#: A content is one string: this stands between the texts that were joined to one. The character is invisible.
JOINT = "\n\n\u2063\n\n"
#: Keys that make a message what it is; the others say how and when it came.
_OWN = ("role", "content", "thinking", "images", "tool_name", "tool_call_id")


@dataclass(frozen=True, slots=True)
class Ollama:
    """The adapter for messages of Ollama's `/api/chat`."""

    name: str = "ollama"
    limit_key: str = "num_predict"

    def load(self, wire: object, index: int, *, raw: bytes = b"", harness: bool = False) -> Message:
        """See `Dialect.load`."""
        row = mapping(wire)
        if row is None:
            raise WireError(index, f"is {type(wire).__name__}, not an object")
        role = _ROLES.get(string(row.get("role")))
        if role is None:
            raise WireError(index, f"has role {row.get('role')!r}", hint=f"roles are {', '.join(_ROLES)}")
        if not isinstance(row.get("content"), str | None):
            raise WireError(index, f"has content of type {type(row['content']).__name__}", hint="it is a string")
        parts = (_result(row),) if role == "tool" else _parts(row, role, index, harness)
        return Message(role=role, parts=parts, wire=row, identity=identity(_identity_form(row)), raw=raw)

    def user(self, texts: Sequence[str]) -> Wire:
        """See `Dialect.user`."""
        return {"role": "user", "content": JOINT.join(texts)}

    def said(self, texts: Sequence[str]) -> Wire:
        """See `Dialect.said`."""
        return {"role": "assistant", "content": JOINT.join(texts)}

    def freed(self, message: Message) -> Wire:
        """See `Dialect.freed`: reasoning is a part of the message that it led to."""
        return message.wire

    def prepended(self, texts: Sequence[str], message: Message) -> Wire:
        """See `Dialect.prepended`."""
        own = string(message.wire.get("content"))
        return {**message.wire, "content": JOINT.join((*texts, own) if own else texts)}

    def edited(self, message: Message, edits: Mapping[int, str | None]) -> Wire | None:
        """See `Dialect.edited`."""
        if not edits:
            return message.wire
        if all(edits.get(number, "") is None for number in range(len(message.parts))):
            return None
        new = cast("dict[str, Any]", copy.deepcopy(dict(message.wire)))
        for number in sorted(edits, reverse=True):
            part, text = message.parts[number], edits[number]
            if part.kind == "tool_call":
                new["tool_calls"][part.place[1]]["function"]["arguments"] = json.loads(text or "{}")
            elif part.kind == "tool_result":
                new["content"] = text or ""
                new.pop("images", None)
            elif part.place[0] in ("thinking", "images"):
                _drop(new, part)
        _rewrite(new, message.parts, edits)
        return new

    def answers(self, calls: Sequence[Part], text: str | None) -> tuple[Wire, ...]:
        """See `Dialect.answers`."""
        return tuple(_answer(call, NO_RESULT if text is None else text) for call in calls)

    def joined_answers(self, answers: Wire, message: Message) -> Wire | None:  # noqa: ARG002
        """See `Dialect.joined_answers`: results are rows of their own here."""
        return None

    def problems(self, messages: Sequence[Message]) -> tuple[Problem, ...]:
        """See `Dialect.problems`."""
        return problems(messages)


OLLAMA = Ollama()


def _parts(row: Wire, role: Role, index: int, harness: bool) -> tuple[Part, ...]:
    found: list[Part] = []
    if row.get("thinking"):
        found.append(
            Part("reasoning", dumped(row["thinking"]), ("thinking",), plain=isinstance(row["thinking"], str))
        )
    texts = string(row.get("content")).split(JOINT) if row.get("content") else []
    for text in texts:
        typed = role == "user" and not harness and by_a_person(text)
        found.append(Part("text", text, ("content",), plain=len(texts) == 1, typed=typed))
    for number, image in enumerate(sequence(row.get("images")) or ()):
        media = from_base64(string(image), kind="image")
        found.append(Part("image", "", ("images", number), media=(media,), plain=False))
    for number, call in enumerate(sequence(row.get("tool_calls")) or ()):
        function = mapping((mapping(call) or {}).get("function"))
        if function is None:
            raise WireError(index, "has a tool call that is no function's")
        tool, arguments = string(function.get("name")), function.get("arguments")
        call_id = string((mapping(call) or {}).get("id")) or f"{UNNAMED}{tool}"
        text = dumped({} if arguments is None else arguments)
        found.append(Part("tool_call", text, ("tool_calls", number), call_id, tool, plain=False))
    return tuple(found)


def _result(row: Wire) -> Part:
    tool = string(row.get("tool_name")) or string(row.get("name"))
    images = sequence(row.get("images")) or ()
    return Part(
        "tool_result",
        string(row.get("content")),
        ("content",),
        string(row.get("tool_call_id")) or (f"{UNNAMED}{tool}" if tool else ""),
        tool,
        media=tuple(from_base64(string(image), kind="image") for image in images),
    )


def _drop(row: dict[str, Any], part: Part) -> None:
    """Takes an image or the thoughts out; a text that stands for them goes to the content."""
    key = str(part.place[0])
    if key == "images":
        del row[key][part.place[1]]
    if key == "thinking" or not row[key]:
        del row[key]


def _rewrite(row: dict[str, Any], parts: Sequence[Part], edits: Mapping[int, str | None]) -> None:
    """The content anew: its texts as they are now, and what stands for images that were taken out."""
    texts = {number: part.text for number, part in enumerate(parts) if part.kind == "text"}
    texts |= {number: text or "" for number, text in edits.items() if parts[number].kind in ("text", "image")}
    if texts.keys() & edits.keys():
        row["content"] = JOINT.join(text for number, text in sorted(texts.items()) if text or number not in edits)


def _answer(call: Part, text: str) -> Wire:
    named = {"tool_call_id": call.wire_id} if call.wire_id else {}
    return {"role": "tool", **named, "tool_name": call.tool, "content": text}


def _identity_form(row: Wire) -> object:
    form: dict[str, object] = {key: row.get(key) or None for key in _OWN}
    form["tool_name"] = row.get("tool_name") or row.get("name")
    form["calls"] = [
        {"id": (mapping(call) or {}).get("id"), "function": _function((mapping(call) or {}).get("function"))}
        for call in sequence(row.get("tool_calls")) or ()
    ]
    return form


def _function(value: object) -> object:
    """A call's function without its number, which servers add."""
    fields = mapping(value) or {}
    return {"name": fields.get("name"), "arguments": fields.get("arguments")}
