"""Streams: errors that arrive after a status of 200, in the events of every wire format (M-5)."""

from __future__ import annotations

import json
from collections.abc import Iterable

from vademecum.models.errors.classifier import classify
from vademecum.models.errors.table import Table
from vademecum.models.errors.truncation import cut_or_ended, ending
from vademecum.models.errors.verdict import Verdict
from vademecum.wire.usage import Usage, fuller
from vademecum.wire.values import mapping, sequence

#: Types of events that say that something went wrong: Anthropic's and the OpenAI responses API's.
_FAILED = frozenset({"error", "response.failed", "exception"})
#: The row of a verdict on a stream that never says that it is over.
WITHOUT_END = "a stream without an end"


def event_of(line: bytes | str) -> object | None:
    """What a line of a stream holds, of server-sent events or of lines of JSON; None when it is no data."""
    bare = (line.decode("utf-8", "replace") if isinstance(line, bytes) else line).strip()
    if bare.startswith("data:"):
        bare = bare.removeprefix("data:").strip()
    if bare[:1] not in ("{", "[", '"'):
        return None
    try:
        return json.loads(bare)
    except (ValueError, RecursionError):
        return None


def failure(event: object, table: Table | None = None) -> Verdict | None:
    """What an event says that went wrong; None for one that belongs to a reply.

    Args:
        event: The event's data: JSON data of any of the five wire formats, or of a gateway's.
        table: The wordings; None for the packaged ones.
    """
    for item in sequence(event) or (event,):
        fields = mapping(item)
        if fields is None:
            continue
        named = fields.get("error") or fields.get("type") in _FAILED
        if named or any(str(name).endswith("Exception") for name in fields):
            return classify(item, status=200, table=table) or Verdict("unavailable", row="an error that says nothing")
    return None


def verdict_of(
    events: Iterable[object],
    *,
    expected_input: int | None = None,
    window: int | None = None,
    table: Table | None = None,
) -> Verdict | None:
    """What went wrong in a stream; None where its reply is whole.

    Args:
        events: The events' data, to the stream's end.
        expected_input: Tokens that the input is thought to have, which shows a prompt that was cut silently.
        window: The window, which tells a reply that ended at it from one that ended at its own limit.
        table: The wordings; None for the packaged ones.
    """
    usage: Usage | None = None
    reason: str | None = None
    last: object = None
    for event in events:
        if (found := failure(event, table)) is not None:
            return found
        last = event
        for item in sequence(event) or (event,):
            usage = fuller(usage, item)
            reason = ending(mapping(item) or {}) or reason
    if reason is None:
        return Verdict("unavailable", certain=False, row=WITHOUT_END)
    return cut_or_ended(
        {"stop_reason": reason, **_as_reply(usage, last)}, expected_input=expected_input, window=window
    )


def _as_reply(usage: Usage | None, last: object) -> dict[str, object]:
    """A stream's usage as a whole reply would report it."""
    if usage is None:
        return {}
    if "prompt_eval_count" in (mapping(last) or {}):
        return {"prompt_eval_count": usage.prompt_tokens, "eval_count": usage.output_tokens}
    return {"usage": {"prompt_tokens": usage.prompt_tokens, "completion_tokens": usage.output_tokens}}
