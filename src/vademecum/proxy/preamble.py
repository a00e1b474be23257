"""The preamble of a stream: events that come before anything of the reply's own."""

from __future__ import annotations

from vademecum.wire.values import mapping, sequence

#: Types of events that only say that a reply begins, or that there is none yet.
_TYPES = frozenset(
    {"message_start", "ping", "response.created", "response.in_progress", "response.queued", "keepalive"}
)
#: What is not the reply's own where it stands in the delta of a chunk.
_SETTING = frozenset({"role"})


def says_nothing(event: object) -> bool:
    """Whether an event of a stream has nothing of the reply in it, in any of the formats.

    Args:
        event: Its data.
    """
    fields = mapping(event)
    if fields is None:
        return False
    if fields.get("type") in _TYPES:
        return True
    choices = sequence(fields.get("choices"))
    if choices is not None:
        return all(_empty(mapping(choice) or {}) for choice in choices) and not fields.get("usage")
    message = mapping(fields.get("message"))
    if message is not None and fields.get("done") is False:
        return not any(value for key, value in message.items() if key not in _SETTING)
    return False


def _empty(choice: object) -> bool:
    fields = mapping(choice) or {}
    delta = mapping(fields.get("delta"))
    if delta is None or fields.get("finish_reason"):
        return False
    return not any(value for key, value in delta.items() if key not in _SETTING)
