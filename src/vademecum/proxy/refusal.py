"""Refusals: what the upstream said no to, before anything of its reply was passed on."""

from __future__ import annotations

import asyncio
import zlib
from dataclasses import dataclass

import aiohttp

from vademecum.models.clients.failure import asked_wait
from vademecum.models.errors import Verdict, classify
from vademecum.models.errors.stream import WITHOUT_END, event_of, failure
from vademecum.models.errors.table import Table
from vademecum.proxy.encoding import decoder
from vademecum.proxy.preamble import says_nothing

#: An error that says what is wrong is not longer than this.
_MOST = 64 << 10
#: Statuses whose body need not be read to its end to know what they mean.
_PLAIN = frozenset({429, *range(500, 600)})
#: How a reply begins that is an error although its status says otherwise.
_ERROR = (b'{"error":', b'{"type":"error"', b'{"type": "error"', b'{"detail":')


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal.

    Attributes:
        verdict: What it means.
        wait: Seconds that the upstream asks to wait; None where it does not say.
        status: Its HTTP status; 0 where there was no reply.
    """

    verdict: Verdict
    wait: float | None = None
    status: int = 0


async def seen(
    reply: aiohttp.ClientResponse, first: bytes, *, hold: float, wordings: Table | None = None
) -> tuple[bytes, Refusal | None]:
    """What has been read of a reply, and what it means when it is an error.

    An error is read to its end. A stream is read on while nothing of the reply's own is in it.

    Args:
        reply: The reply.
        first: Its first bytes.
        hold: Seconds that a stream is held back for this, at most, or the rest of an error is waited for.
        wordings: What errors mean; None for the packaged table.
    """
    if reply.status >= 400:
        data, verdict = await _read(reply, first, hold, wordings)
    elif "event-stream" in reply.content_type or "ndjson" in reply.content_type:
        data, verdict = await _begun(reply, first, hold, wordings)
    elif reply.status == 200 and "json" in reply.content_type and _plain(reply, first).lstrip().startswith(_ERROR):
        data, verdict = await _read(reply, first, hold, wordings)
    else:
        return first, None
    if verdict is None:
        return data, None
    wait = asked_wait(reply.headers)
    return data, Refusal(verdict, verdict.retry_after if wait is None else wait, reply.status)


async def _read(
    reply: aiohttp.ClientResponse, first: bytes, hold: float, wordings: Table | None
) -> tuple[bytes, Verdict | None]:
    """An error to its end, which is not waited for longer than `hold` seconds after each piece."""
    data = bytearray(first)
    try:
        while len(data) <= _MOST:
            more = await asyncio.wait_for(reply.content.readany(), hold)
            if not more:
                return bytes(data), classify(_plain(reply, bytes(data)), status=reply.status, table=wordings)
            data += more
    except (aiohttp.ClientError, TimeoutError):
        pass  # whoever reads on meets it again
    if reply.status in _PLAIN:
        return bytes(data), classify(_plain(reply, bytes(data)), status=reply.status, table=wordings)
    return bytes(data), None


async def _begun(
    reply: aiohttp.ClientResponse, first: bytes, hold: float, wordings: Table | None
) -> tuple[bytes, Verdict | None]:
    """The beginning of a stream: up to its first event that says something, or an error."""
    data = bytearray(first)
    until = asyncio.get_running_loop().time() + hold
    while True:
        verdict, done = _told(_plain(reply, bytes(data)), wordings)
        left = until - asyncio.get_running_loop().time()
        if verdict is not None or done or left <= 0 or len(data) > _MOST:
            return bytes(data), verdict
        try:
            more = await asyncio.wait_for(reply.content.readany(), left)
        except TimeoutError:
            return bytes(data), None
        except aiohttp.ClientError:
            return bytes(data), Verdict("unavailable", row="the upstream broke off")
        if not more:
            # The last line of a stream that is over may have no end, and one without any word is no reply.
            verdict, done = _told(_plain(reply, bytes(data)) + b"\n", wordings)
            silent = not done and (not data or _can_be_read(reply))
            return bytes(data), Verdict("unavailable", row=WITHOUT_END) if silent else verdict
        data += more


def _told(data: bytes, wordings: Table | None) -> tuple[Verdict | None, bool]:
    """What the whole lines of a stream's beginning say went wrong, and whether one is of the reply itself."""
    whole = data[: data.rfind(b"\n") + 1]
    for line in whole.splitlines():
        event = event_of(line)
        found = failure(event, wordings)
        if found is not None:
            return found, True
        bare = line.strip()
        if (event is not None and not says_nothing(event)) or (event is None and bare.startswith((b"data:", b"{"))):
            return None, True
    return None, False


def _plain(reply: aiohttp.ClientResponse, data: bytes) -> bytes:
    """Bytes of a reply as text, as far as they can be read."""
    name = _encoding(reply)
    if name == "identity":
        return data
    reader = decoder(name)
    try:
        return b"" if reader is None else reader.decompress(data, _MOST)
    except zlib.error:
        return b""


def _can_be_read(reply: aiohttp.ClientResponse) -> bool:
    name = _encoding(reply)
    return name == "identity" or decoder(name) is not None


def _encoding(reply: aiohttp.ClientResponse) -> str:
    return reply.headers.get("content-encoding", "identity").strip().lower()
