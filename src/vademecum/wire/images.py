"""The kind and size of an image from its first bytes, without decoding it."""

from __future__ import annotations

#: Format, width and height; zeros and an empty name when unknown.
Looks = tuple[str, int, int]


def looks(head: bytes) -> Looks:
    """What the first bytes of an image tell: PNG, GIF, JPEG, WebP or BMP."""
    if head.startswith(b"\x89PNG\r\n\x1a\n") and len(head) >= 24:
        return "PNG", int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
    if head.startswith((b"GIF87a", b"GIF89a")) and len(head) >= 10:
        return "GIF", int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little")
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return ("WebP", *_webp(head))
    if head.startswith(b"BM") and len(head) >= 26:
        return "BMP", int.from_bytes(head[18:22], "little"), abs(int.from_bytes(head[22:26], "little", signed=True))
    return ("JPEG", *_jpeg(head)) if head.startswith(b"\xff\xd8") else ("", 0, 0)


def _webp(head: bytes) -> tuple[int, int]:
    if len(head) < 30:
        return 0, 0
    match head[12:16]:
        case b"VP8X":
            return int.from_bytes(head[24:27], "little") + 1, int.from_bytes(head[27:30], "little") + 1
        case b"VP8L":
            bits = int.from_bytes(head[21:25], "little")
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            return int.from_bytes(head[26:28], "little") & 0x3FFF, int.from_bytes(head[28:30], "little") & 0x3FFF
        case _:
            return 0, 0


def _jpeg(head: bytes) -> tuple[int, int]:
    at = 2
    while at + 9 < len(head) and head[at] == 0xFF:
        marker, length = head[at + 1], int.from_bytes(head[at + 2 : at + 4], "big")
        # Start-of-frame markers carry the size; C4, C8 and CC are tables that share their range.
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(head[at + 7 : at + 9], "big"), int.from_bytes(head[at + 5 : at + 7], "big")
        at += 2 + length
    return 0, 0
