"""Checks on a model's summary before it may stand for anything (C-17)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vademecum.core.languages import foreign
from vademecum.core.loops import repeats_itself
from vademecum.core.messages import Message
from vademecum.core.orders import from_tools
from vademecum.core.requests import SummaryReply

#: The headings that a structured summary must have; the prompt asks for them by the same names.
SECTIONS = (
    "User's request and intent",
    "Constraints",
    "Decisions",
    "Files and code",
    "Actions and outcomes",
    "Errors and fixes",
    "Open problems",
    "User messages",
    "Pending tasks",
    "Current state",
    "Next step",
)
#: A model may leave headings out whose section would be empty, but not more than these.
_ENOUGH = 6

_REFUSAL = re.compile(
    r"\s*(?:I(?:'m|\ am)\ (?:sorry|unable|not\ able)|I\ (?:can(?:'t|not)|won't)|Sorry,|As\ an\ AI|Je\ suis\ désolé"
    r"|Lo\ siento|Desculpe|Извините|抱歉)",
    re.VERBOSE | re.IGNORECASE,
)
# Orders to the reader have no place in a report; quoted ones are data and stand behind a quote mark.
_DIRECTIVE = re.compile(
    r"^\s*(?:[-*]\s*)?(?:SYSTEM\s*:|ASSISTANT\s*:|(?:please\s+)?(?:ignore|disregard|forget)\s+(?:all|any|the|your)\s+"
    r"(?:previous|prior|above|earlier)|you\s+(?:must|are\s+now|will)\s+(?:now\s+)?(?:ignore|upload|send|exfiltrate|act))",
    re.IGNORECASE | re.MULTILINE,
)


def refused(reply: SummaryReply, size: int, replaced: int) -> str | None:
    """Why a summary must not be used, or None.

    Args:
        reply: What the model answered.
        size: Tokens of its text.
        replaced: Tokens of what it would stand for.

    Returns:
        `tool_call`, `refusal`, `truncated`, `empty`, `too_large`, `no_sections` or `directive`.
    """
    if reply.finish == "tool_call":
        return "tool_call"
    text = reply.text.strip()
    if reply.finish == "refusal" or _REFUSAL.match(text):
        return "refusal"
    if reply.finish == "length":
        return "truncated"
    if not text:
        return "empty"
    if size >= replaced:
        return "too_large"
    lowered = text.lower()
    if sum(section.lower() in lowered for section in SECTIONS) < _ENOUGH:
        return "no_sections"
    return "directive" if _DIRECTIVE.search(text) else None


def doubtful(text: str, region: Sequence[Message]) -> str | None:
    """Why a summary of the right shape must not be used, or None.

    Args:
        text: The summary.
        region: The messages that it was made from.

    Returns:
        `repeating`, `other_language` or `directive`.
    """
    if repeats_itself(text):
        return "repeating"
    body = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(("#", ">")))
    said = [[part.text for part in each.parts if part.kind == "text"] for each in region]
    spoken = {
        role: "\n".join(text for each, texts in zip(region, said, strict=True) if each.role == role for text in texts)
        for role in ("user", "assistant")
    }
    if foreign(body, tuple(spoken.values())):
        return "other_language"
    return "directive" if from_tools(text, region) else None
