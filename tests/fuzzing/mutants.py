"""Changed copies of inputs, the same for the same seed: bytes, tokens, values and stretches of others."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

_TOKENS = (
    b"null", b"true", b"[]", b"{}", b'""', b"-1", b"1e999", b"-0.0", b"123456789012345678901234567890", b"NaN",
    b'"\\ud83d"', b'"\\u0000"', b"\xff\xfe", b"\xf0\x9f\x98", b"[" * 60, b"]" * 9, b"{" * 40, b'"type"', b'"role"',
    b'"content"', b'"tool_use"', b"\n", b"\r\n", b"\x00", b",", b":", b"#", b"=", b"'''", b"\\", b"/*", b"//",
)  # fmt: skip
_VALUES: tuple[Any, ...] = (None, True, 0, -1, 1.5, 10**30, "", "x", "\x00", "\ud83d", [], {}, [[]], [None], {"": 0})


def mutated(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """A copy with one to four changes."""
    if chance.random() < 0.4:
        found = _revalued(data, chance)
        if found is not None:
            data = found
    out = bytearray(data)
    for _ in range(chance.randint(1, 4) if chance.random() < 0.8 else 0):
        _change(out, others, chance)
    return bytes(out[: 1 << 18])


def _change(out: bytearray, others: Sequence[bytes], chance: random.Random) -> None:
    at = chance.randint(0, len(out))
    match chance.randrange(7):
        case 0:
            out[at:at] = chance.choice(_TOKENS)
        case 1:
            del out[at : at + chance.choice((1, 2, 9, 60, 500))]
        case 2 if out:
            out[min(at, len(out) - 1)] ^= 1 << chance.randrange(8)
        case 3:
            stop = at + chance.randint(1, 80)
            out[at:at] = out[at:stop] * chance.choice((1, 2, 30))
        case 4:
            other = chance.choice(others)
            start = chance.randint(0, len(other))
            out[at:at] = other[start : start + chance.randint(1, 200)]
        case 5:
            out[at : at + 8] = chance.choice(_TOKENS)
        case _:
            del out[at:]


def _revalued(data: bytes, chance: random.Random) -> bytes | None:
    """JSON, or a line of it, with one value of another type."""
    lines = data.split(b"\n")
    number = chance.randrange(len(lines)) if len(lines) > 1 else 0
    try:
        value: Any = json.loads(lines[number] if len(lines) > 1 else data)
    except (ValueError, RecursionError):
        return None
    places = list(_places(value))
    if not places:
        return None
    inside, key = chance.choice(places)
    inside[key] = chance.choice(_VALUES)
    if len(lines) == 1:
        return json.dumps(value).encode()
    lines[number] = json.dumps(value).encode()
    return b"\n".join(lines)


def _places(value: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    items = list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ())
    for key, inner in items:
        found += [(value, key), *_places(inner)]
    return found
