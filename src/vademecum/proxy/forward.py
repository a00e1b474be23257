"""Forwarding: the request goes upstream and the reply comes back, event by event."""

from __future__ import annotations

from collections.abc import Iterable

import aiohttp
from aiohttp import web
from multidict import CIMultiDict

from vademecum.proxy.usage_tap import UsageTap
from vademecum.wire.usage import Usage

#: Headers that belong to one connection, and those that are set anew.
_HOP = frozenset(
    {"connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer", "transfer-encoding",
     "upgrade", "host", "content-length", "expect"}
)  # fmt: skip
_OURS = "x-vademecum-"


def passed_on(headers: Iterable[tuple[str, str]]) -> CIMultiDict[str]:
    """The headers that pass through; ours stay here."""
    kept = CIMultiDict[str]()
    for name, value in headers:
        if name.lower() not in _HOP and not name.lower().startswith(_OURS):
            kept.add(name, value)
    return kept


async def forward(
    client: aiohttp.ClientSession, request: web.Request, url: str, body: bytes, extra: dict[str, str]
) -> tuple[web.StreamResponse, Usage | None]:
    """Sends a request upstream and the reply back, as it comes.

    Args:
        client: The HTTP client.
        request: The client's request.
        url: Where it goes.
        body: The bytes to send.
        extra: Headers to add to the reply.

    Returns:
        The finished response, and the usage that it reported.

    Raises:
        aiohttp.ClientError: The upstream could not be reached, or broke off before its first byte.
    """
    async with client.request(
        request.method,
        url,
        headers=passed_on(request.headers.items()),
        data=body if body or request.can_read_body else None,
        allow_redirects=False,
    ) as reply:
        response = web.StreamResponse(
            status=reply.status, reason=reply.reason, headers=passed_on(reply.headers.items())
        )
        response.headers.update(extra)
        if reply.headers.get("content-length"):
            response.content_length = int(reply.headers["content-length"])
        tap = UsageTap(reply.headers.get("content-type", ""), readable="content-encoding" not in reply.headers)
        await response.prepare(request)
        try:
            async for chunk in reply.content.iter_any():
                tap.feed(chunk)
                await response.write(chunk)
        except (aiohttp.ClientError, TimeoutError) as error:
            await _broken(response, request.path, error)
        await response.write_eof()
        return response, tap.usage() if reply.status == 200 else None


async def _broken(response: web.StreamResponse, path: str, error: Exception) -> None:
    """An upstream that breaks off in the middle of a stream becomes an error event of the stream's format."""
    if "event-stream" not in response.headers.get("content-type", "") or response.content_length is not None:
        raise error
    text = f'"the upstream broke off: {type(error).__name__}"'
    if path == "/v1/messages":
        event = f'event: error\ndata: {{"type":"error","error":{{"type":"api_error","message":{text}}}}}\n\n'
    else:
        event = f'data: {{"error":{{"message":{text},"type":"upstream_error"}}}}\n\n'
    await response.write(b"\n\n" + event.encode())
