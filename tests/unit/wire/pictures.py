"""Self-made pictures, documents and sounds: only what their first bytes have to say."""

import base64
import struct
import zlib


def png(width: int, height: int, filler: int = 40) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + header + bytes(range(filler))


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + bytes(8)


def bmp(width: int, height: int) -> bytes:
    return b"BM" + bytes(16) + struct.pack("<ii", width, -height) + bytes(8)


def jpeg(width: int, height: int, thumbnail: int = 0) -> bytes:
    segment = b"\xff\xe1" + struct.pack(">H", 2 + thumbnail) + bytes(thumbnail)
    frame = b"\xff\xc0" + struct.pack(">HBHHB", 17, 8, height, width, 3) + bytes(20)
    return b"\xff\xd8" + segment + frame


def webp(width: int, height: int, kind: bytes) -> bytes:
    match kind:
        case b"VP8X":
            body = bytes(4) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
        case b"VP8L":
            body = b"\x2f" + ((width - 1) | (height - 1) << 14).to_bytes(4, "little") + bytes(8)
        case _:
            body = b"\x00\x00\x00\x9d\x01\x2a" + struct.pack("<HH", width, height) + bytes(4)
    return b"RIFF" + struct.pack("<I", len(body) + 12) + b"WEBP" + kind + struct.pack("<I", len(body)) + body


def pdf(pages: int, *, packed: bool = False, linearized: bool = False, counted: bool = True) -> bytes:
    """A PDF's objects as far as pages go; `packed` puts them into a compressed object stream."""
    first = f"1 0 obj <</Linearized 1/L 999/N {pages}/O 3>> endobj\n" if linearized else ""
    outlines = "5 0 obj <</Type/Outlines/Count 900>> endobj\n"
    count = f"/Count {pages}" if counted else ""
    tree = f"2 0 obj <</Type /Pages /Resources <</Font <</F1 7 0 R>>>> /Kids[3 0 R] {count}>> endobj\n"
    leaves = "".join(f"{10 + n} 0 obj <</Type/Page/Parent 2 0 R>> endobj\n" for n in range(pages))
    body = (outlines + tree + leaves).encode()
    if packed:
        data = zlib.compress(body)
        body = b"9 0 obj <</Type/ObjStm/N 3/Filter/FlateDecode>>\nstream\n" + data + b"\nendstream endobj\n"
    return b"%PDF-1.7\n" + first.encode() + body + b"%%EOF\n"


def wav(seconds: int) -> bytes:
    rate = 8_000
    head = (
        b"RIFF"
        + struct.pack("<I", rate * seconds + 36)
        + b"WAVEfmt "
        + struct.pack("<IHHIIHH", 16, 1, 1, rate, rate, 1, 8)
    )
    return head + b"data" + struct.pack("<I", rate * seconds) + bytes(rate * seconds)


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def data_url(data: bytes, mime: str = "image/png") -> str:
    return f"data:{mime};base64,{b64(data)}"
