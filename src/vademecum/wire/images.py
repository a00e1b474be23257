"""The size of an image from its first bytes, without decoding it."""

from __future__ import annotations

import base64
import binascii
import re

_DATA_URL = re.compile(r"data:image/[\w.+-]+;base64,", re.IGNORECASE)
#: Enough for the headers of every format below; JPEG's frame header comes within its first kilobytes.
_HEAD_CHARS = 16_384


def data_url_pixels(url: str) -> int:
    """Width × height of an image in a data URL; 0 when it is elsewhere or unknown."""
    found = _DATA_URL.match(url)
    return base64_pixels(url[found.end() : found.end() + _HEAD_CHARS]) if found else 0


def base64_pixels(text: str) -> int:
    """Width × height of a PNG, GIF, JPEG or WebP image in base64; 0 when unknown."""
    clipped = text[:_HEAD_CHARS]
    try:
        head = base64.b64decode(clipped[: len(clipped) // 4 * 4], validate=False)
    except (binascii.Error, ValueError):
        return 0
    return _pixels(head)


def _pixels(head: bytes) -> int:
    if head.startswith(b"\x89PNG\r\n\x1a\n") and len(head) >= 24:
        return int.from_bytes(head[16:20], "big") * int.from_bytes(head[20:24], "big")
    if head.startswith((b"GIF87a", b"GIF89a")) and len(head) >= 10:
        return int.from_bytes(head[6:8], "little") * int.from_bytes(head[8:10], "little")
    if head.startswith(b"RIFF") and head[8:16] == b"WEBPVP8X" and len(head) >= 30:
        return (int.from_bytes(head[24:27], "little") + 1) * (int.from_bytes(head[27:30], "little") + 1)
    return _jpeg_pixels(head) if head.startswith(b"\xff\xd8") else 0


def _jpeg_pixels(head: bytes) -> int:
    at = 2
    while at + 9 < len(head) and head[at] == 0xFF:
        marker, length = head[at + 1], int.from_bytes(head[at + 2 : at + 4], "big")
        # Start-of-frame markers carry the size; C4, C8 and CC are tables that share their range.
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(head[at + 5 : at + 7], "big") * int.from_bytes(head[at + 7 : at + 9], "big")
        at += 2 + length
    return 0
