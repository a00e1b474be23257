"""Anthropic messages: content blocks, tool results inside user messages, thinking with signatures."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from vademecum.core.dialect import Problem
from vademecum.core.edits import NO_RESULT
from vademecum.core.identity import identity
from vademecum.core.messages import Message, Part, Place, Role, Wire
from vademecum.core.text import clean
from vademecum.errors import WireError
from vademecum.wire.anthropic_media import document, image, search_result
from vademecum.wire.anthropic_problems import problems
from vademecum.wire.harness import by_a_person
from vademecum.wire.values import MARKS, clean_items, dumped, mapping, sequence, string, without

_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}
#: Transport annotations: marks move and signatures are dropped while the message stays the same.
_ANNOTATIONS = frozenset({"cache_control", "signature", "caller"})


@dataclass(frozen=True, slots=True)
class Anthropic:
    """The adapter for Anthropic messages."""

    name: str = "anthropic"
    limit_key: str = "max_tokens"

    def load(self, wire: object, index: int, *, raw: bytes = b"", harness: bool = False) -> Message:
        """See `Dialect.load`."""
        row = mapping(wire)
        if row is None:
            raise WireError(index, f"is {type(wire).__name__}, not an object")
        role = _ROLES.get(string(row.get("role")))
        if role is None:
            raise WireError(index, f"has role {row.get('role')!r}", hint=f"roles are {', '.join(_ROLES)}")
        parts = _parts(row.get("content"), role, index, harness)
        if role == "user" and parts and all(part.kind == "tool_result" for part in parts):
            role = "tool"
        return Message(role=role, parts=parts, wire=row, identity=identity(_identity_form(row)), raw=raw)

    def user(self, texts: Sequence[str]) -> Wire:
        """See `Dialect.user`."""
        return {"role": "user", "content": [{"type": "text", "text": text} for text in texts]}

    def said(self, texts: Sequence[str]) -> Wire:
        """See `Dialect.said`."""
        return {"role": "assistant", "content": [{"type": "text", "text": text} for text in texts]}

    def freed(self, message: Message) -> Wire:
        """See `Dialect.freed`: reasoning is a part of the message that it led to."""
        return message.wire

    def prepended(self, texts: Sequence[str], message: Message) -> Wire:
        """See `Dialect.prepended`: tool results must stay the first parts of their message."""
        own = _blocks(message.wire)
        results = sum(1 for part in message.parts if part.kind == "tool_result")
        added = [{"type": "text", "text": text} for text in texts]
        return {**message.wire, "content": [*own[:results], *added, *own[results:]]}

    def edited(self, message: Message, edits: Mapping[int, str | None]) -> Wire | None:
        """See `Dialect.edited`."""
        if not edits:
            return message.wire
        new = cast("dict[str, Any]", copy.deepcopy(dict(message.wire)))
        if isinstance(new.get("content"), str):
            text = edits[0]
            return None if text is None else {**new, "content": text}
        blocks: list[Any] = new["content"]
        for number in sorted(edits, reverse=True):
            place, text = int(message.parts[number].place[1]), edits[number]
            if text is None:
                del blocks[place]
            else:
                blocks[place] = _with_text(blocks[place], message.parts[number], text)
        return new if blocks else None

    def answers(self, calls: Sequence[Part], text: str | None) -> tuple[Wire, ...]:
        """See `Dialect.answers`."""
        return ({"role": "user", "content": [_answer(call, text) for call in calls]},)

    def joined_answers(self, answers: Wire, message: Message) -> Wire | None:
        """See `Dialect.joined_answers`."""
        if message.role not in ("user", "tool"):
            return None
        return {**message.wire, "content": [*_blocks(answers), *_blocks(message.wire)]}

    def problems(self, messages: Sequence[Message]) -> tuple[Problem, ...]:
        """See `Dialect.problems`."""
        return problems(messages)


ANTHROPIC = Anthropic()


def _parts(content: object, role: Role, index: int, harness: bool) -> tuple[Part, ...]:
    if isinstance(content, str):
        typed = role == "user" and not harness and by_a_person(content)
        return (Part("text", content, ("content",), typed=typed),) if content else ()
    items = sequence(content)
    if items is None:
        raise WireError(index, f"has content of type {type(content).__name__}", hint="content is a string or a list")
    return tuple(_part(item, ("content", number), role, harness) for number, item in enumerate(items))


def _part(item: object, place: Place, role: Role, harness: bool) -> Part:
    fields = mapping(item) or {}
    match fields.get("type"):
        case "text" if isinstance(fields.get("text"), str):
            text = string(fields["text"])
            return Part("text", text, place, typed=role == "user" and not harness and by_a_person(text))
        case "thinking":
            return Part("reasoning", string(fields.get("thinking")), place, plain=False)
        case "redacted_thinking":
            return Part("reasoning", string(fields.get("data")), place, plain=False)
        case "tool_use":
            return Part(
                "tool_call",
                dumped(fields.get("input", {})),
                place,
                call_id=string(fields.get("id")),
                tool=string(fields.get("name")),
                plain=False,
            )
        case "tool_result":
            return _result(fields, place)
        case "image":
            return image(fields, place)
        case "document":
            return document(fields, place)
        case "search_result":
            return search_result(fields, place)
        case _:
            return Part("opaque", dumped(without(fields, MARKS) if fields else item), place, plain=False)


def _result(fields: Mapping[str, object], place: Place) -> Part:
    content = fields.get("content")
    call_id, failed = string(fields.get("tool_use_id")), bool(fields.get("is_error"))
    items = sequence(content)
    if items is None:
        text = "" if content is None else dumped(content)
        plain = content is None or isinstance(content, str)
        return Part("tool_result", text, place, call_id, "", failed, plain=plain)
    inner = [_part(item, ("content", number), "tool", True) for number, item in enumerate(items)]
    return Part(
        "tool_result",
        "\n".join(part.text for part in inner if part.text),
        place,
        call_id,
        "",
        failed,
        media=tuple(media for part in inner for media in part.media),
        plain=len(inner) == 1 and inner[0].kind == "text",
    )


def _with_text(block: dict[str, Any], part: Part, text: str) -> dict[str, Any]:
    if part.kind == "tool_result":
        items = sequence(block.get("content"))
        # The same text made safe is no reason to lose the images beside it.
        content = clean_items(items) if items is not None and text == clean(part.text) else text
        return {**block, "content": content}
    if part.kind == "tool_call":
        return {**block, "input": _input(text)}
    if part.kind == "text":
        return {**block, "text": text}
    # What has no text of its own becomes a text block in its place.
    return {"type": "text", "text": text}


def _input(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:  # careless clients send a bare text
        return text


def _answer(call: Part, text: str | None) -> dict[str, object]:
    result: dict[str, object] = {"type": "tool_result", "tool_use_id": call.call_id}
    return {**result, "content": NO_RESULT, "is_error": True} if text is None else {**result, "content": text}


def _blocks(row: Wire) -> list[object]:
    content = row.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return list(sequence(content) or ())


def _identity_form(row: Wire) -> object:
    blocks = [_bare(block) for block in _blocks(row)]
    content: object = blocks
    if len(blocks) == 1 and (only := mapping(blocks[0])) is not None and set(only) == {"type", "text"}:
        content = only["text"]
    return {"role": row.get("role"), "content": content or None}


def _bare(block: object) -> object:
    """A block without transport annotations; a result's content is treated as a message's."""
    fields = mapping(block)
    if fields is None:
        return block
    bare = without(fields, _ANNOTATIONS)
    inner = sequence(bare.get("content"))
    if inner is not None:
        bare["content"] = [_bare(item) for item in inner]
        if len(inner) == 1 and (only := mapping(bare["content"][0])) and set(only) == {"type", "text"}:
            bare["content"] = only["text"]
    return bare
