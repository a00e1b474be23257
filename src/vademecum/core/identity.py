"""Identity of messages: a chain of hashes, and the short ids that stand in a context.

A node's id is the hash of its parent's id and the message's identity form, so equal transcripts have
equal ids wherever they are, and a branch has other ids from its fork on.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence

from vademecum.core.messages import Message
from vademecum.errors import WireError

#: The parent of every first message.
ROOT = hashlib.sha256(b"vademecum:root:1").digest()

#: Ten bits as two digits of base32.
_PAIRS = [one + two for one in "abcdefghijklmnopqrstuvwxyz234567" for two in "abcdefghijklmnopqrstuvwxyz234567"]
_PART_ID = re.compile(r"t_([a-z2-7]{10})(?:\.([1-9]\d{0,5}))?")


def canonical(value: object) -> bytes:
    """Serialises a JSON value with sorted keys; equal values give equal bytes.

    ASCII escapes keep lone surrogates, and integers of any length stay exact.
    """
    try:
        text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=str)
    except RecursionError:
        raise WireError(-1, "have a value that is nested too deeply for JSON") from None
    return text.encode("ascii")


def identity(form: object) -> bytes:
    """SHA-256 of an identity form (32 bytes)."""
    return hashlib.sha256(canonical(form)).digest()


def node(parent: bytes, message: bytes) -> bytes:
    """The id of a node (32 bytes) from its parent's id and its message's identity."""
    return hashlib.sha256(parent + message).digest()


def chain(messages: Iterable[Message], parent: bytes = ROOT) -> tuple[bytes, ...]:
    """The node ids of consecutive messages below `parent`."""
    ids: list[bytes] = []
    for message in messages:
        parent = node(parent, message.identity)
        ids.append(parent)
    return tuple(ids)


def short(node_id: bytes) -> str:
    """The id that a context names: `t_` and 50 bits of the node's hash in base32."""
    bits = int.from_bytes(node_id[:7]) >> 6
    return "t_" + "".join([_PAIRS[bits >> shift & 1_023] for shift in (40, 30, 20, 10, 0)])


def part_id(node_id: bytes, part: int, count: int) -> str:
    """The id of a message's part; `.k` counts from 1 and stands only where there are several."""
    return short(node_id) if count == 1 else f"{short(node_id)}.{part + 1}"


def parse_part_id(text: str) -> tuple[str, int | None] | None:
    """Splits an id into the message's short id and the part's index from 0, or None if it is no id."""
    found = _PART_ID.fullmatch(text.strip())
    if found is None:
        return None
    index = None if found[2] is None else int(found[2]) - 1
    return "t_" + found[1], index


def common_prefix(left: Sequence[bytes], right: Sequence[bytes]) -> int:
    """How many leading node ids two chains share; chains make this a binary search."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[middle - 1] == right[middle - 1]:
            low = middle
        else:
            high = middle - 1
    return low
