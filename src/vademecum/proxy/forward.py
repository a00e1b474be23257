"""Forwarding: the request goes upstream and the reply comes back, event by event."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field

import aiohttp
from aiohttp import web
from multidict import CIMultiDict
from yarl import URL

from vademecum.models.errors import Verdict
from vademecum.proxy.failures import stream_event, stream_line
from vademecum.proxy.fitted import Fitted
from vademecum.proxy.refusal import seen
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
        smaller: What to send in its place should the upstream refuse it; None where nothing is.
    """

    url: URL
    body: bytes | AsyncIterable[bytes] | None
    drop: frozenset[str] = frozenset()
    replace: Mapping[str, str] = field(default_factory=dict[str, str])
    answer: Mapping[str, str] = field(default_factory=dict[str, str])
    smaller: Callable[[Verdict], Awaitable[Fitted | None]] | None = None


class TooLarge(Exception):
    """The upstream found the request too large, and there is a smaller one; the client has seen nothing yet."""

    def __init__(self, smaller: Fitted) -> None:
        super().__init__("the upstream found the request too large")
        self.smaller = smaller


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
        TooLarge: The request is to be sent again, smaller.
    """
    headers, body = _as_sent(request, out)
    async with client.request(
        request.method, out.url, headers=headers, data=body, allow_redirects=False, skip_auto_headers=_NOT_ADDED
    ) as reply:
        tap = UsageTap(reply.headers.get("content-type", ""), reply.headers.get("content-encoding", ""))
        # Only the first byte commits us to this reply: what fails before it can still be told as an error.
        first = b"" if request.method == "HEAD" else await reply.content.readany()
        if out.smaller is not None:
            first, refused = await seen(reply, first)
            smaller = None if refused is None else await out.smaller(refused)
            if smaller is not None:
                raise TooLarge(smaller)
        response = await _begun(request, reply, out.answer)
        chunk = b""
        try:
            async for chunk in _chunks(first, reply):
                tap.feed(chunk)
                await _write(response, chunk)
        except (aiohttp.ClientError, TimeoutError) as error:
            tap.failed = True
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
