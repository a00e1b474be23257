"""OpenAI responses: the items of `input`, each a message of its own; calls and outputs are paired by `call_id`."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from vademecum.core.dialect import Problem
from vademecum.core.edits import NO_RESULT
from vademecum.core.identity import identity
from vademecum.core.messages import Message, Part, Wire
from vademecum.core.text import clean
from vademecum.errors import WireError
from vademecum.wire.responses_identity import identity_form
from vademecum.wire.responses_items import CALLS, FREE, ROLES, TEXTS, parts_of, role_of
from vademecum.wire.responses_problems import problems
from vademecum.wire.values import mapping, sequence, string, without

#: The smallest PNG there is: what stands for a screenshot, where only an image may stand.
_ONE_PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAA"
    "AABJRU5ErkJggg=="
)


@dataclass(frozen=True, slots=True)
class OpenAIResponses:
    """The adapter for items of the OpenAI responses format."""

    name: str = "openai-responses"
    limit_key: str = "max_output_tokens"

    def load(self, wire: object, index: int, *, raw: bytes = b"", harness: bool = False) -> Message:
        """See `Dialect.load`. A string, which `input` may be, is the user's only message."""
        item = {"role": "user", "content": wire} if isinstance(wire, str) else mapping(wire)
        if item is None:
            raise WireError(index, f"is {type(wire).__name__}, not an object")
        role = role_of(item)
        if role is None:
            raise WireError(index, f"has role {item.get('role')!r}", hint=f"roles are {', '.join(ROLES)}")
        content = item.get("content")
        if item.get("type") in (None, "message") and not isinstance(content, str | list | tuple | None):
            raise WireError(index, f"has content of type {type(content).__name__}", hint="it is a string or a list")
        parts = parts_of(item, role, harness=harness)
        return Message(role=role, parts=parts, wire=item, identity=identity(identity_form(item)), raw=raw)

    def user(self, texts: Sequence[str]) -> Wire:
        """See `Dialect.user`."""
        content = texts[0] if len(texts) == 1 else [_text(text, "user") for text in texts]
        return {"type": "message", "role": "user", "content": content}

    def said(self, texts: Sequence[str]) -> Wire:
        """See `Dialect.said`."""
        return {"type": "message", "role": "assistant", "content": [_text(text, "assistant") for text in texts]}

    def freed(self, message: Message) -> Wire:
        """See `Dialect.freed`: under its id the provider asks for the reasoning that it came with."""
        kind = string(message.wire.get("type"))
        if "id" not in message.wire or (kind != "message" and kind not in FREE):
            return message.wire
        return without(message.wire, frozenset({"id", "status"}))

    def prepended(self, texts: Sequence[str], message: Message) -> Wire:
        """See `Dialect.prepended`."""
        own = message.wire.get("content")
        rest = [_text(own, "user")] if isinstance(own, str) and own else list(sequence(own) or ())
        return {**message.wire, "content": [*(_text(text, "user") for text in texts), *rest]}

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
        return tuple(_answer(call, NO_RESULT if text is None else text) for call in calls)

    def joined_answers(self, answers: Wire, message: Message) -> Wire | None:  # noqa: ARG002
        """See `Dialect.joined_answers`: results are items of their own here."""
        return None

    def problems(self, messages: Sequence[Message]) -> tuple[Problem, ...]:
        """See `Dialect.problems`."""
        return problems(messages)


OPENAI_RESPONSES = OpenAIResponses()


def _text(text: str, role: object) -> dict[str, object]:
    if role == "assistant":
        return {"type": "output_text", "text": text, "annotations": []}
    return {"type": "input_text", "text": text}


def _answer(call: Part, text: str) -> Wire:
    """The item that answers a call; which kind it is of shows in the key of its arguments and its tool."""
    if call.place == ("arguments",):
        return _with_output({"type": "mcp_approval_response", "approval_request_id": call.call_id}, text)
    own = "custom_tool_call" if call.place == ("input",) else "function_call"
    kinds = (name for name, kind in CALLS.items() if call.place == (kind.arguments,) and call.tool == kind.tool)
    return _with_output({"type": CALLS[next(kinds, own)].answer, "call_id": call.call_id}, text)


def _with_output(item: dict[str, Any], text: str) -> dict[str, Any]:
    """An answering item with another output, in the shape that its kind has."""
    match item["type"]:
        case "shell_call_output":
            before = mapping((sequence(item.get("output")) or ({},))[0]) or {}
            outcome = before.get("outcome") or {"type": "exit", "exit_code": 0}
            return {**item, "output": [{"stdout": text, "stderr": "", "outcome": outcome}]}
        case "apply_patch_call_output":
            return {**item, "status": item.get("status", "completed"), "output": text}
        case "computer_call_output":
            # Nothing but an image may stand here.
            return {**item, "output": {"type": "computer_screenshot", "image_url": _ONE_PIXEL}}
        case "mcp_approval_response":
            return {**item, "approve": item.get("approve", False), "reason": text}
        case "mcp_call" if item.get("error") and not item.get("output"):
            return {**item, "error": text}
        case _:
            return {**item, "output": text}


def _edit(item: dict[str, Any], part: Part, text: str | None) -> None:
    kind = string(item.get("type"))
    if part.kind == "tool_call":
        key = CALLS[kind].arguments if kind in CALLS else "arguments"
        item[key] = text if isinstance(item.get(key), str) or text is None else _shaped(item.get(key), text)
    elif part.kind == "tool_result" or kind == "computer_call_output":
        item.update(_with_output(item, text or ""))
    elif not part.place:
        # An image that the provider made has no text of its own: a message of the model stands in its place.
        item.clear()
        item.update({"type": "message", "role": "assistant", "content": [_text(text or "", "assistant")]})
    else:
        _edit_content(item, part, text)


def _edit_content(item: dict[str, Any], part: Part, text: str | None) -> None:
    if part.place == ("content",):
        item["content"] = text
        return
    number = int(part.place[1])
    content = item["content"]
    if text is None:
        del content[number]
    elif isinstance(content[number], str):
        content[number] = text
    elif part.place[-1] == "refusal":
        content[number] = {**content[number], "refusal": text}
    elif part.kind == "text" and string(content[number].get("type")) in TEXTS:
        # Annotations and probabilities point into a text that is not there any more.
        emptied: dict[str, object] = {key: [] for key in ("annotations", "logprobs") if key in content[number]}
        content[number] = {**content[number], "text": text, **emptied}
    else:
        # What has no text of its own becomes a text part in its place.
        content[number] = _text(text, item.get("role"))


def _shaped(value: object, text: str) -> object:
    """Arguments that are an object, with shorter strings; where only a text is left, it replaces the longest one."""
    new: object = json.loads(text)
    cut = (mapping(new) or {}).get("cut")
    old = mapping(value) or {}
    if not isinstance(cut, str) or "cut" in old or not old:
        return new
    sizes = {key: len(json.dumps(item)) for key, item in old.items()}
    longest = max(sizes, key=lambda key: sizes[key])
    return {**old, longest: [clean(cut)] if isinstance(old[longest], list) else clean(cut)}
