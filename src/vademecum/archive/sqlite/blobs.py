"""Packing messages: large strings are stored once, by their content, and everything is compressed.

A message's JSON text is cut at its large string literals, so that joining the pieces gives its bytes back
exactly, whatever its spelling was.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Callable
from typing import Any

from vademecum.errors import ArchiveCorrupt

#: String literals from this many bytes on are stored by their content.
LARGE = 4_096
#: How a string is marked of which only a stand-in was left, because the archive had outgrown its cap.
EVICTED = 2
_SMALL = 256
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_HASH = 32


def pack(data: bytes) -> tuple[int, bytes]:
    """Compresses where it pays; the number says how (0 as it is, 1 zlib)."""
    if len(data) >= _SMALL:
        packed = zlib.compress(data, 1)
        if len(packed) < len(data):
            return 1, packed
    return 0, data


def unpack(how: int, data: bytes) -> bytes:
    """The data that was packed.

    Raises:
        ArchiveCorrupt: It is damaged.
    """
    try:
        return zlib.decompress(data) if how == 1 else data
    except (zlib.error, TypeError) as error:
        raise damaged(error) from error


def value_of(text: str | bytes) -> Any:
    """What JSON of the archive says.

    Raises:
        ArchiveCorrupt: It is damaged.
    """
    try:
        return json.loads(text)
    except (ValueError, TypeError) as error:
        raise damaged(error) from error


def damaged(error: Exception) -> ArchiveCorrupt:
    """The error for a row that cannot have been written so."""
    return ArchiveCorrupt(
        f"a row of the archive is damaged: {error}", hint="`vademecum db verify` says what; restore it from a backup"
    )


def split(raw: bytes) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    """Takes the large strings out of a JSON text.

    Returns:
        The skeleton, in which NUL and a hash stand for each of them, and the (hash, string) pairs. A
        text that has a NUL of its own is not JSON; a hash stands for all of it.
    """
    if b"\0" in raw:
        digest = hashlib.sha256(raw).digest()
        return b"\0" + digest, [(digest, raw)]
    if len(raw) < LARGE:
        return raw, []
    pieces: list[bytes] = []
    large: list[tuple[bytes, bytes]] = []
    done = 0
    for found in _STRING.finditer(raw):
        if found.end() - found.start() < LARGE:
            continue
        literal = found.group()
        digest = hashlib.sha256(literal).digest()
        large.append((digest, literal))
        pieces += [raw[done : found.start()], b"\0", digest]
        done = found.end()
    pieces.append(raw[done:])
    return (b"".join(pieces), large) if large else (raw, [])


def join(skeleton: bytes, find: Callable[[bytes], bytes]) -> bytes:
    """The JSON text of a skeleton; `find` gives a string by its hash."""
    at = skeleton.find(b"\0")
    if at < 0:
        return skeleton
    pieces: list[bytes] = []
    done = 0
    while at >= 0:
        digest = skeleton[at + 1 : at + 1 + _HASH]
        pieces += [skeleton[done:at], find(digest)]
        done = at + 1 + _HASH
        at = skeleton.find(b"\0", done)
    pieces.append(skeleton[done:])
    return b"".join(pieces)


def digests(skeleton: bytes) -> list[bytes]:
    """The hashes of the large strings that a skeleton stands on, in order."""
    found: list[bytes] = []
    at = skeleton.find(b"\0")
    while at >= 0:
        found.append(skeleton[at + 1 : at + 1 + _HASH])
        at = skeleton.find(b"\0", at + 1 + _HASH)
    return found
