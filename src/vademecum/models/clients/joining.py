"""One answer of several: a reply that was cut off, with what continued it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from vademecum.models.clients.answer import Answer
from vademecum.wire.usage import Usage
from vademecum.wire.values import mapping, sequence

#: Format → the key of the list of a message's parts; the others have their text as a string.
_LISTS = {"anthropic": "content", "gemini": "parts"}
_THOUGHTS = frozenset({"thinking", "redacted_thinking", "reasoning"})


def joined(format: str, answers: Sequence[Answer]) -> Answer:
    """The answer that they are together: one text, and the calls of the last.

    What was thought before the first cut stays; of the continuations only what was said is kept.

    Args:
        format: The wire format.
        answers: At least one, in order.
    """
    if len(answers) == 1:
        return answers[0]
    last = answers[-1]
    text = "".join(answer.text for answer in answers)
    if format == "openai-responses":
        messages = _with_items(answers, text)
    elif format in _LISTS:
        messages = [_with_parts(_LISTS[format], answers, text)]
    else:
        calls = {key: value for message in last.messages for key, value in message.items() if key == "tool_calls"}
        messages = [{**answers[0].messages[0], "content": text, **calls}]
    return replace(last, text=text, messages=tuple(messages), usage=_usage(answers))


def _with_parts(key: str, answers: Sequence[Answer], text: str) -> dict[str, Any]:
    """The first message, its text being that of all, with what else the last one has."""
    first, last = answers[0].messages[0], answers[-1].messages
    before = [part for part in sequence(first.get(key)) or () if not _is_text(part)]
    said = [part for part in sequence(first.get(key)) or () if _is_text(part)]
    after = [
        part
        for message in last
        for part in sequence(message.get(key)) or ()
        if not _is_text(part) and not _thinks(part)
    ]
    told: dict[str, Any] = {**(mapping(said[-1]) or {}), "text": text} if said else {"type": "text", "text": text}
    return {**first, key: [*before, told, *after]}


def _with_items(answers: Sequence[Answer], text: str) -> list[dict[str, Any]]:
    """The first answer's items, its text being that of all, with the calls of the others."""
    first, *rest = answers
    items: list[dict[str, Any]] = []
    for item in first.messages:
        parts = sequence(item.get("content")) or ()
        if item.get("type") == "message" and parts:
            told = {**(mapping(parts[0]) or {}), "text": text}
            items.append({**item, "content": [told], "status": "completed"})
        else:
            items.append(item)
    calls = (item for each in rest for item in each.messages if item.get("type") not in ("message", "reasoning"))
    return [*items, *calls]


def _is_text(part: object) -> bool:
    fields = mapping(part) or {}
    return isinstance(fields.get("text"), str) and not _thinks(part)


def _thinks(part: object) -> bool:
    fields = mapping(part) or {}
    return fields.get("type") in _THOUGHTS or fields.get("thought") is True


def _usage(answers: Sequence[Answer]) -> Usage | None:
    """What the first one read, and what all of them wrote."""
    first = answers[0].usage
    if first is None:
        return None
    more = [answer.usage for answer in answers[1:] if answer.usage is not None]
    return replace(
        first,
        output_tokens=first.output_tokens + sum(usage.output_tokens for usage in more),
        reasoning_tokens=first.reasoning_tokens + sum(usage.reasoning_tokens for usage in more),
    )
