"""What makes an OpenAI chat row the same row, whatever a client did to its annotations."""

from __future__ import annotations

from vademecum.core.messages import Wire
from vademecum.wire.values import mapping, sequence, without

#: Keys that carry reasoning; the first that is there counts.
REASONING = ("reasoning_content", "reasoning", "reasoning_details")
#: Transport annotations of content parts: they come and go while the message stays the same.
_ANNOTATIONS = frozenset({"cache_control", "signature"})


def identity_form(row: Wire) -> object:
    """The row without annotations and times; a string and a single text part are the same."""
    content = row.get("content")
    items = sequence(content)
    if items is not None:
        parts = [without(fields, _ANNOTATIONS) if (fields := mapping(item)) is not None else item for item in items]
        content = _single_text(parts)
    calls = [
        {key: (mapping(call) or {}).get(key) for key in ("id", "function", "custom")}
        for call in sequence(row.get("tool_calls")) or ()
    ]
    form: dict[str, object] = {"role": row.get("role"), "content": content or None, "calls": calls}
    for key in ("tool_call_id", "function_call", "refusal", "audio", *REASONING):
        if row.get(key):
            form[key] = row[key]
    return form


def _single_text(parts: list[object]) -> object:
    if len(parts) == 1 and (only := mapping(parts[0])) is not None and set(only) == {"type", "text"}:
        return only["text"]
    return parts
