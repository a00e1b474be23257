"""State held upstream: what a provider keeps or shortens itself is passed on, and not compacted here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vademecum.core.messages import Message

#: Fields that name a conversation's beginning, which the provider has: the request holds only what is new.
_BEGINNINGS = {
    "openai-responses": ("previous_response_id", "conversation"),
    "gemini": ("cachedContent", "cached_content"),
}
#: Fields that tell the provider to shorten the context by itself. Anthropic's edits leave the transcript alone.
_MANAGED = {"openai-responses": "context_management"}
#: Items that stand for a history that only the provider can read.
_COMPACTIONS = frozenset({"compaction", "compaction_summary", "context_compaction"})
#: All of these fields.
UPSTREAM_STATE = (*(key for keys in _BEGINNINGS.values() for key in keys), *_MANAGED.values())


def continues_upstream(format: str, outside: Mapping[str, Any]) -> bool:
    """Whether the beginning of a request's transcript is with the provider."""
    return any(outside.get(key) for key in _BEGINNINGS.get(format, ()))


def manages(format: str, outside: Mapping[str, Any], messages: Sequence[Message]) -> bool:
    """Whether the provider shortens the context of a request itself, or has done so."""
    key = _MANAGED.get(format)
    if key is None:
        return False
    return bool(outside.get(key)) or any(message.wire.get("type") in _COMPACTIONS for message in messages)
