"""How many pages a PDF has, from its bytes: no parser, a look at what says so."""

from __future__ import annotations

import re
import zlib

_LINEARIZED = re.compile(rb"/Linearized\b[^>]{0,200}?/N\s+(\d{1,6})\b")
_TREE = re.compile(rb"/Type\s*/Pages\b")
_PAGE = re.compile(rb"/Type\s*/Page(?![A-Za-z])")
_COUNT = re.compile(rb"/Count\s+(\d{1,6})\b")
_STREAM = re.compile(rb"/ObjStm\b.{0,400}?stream\r?\n", re.DOTALL)
_BRACKET = re.compile(rb"<<|>>")
#: How far around a page tree's mark its dictionary is looked for, in bytes.
_AROUND = 4_096
#: Bytes of one packed stream, and of all of them, that are looked at.
_MOST_OF_ONE, _MOST_OF_ALL = 1 << 20, 8 << 20


def pages(data: bytes) -> int:
    """Pages of a PDF; 0 when it is none, or when it does not say."""
    if b"%PDF-" not in data[:1_024]:
        return 0
    first = _LINEARIZED.search(data, 0, 2_048)
    if first is not None:
        return int(first[1])
    return _said(data) or _said(_unpacked(data))


def _said(data: bytes) -> int:
    """The largest count of a page tree, else the number of pages that stand in the open."""
    counts = [int(found[1]) for tree in _TREE.finditer(data) if (found := _COUNT.search(_around(data, tree.start())))]
    return max(counts, default=0) or len(_PAGE.findall(data))


def _around(data: bytes, at: int) -> bytes:
    """The dictionary in which a place stands, what is nested in it left out."""
    start, depth = at, 0
    for bracket in reversed(list(_BRACKET.finditer(data, max(0, at - _AROUND), at))):
        depth += 1 if bracket[0] == b">>" else -1
        if depth < 0:
            start = bracket.end()
            break
    pieces: list[bytes] = []
    depth, since = 0, start
    for bracket in _BRACKET.finditer(data, start, at + _AROUND):
        if depth == 0:
            pieces.append(data[since : bracket.start()])
        depth += 1 if bracket[0] == b"<<" else -1
        since = bracket.end()
        if depth < 0:
            break
    return b" ".join(pieces)


def _unpacked(data: bytes) -> bytes:
    """What is in the packed object streams, as far as they can be read."""
    found: list[bytes] = []
    left = _MOST_OF_ALL
    for stream in _STREAM.finditer(data):
        if left <= 0:
            break
        try:
            piece = zlib.decompressobj().decompress(data[stream.end() :], min(left, _MOST_OF_ONE))
        except zlib.error:
            continue
        found.append(piece)
        left -= len(piece)
    return b"\n".join(found)
