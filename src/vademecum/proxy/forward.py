"""Forwarding: the request goes upstream and the reply comes back, event by event."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import aiohttp
from aiohttp import web
from multidict import CIMultiDict
from yarl import URL

from vademecum.models.errors.table import Table
from vademecum.proxy.attempt import Attempt
from vademecum.proxy.failures import stream_event, stream_line
from vademecum.proxy.refusal import Refusal, seen
from vademecum.proxy.usage_tap import UsageTap

#: Headers that belong to one connection, and those that are set anew.
_HOP = frozenset(
    {"connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te", "trailer",
     "transfer-encoding", "upgrade", "host", "content-length", "expect"}
)  # fmt: skip
_OURS = "x-vademecum-"
#: Headers that the HTTP library would add by itself.
_NOT_ADDED = ("User-Agent", "Accept", "Accept-Encoding", "Content-Type")
#: Larger bodies are written in pieces, so that nothing else waits for them.
_PIECE = 256 << 10


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request as it goes upstream.

    Attributes:
        url: Where it goes.
        body: Its bytes, or where they come from; None for none.
        drop: Headers of the client's that do not go on, in lower case.
        replace: Headers that go on with another value.
        answer: Headers to add to the reply.
        again: What to send in its place should the upstream refuse it; None where nothing is.
        hold: Seconds that the beginning of a stream is held back to see an error in it, at most.
        wordings: What errors mean; None for the packaged table.
        answer_timeout: Seconds until the reply must have begun; None for no limit.
    """

    url: URL
    body: bytes | AsyncIterable[bytes] | None
    drop: frozenset[str] = frozenset()
    replace: Mapping[str, str] = field(default_factory=dict[str, str])
    answer: Mapping[str, str] = field(default_factory=dict[str, str])
    again: Callable[[Refusal], Awaitable[Attempt | None]] | None = None
    hold: float = 0.0
    wordings: Table | None = None
    answer_timeout: float | None = None


class SentAgain(Exception):
    """The upstream refused the request, and there is something else to send; the client has seen nothing yet."""

    def __init__(self, attempt: Attempt) -> None:
        super().__init__("the upstream refused the request")
        self.attempt = attempt


class ClientGone(Exception):
    """The client has closed its connection; nobody is there to tell."""


def passed_on(headers: Iterable[tuple[str, str]]) -> CIMultiDict[str]:
    """The headers that pass through: not the connection's own, nor ours."""
    listed = list(headers)
    named = {
        name.strip().lower() for key, value in listed if key.lower() == "connection" for name in value.split(",")
    }
    kept = CIMultiDict[str]()
    for name, value in listed:
        low = name.lower()
        if low not in _HOP and low not in named and not low.startswith(_OURS):
            kept.add(name, value)
    return kept


async def forward(
    client: aiohttp.ClientSession, request: web.Request, out: Outgoing
) -> tuple[web.StreamResponse, UsageTap]:
    """Sends a request upstream and the reply back, as it comes.

    Args:
        client: The HTTP client.
        request: The client's request.
        out: What goes upstream.

    Returns:
        The finished response, and what was seen of the reply.

    Raises:
        aiohttp.ClientError: The upstream could not be reached, or broke off before its first byte.
        ClientGone: The client went away.
        SentAgain: Something else is to be sent.
    """
    headers, body = _as_sent(request, out)
    async with AsyncExitStack() as stack:
        async with asyncio.timeout(out.answer_timeout):
            reply = await stack.enter_async_context(
                client.request(
                    request.method,
                    out.url,
                    headers=headers,
                    data=body,
                    allow_redirects=False,
                    skip_auto_headers=_NOT_ADDED,
                )
            )
            # Only the first byte commits us to this reply: what fails before it can still be told as an error.
            first = b"" if request.method == "HEAD" else await reply.content.readany()
        kind, encoding = (reply.headers.get(f"content-{name}", "") for name in ("type", "encoding"))
        tap = UsageTap(kind, encoding, out.wordings)
        if out.again is not None:
            first, refusal = await seen(reply, first, hold=out.hold, wordings=out.wordings)
            attempt = None if refusal is None else await out.again(refusal)
            if attempt is not None:
                raise SentAgain(attempt)
        response = await _begun(request, reply, out.answer)
        chunk = b""
        try:
            async for chunk in _chunks(first, reply):
                tap.feed(chunk)
                await _write(response, chunk)
        except (aiohttp.ClientError, TimeoutError) as error:
            tap.broken = True
            await _broken(response, request, error, in_a_line=not chunk.endswith(b"\n"))
        await _write(response, None)
        return response, tap


def _as_sent(request: web.Request, out: Outgoing) -> tuple[CIMultiDict[str], bytes | AsyncIterable[bytes] | None]:
    """Headers and body as they go upstream."""
    headers = passed_on(request.headers.items())
    for name in out.drop:
        headers.popall(name, None)
    headers.update(out.replace)
    body = out.body
    if isinstance(body, bytes) and len(body) > _PIECE:
        headers["Content-Length"] = str(len(body))
        return headers, _pieces(body)
    if not isinstance(body, bytes | None) and request.content_length is not None:
        headers["Content-Length"] = str(request.content_length)
    return headers, body


async def _begun(request: web.Request, reply: aiohttp.ClientResponse, extra: Mapping[str, str]) -> web.StreamResponse:
    response = web.StreamResponse(status=reply.status, reason=reply.reason, headers=passed_on(reply.headers.items()))
    response.headers.update(extra)
    if reply.headers.get("content-length", "").isdigit():
        response.content_length = int(reply.headers["content-length"])
    try:
        await response.prepare(request)
    except ConnectionError as error:
        raise ClientGone from error
    return response


async def _chunks(first: bytes, reply: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    if first:
        yield first
    async for chunk in reply.content.iter_any():
        yield chunk


async def _write(response: web.StreamResponse, chunk: bytes | None) -> None:
    """Writes a chunk, or the end; it waits while the client takes no more."""
    try:
        if chunk is None:
            await response.write_eof()
        else:
            await response.write(chunk)
    except ConnectionError as error:
        raise ClientGone from error


async def _broken(response: web.StreamResponse, request: web.Request, error: Exception, *, in_a_line: bool) -> None:
    """An upstream that breaks off in the middle of a stream becomes an error event of the stream's format.

    Where no event can be put in, the client's connection is closed without the end of the reply.
    """
    headers = response.headers
    kind, text = headers.get("content-type", ""), f"the upstream broke off: {type(error).__name__}"
    if response.content_length is None and headers.get("content-encoding", "identity") == "identity":
        if "event-stream" in kind:
            await _write(response, b"\n\n" + stream_event(request.path, text))
            return
        if "ndjson" in kind:
            # Clients of lines take none that is empty.
            await _write(response, (b"\n" if in_a_line else b"") + stream_line(request.path, text))
            return
    if request.transport is not None:
        request.transport.abort()
    raise ClientGone from error


async def _pieces(body: bytes) -> AsyncIterator[bytes]:
    view = memoryview(body)
    for start in range(0, len(body), _PIECE):
        yield bytes(view[start : start + _PIECE])
