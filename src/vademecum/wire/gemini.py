"""Gemini contents: parts of `user` and `model`, responses of a batch together; calls often have no ids."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from vademecum.core.dialect import Problem
from vademecum.core.edits import NO_RESULT
from vademecum.core.identity import identity
from vademecum.core.messages import Message, Part, Role, Wire
from vademecum.errors import WireError
from vademecum.wire.gemini_parts import (
    CALL,
    RESPONSE,
    SIGNATURES,
    identity_form,
    key_in,
    only_text,
    parts_of,
    repeated,
)
from vademecum.wire.gemini_problems import problems
from vademecum.wire.values import mapping, sequence, string, without

_ROLES: dict[str, Role] = {"user": "user", "model": "assistant", "function": "tool"}


@dataclass(frozen=True, slots=True)
class Gemini:
    """The adapter for Gemini contents."""

    name: str = "gemini"
    limit_key: str = "maxOutputTokens"

    def load(self, wire: object, index: int, *, raw: bytes = b"", harness: bool = False) -> Message:
        """See `Dialect.load`."""
        content = mapping(wire)
        if content is None:
            raise WireError(index, f"is {type(wire).__name__}, not an object")
        role = _ROLES.get(string(content.get("role", "user")))
        if role is None:
            raise WireError(index, f"has role {content.get('role')!r}", hint=f"roles are {', '.join(_ROLES)}")
        if sequence(content.get("parts", ())) is None:
            raise WireError(index, f"has parts of type {type(content.get('parts')).__name__}", hint="it is a list")
        parts = parts_of(content, role, harness=harness)
        if role == "user" and parts and all(part.kind == "tool_result" for part in parts):
            role = "tool"
        return Message(role=role, parts=parts, wire=content, identity=identity(identity_form(content)), raw=raw)

    def user(self, texts: Sequence[str]) -> Wire:
        """See `Dialect.user`."""
        return {"role": "user", "parts": [{"text": text} for text in texts]}

    def said(self, texts: Sequence[str]) -> Wire:
        """See `Dialect.said`."""
        return {"role": "model", "parts": [{"text": text} for text in texts]}

    def freed(self, message: Message) -> Wire:
        """See `Dialect.freed`: reasoning is a part of the message that it led to."""
        return message.wire

    def prepended(self, texts: Sequence[str], message: Message) -> Wire:
        """See `Dialect.prepended`: responses must stay the first parts of their content."""
        own = list(sequence(message.wire.get("parts")) or ())
        results = sum(1 for part in message.parts if part.kind == "tool_result")
        added = [{"text": text} for text in texts]
        return {**message.wire, "parts": [*own[:results], *added, *own[results:]]}

    def edited(self, message: Message, edits: Mapping[int, str | None]) -> Wire | None:
        """See `Dialect.edited`. What a client has repeated goes with an edit of its original."""
        if not edits:
            return message.wire
        new = cast("dict[str, Any]", copy.deepcopy(dict(message.wire)))
        parts: list[Any] = new["parts"]
        places = {int(message.parts[number].place[1]): number for number in edits}
        if any(message.parts[number].kind == "tool_result" for number in edits):
            places |= dict.fromkeys(repeated(parts), -1)
        for place in sorted(places, reverse=True):
            number = places[place]
            text = None if number < 0 else edits[number]
            if text is None:
                del parts[place]
            else:
                parts[place] = _with_text(parts[place], message.parts[number], text)
        return new if parts else None

    def answers(self, calls: Sequence[Part], text: str | None) -> tuple[Wire, ...]:
        """See `Dialect.answers`."""
        return ({"role": "user", "parts": [{"functionResponse": _answer(call, text)} for call in calls]},)

    def joined_answers(self, answers: Wire, message: Message) -> Wire | None:
        """See `Dialect.joined_answers`."""
        if message.role not in ("user", "tool"):
            return None
        added, own = sequence(answers.get("parts")) or (), sequence(message.wire.get("parts")) or ()
        return {**message.wire, "parts": [*added, *own]}

    def problems(self, messages: Sequence[Message]) -> tuple[Problem, ...]:
        """See `Dialect.problems`."""
        return problems(messages)


GEMINI = Gemini()


def _with_text(part: dict[str, Any], read: Part, text: str) -> dict[str, Any]:
    if read.kind == "tool_call":
        key = key_in(part, CALL)
        # The signature stays: the provider asks for one on each call of the current turn.
        return {**part, key: {**part[key], "args": json.loads(text)}}
    if read.kind == "tool_result":
        key = key_in(part, RESPONSE)
        given = part[key].get("response")
        name = only_text(given) or ("error" if read.is_error else "output")
        return {**part, key: {**without(part[key], frozenset({"parts"})), "response": {name: text}}}
    # A signature does not outlive its text; what has no text of its own becomes a text part.
    return {**without(part, SIGNATURES), "text": text} if read.kind == "text" else {"text": text}


def _answer(call: Part, text: str | None) -> dict[str, object]:
    named = {"id": call.wire_id} if call.wire_id else {}
    response = {"error": NO_RESULT} if text is None else {"output": text}
    return {**named, "name": call.tool, "response": response}
