"""Notices: what stands in the place of what was purged, in a message that keeps its form."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, cast

from vademecum.archive.sqlite.upkeep.redaction import FORM, NOTICE, Redaction
from vademecum.core.dialect import Dialect
from vademecum.core.messages import Message, Part
from vademecum.wire.values import at, encoded


def notice(now: float) -> str:
    """What stands in a removed part's place."""
    return f"{NOTICE}{datetime.fromtimestamp(now, UTC):%Y-%m-%d}]"


def without(message: Message, numbers: Sequence[int], format: Dialect, now: float) -> bytes:
    """The bytes of a message with a notice in the place of some parts, which keep their kind, ids and number."""
    said = notice(now)
    texts = [message.parts[number].text for number in numbers]
    new: Any = message.wire
    for number in numbers:
        part = message.parts[number]
        if part.kind in ("text", "tool_result"):
            new = format.edited(format.load(new, 0), {number: said})
        elif part.kind == "tool_call":
            new = format.edited(format.load(new, 0), {number: json.dumps({"purged": said})})
        else:
            new = _replaced(new, part, message, format, said)
    # What an importer or a client put beside the parts may repeat them.
    kept = Redaction(texts).value(new)
    return encoded(kept)


def _replaced(wire: object, part: Part, message: Message, format: Dialect, said: str) -> Any:
    """The message with a text in the place of a part that is none: an image, reasoning, something opaque."""
    new: Any = copy.deepcopy(wire)
    value: Any = at(new, part.place)
    filled: Any = _blanked(value, said)
    if isinstance(value, dict) and "type" in value and part.kind != "opaque":
        template = format.said([said]) if message.role == "assistant" else format.user([said])
        content: Any = template.get("content", template.get("parts"))
        filled = {"type": "text", "text": said} if isinstance(content, str) else content[0]
    if not part.place:
        return filled
    holder: Any = at(new, part.place[:-1])
    holder[part.place[-1]] = filled
    return new


def _blanked(value: object, said: str) -> Any:
    if isinstance(value, str):
        return said
    if isinstance(value, dict):
        fields = cast("dict[str, object]", value)
        return {key: item if key in FORM else _blanked(item, said) for key, item in fields.items()}
    if isinstance(value, list):
        return [_blanked(item, said) for item in cast("list[object]", value)]
    return value
