"""Refusals: what the upstream said no to, before anything of its reply was passed on."""

from __future__ import annotations

import zlib

import aiohttp

from vademecum.models.errors import Verdict, classify
from vademecum.models.errors.stream import event_of, failure
from vademecum.proxy.encoding import decoder

#: An error that says what is wrong is not longer than this.
_MOST = 64 << 10


async def seen(reply: aiohttp.ClientResponse, first: bytes) -> tuple[bytes, Verdict | None]:
    """What has been read of a reply, and what it means when it is an error.

    An error is read to its end; of a stream only what came first is looked at, so that nothing is held back.

    Args:
        reply: The reply.
        first: Its first bytes.
    """
    if reply.status < 400:
        streams = "event-stream" in reply.content_type or "ndjson" in reply.content_type
        return first, _in_stream(_plain(reply, first)) if streams else None
    data = bytearray(first)
    try:
        while len(data) <= _MOST:
            more = await reply.content.readany()
            if not more:
                return bytes(data), classify(_plain(reply, bytes(data)), status=reply.status)
            data += more
    except (aiohttp.ClientError, TimeoutError):
        pass  # whoever reads on meets it again
    return bytes(data), None


def _in_stream(data: bytes) -> Verdict | None:
    return next((found for line in data.splitlines() if (found := failure(event_of(line))) is not None), None)


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
