"""Content encodings: reading bodies and replies that are compressed, without ever expanding a bomb."""

from __future__ import annotations

import zlib

#: What a compressed request may expand to.
MOST_EXPANDED = 64 << 20
#: Encodings that can be read here; a client is offered no other for a reply that is to be read.
READABLE = ("gzip", "deflate", "identity")


def decoded(body: bytes, encoding: str) -> bytes:
    """A request's body as text; empty when it cannot be read."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return body
    reader = decoder(name)
    if reader is None:
        return b""
    try:
        data = reader.decompress(body, MOST_EXPANDED)
    except zlib.error:
        return b""
    return data if reader.eof and not reader.unused_data else b""


def decoder(encoding: str) -> zlib._Decompress | None:  # pyright: ignore[reportPrivateUsage]  # the type has no other name
    """What expands an encoding piece by piece; None for one that is not known here."""
    match encoding.strip().lower():
        case "gzip" | "x-gzip":
            return zlib.decompressobj(16 + zlib.MAX_WBITS)
        case "deflate":
            return zlib.decompressobj()
        case _:
            return None


def readable(accepted: str) -> str:
    """The encodings that a client accepts and that can be read here, as it wrote them; else `identity`."""
    kept = [item.strip() for item in accepted.split(",") if item.split(";")[0].strip().lower() in READABLE]
    return ", ".join(kept) or "identity"
