"""Foreign reasoning: what one model thought, sealed or signed for it alone, is not sent to another."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from vademecum.core.messages import Wire
from vademecum.wire.values import mapping, sequence

#: Keys of a message that hold reasoning, and those of a part.
_KEYS = ("reasoning", "reasoning_content", "reasoning_details", "thinking", "thoughtSignature")
_TYPES = frozenset({"thinking", "redacted_thinking", "reasoning"})
_LISTS = ("content", "parts")


def without(messages: Sequence[Wire], own: AbstractSet[str]) -> list[Wire]:
    """The messages without reasoning, save for that whose fingerprint is among one's own.

    Args:
        messages: The messages; none of them is changed.
        own: Fingerprints of what stays.
    """

    def foreign(part: object) -> bool:
        return fingerprint(part) not in own

    kept = (_stripped(message, foreign) for message in messages)
    return [message for message in kept if message is not None]


def fingerprints(messages: Iterable[Wire]) -> frozenset[str]:
    """The fingerprints of all reasoning in messages."""
    found: set[str] = set()

    def seen(part: object) -> bool:
        found.add(fingerprint(part))
        return False

    for message in messages:
        _stripped(message, seen)
    return frozenset(found)


def fingerprint(part: object) -> str:
    """What two equal pieces of reasoning have in common, and two others have not."""
    return hashlib.sha256(json.dumps(part, sort_keys=True, default=str).encode()).hexdigest()[:24]


def _stripped(message: Wire, foreign: Callable[[object], bool]) -> Wire | None:
    """A message without what is foreign: itself where there is none, None where nothing else is in it."""
    if message.get("type") == "reasoning":
        return None if foreign(message) else message
    changed = _bare(message, foreign)
    for key in _LISTS:
        parts = sequence(message.get(key))
        if parts is None:
            continue
        kept = [found for part in parts if (found := _part(part, foreign)) is not None]
        if not kept and parts:
            return None
        if len(kept) != len(parts) or any(new is not old for new, old in zip(kept, parts, strict=True)):
            changed = {**(changed or message), key: kept}
    return message if changed is None else changed


def _part(part: object, foreign: Callable[[object], bool]) -> object | None:
    fields = mapping(part)
    if fields is None:
        return part
    thinks = fields.get("type") in _TYPES or fields.get("thought") is True
    if thinks:
        return None if foreign(part) else part
    return _bare(fields, foreign) or part


def _bare(fields: Mapping[str, Any], foreign: Callable[[object], bool]) -> dict[str, Any] | None:
    """The fields without those that hold foreign reasoning; None where there are none."""
    if fields.get("type") in _TYPES:
        return None
    gone = {key for key in _KEYS if fields.get(key) and foreign({key: fields[key]})}
    return {key: value for key, value in fields.items() if key not in gone} if gone else None
