"""Contents as Gemini has them: parts with text, thoughts, function calls and their responses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vademecum.sessions.blocks import Said, text
from vademecum.sessions.rounds import call, image
from vademecum.wire.values import dumped, mapping, sequence, string


@dataclass
class Parts(Said):
    """A content taken apart, with the results that it brings: call id, tool, content, whether it failed."""

    results: list[tuple[str, str, str, bool]] = field(default_factory=list[tuple[str, str, str, bool]])


def taken_apart(content: object, id: str) -> Parts:
    """Takes a content apart.

    Args:
        content: A text, a part, or a list of parts.
        id: What the ids of calls begin with that have none.
    """
    found = Parts()
    items = sequence(content) or ([content] if isinstance(content, str) or mapping(content) is not None else ())
    for number, item in enumerate(items):
        if isinstance(item, str):
            if item:
                found.parts.append(text(item))
            continue
        fields = mapping(item) or {}
        if (made := mapping(fields.get("functionCall"))) is not None:
            name = string(made.get("name"))
            found.calls.append(call(string(made.get("id")) or f"call_{id}_{number}", name, made.get("args")))
        elif (answer := mapping(fields.get("functionResponse"))) is not None:
            found.results.append(response(answer))
        elif isinstance(said := fields.get("text"), str):
            if fields.get("thought"):
                found.thoughts.append(said)
            elif said:
                found.parts.append(text(said))
        elif (data := mapping(fields.get("inlineData"))) is not None:
            found.parts.append(image(f"data:{string(data.get('mimeType'))};base64,{string(data.get('data'))}"))
        elif item is not None:
            found.parts.append(item)
    return found


def response(answer: Mapping[str, Any]) -> tuple[str, str, str, bool]:
    """A function's response: call id, tool, content, whether it failed."""
    held = answer.get("response")
    fields = mapping(held) or {}
    failed = "error" in fields and "output" not in fields
    one = fields.get("output", fields.get("error")) if len(fields) == 1 else held
    content = one if isinstance(one, str) else dumped(one)
    return string(answer.get("id")), string(answer.get("name")), content, failed
