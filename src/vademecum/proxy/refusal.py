"""Refusals: seeing that the upstream found a request too large, before anything of its reply was passed on."""

from __future__ import annotations

import zlib

import aiohttp

from vademecum.models.overflow import is_overflow
from vademecum.proxy.encoding import decoder
from vademecum.proxy.usage_tap import is_failure

#: An error that says no more than how large something was is not longer than this.
_MOST = 64 << 10


async def seen(reply: aiohttp.ClientResponse, first: bytes) -> tuple[bytes, bool]:
    """What has been read of a reply, and whether it refuses the request as too large.

    An error is read to its end; of a stream only what came first is looked at, so that nothing is held back.

    Args:
        reply: The reply.
        first: Its first bytes.
    """
    if reply.status < 400:
        streams = "event-stream" in reply.content_type or "ndjson" in reply.content_type
        return first, streams and _in_stream(_plain(reply, first))
    data = bytearray(first)
    try:
        while len(data) <= _MOST:
            more = await reply.content.readany()
            if not more:
                return bytes(data), is_overflow(reply.status, _plain(reply, bytes(data)))
            data += more
    except (aiohttp.ClientError, TimeoutError):
        pass  # whoever reads on meets it again
    return bytes(data), False


def _in_stream(data: bytes) -> bool:
    return any(
        is_failure(line) and is_overflow(200, line.removeprefix(b"data:").strip()) for line in data.splitlines()
    )


def _plain(reply: aiohttp.ClientResponse, data: bytes) -> bytes:
    """Bytes of a reply as text, as far as they can be read."""
    name = reply.headers.get("content-encoding", "identity")
    if name.strip().lower() == "identity":
        return data
    reader = decoder(name)
    try:
        return b"" if reader is None else reader.decompress(data, _MOST)
    except zlib.error:
        return b""
