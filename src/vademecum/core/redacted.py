"""Messages without secrets: what may be written into the carry, the index, and the request for a summary."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from vademecum.core.dialect import Dialect
from vademecum.core.messages import Message, Part
from vademecum.core.requests import Summarize


class Redact(Protocol):
    """Takes the secrets out of a text; the same object when it has none."""

    def __call__(self, text: str) -> str:
        """Any text."""
        ...

    def json(self, text: str) -> str:
        """JSON, which stays JSON."""
        ...


def redacted_part(part: Part, redact: Redact) -> Part:
    """A part without secrets; the same object when it has none."""
    text = redact.json(part.text) if part.kind in ("tool_call", "opaque") else redact(part.text)
    media = tuple(replace(each, name=redact(each.name), where=redact(each.where)) for each in part.media)
    return part if text is part.text and media == part.media else replace(part, text=text, media=media)


def redacted_message(message: Message, redact: Redact) -> Message:
    """A message whose parts have no secrets; its wire object is the caller's still."""
    parts = tuple(redacted_part(part, redact) for part in message.parts)
    same = all(new is old for new, old in zip(parts, message.parts, strict=True))
    return message if same else replace(message, parts=parts)


def redacted_request(ask: Summarize, redact: Redact, dialect: Dialect) -> Summarize:
    """A request for a summary without secrets, in the wire objects of its messages either."""
    return replace(
        ask,
        messages=tuple(_for_author(message, redact, dialect) for message in ask.messages),
        earlier=redact(ask.earlier),
        focus=redact(ask.focus),
    )


def _for_author(message: Message, redact: Redact, dialect: Dialect) -> Message:
    bare = redacted_message(message, redact)
    if bare is message:
        return message
    texts = {
        number: new.text if new.kind in ("text", "tool_call", "tool_result") else None
        for number, (new, old) in enumerate(zip(bare.parts, message.parts, strict=True))
        if new is not old
    }
    # Of what has no text that could be changed nothing is sent anyway: reasoning, images, unknown parts.
    return replace(bare, wire=dialect.edited(message, texts) or {}, raw=b"")
