"""Compressed data: what they may expand to, so that no bomb fills memory or disk."""

from __future__ import annotations

import gzip
import io
import zlib

from vademecum.errors import WireError

#: They may expand to so many bytes, or so many times their size: transcripts shrink to a tenth or so.
_LEAST, _TIMES = 256 << 20, 100


def most_unzipped(size: int) -> int:
    """Bytes that so many compressed ones may expand to."""
    return max(_LEAST, _TIMES * size)


def unzipped(data: bytes) -> bytes:
    """The bytes themselves, or what they expand to where they are gzip data.

    Raises:
        WireError: They are damaged, or expand to more than they may.
    """
    if not data.startswith(b"\x1f\x8b"):
        return data
    most = most_unzipped(len(data))
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            plain = file.read(most + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise WireError(-1, f"the gzip data is damaged: {error}", hint="copy the file again") from error
    if len(plain) > most:
        raise too_expanded(most)
    return plain


def too_expanded(most: int) -> WireError:
    """The error for compressed data that expand to more than they may."""
    return WireError(
        -1, f"the compressed data expand to more than {most >> 20:,} MiB", hint="unpack it first, if that is right"
    )
