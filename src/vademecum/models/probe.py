"""Asking a server for a model's window: all that it may know at once, with one short timeout for a dead one."""

from __future__ import annotations

import asyncio
import ipaddress
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from vademecum.core.windows import Told, endpoint_of
from vademecum.models.window_shapes import Shape, best, shapes, silent, told
from vademecum.wire.values import at, mapping, sequence

if TYPE_CHECKING:
    import aiohttp

#: How long a server is waited for, all requests together, in seconds.
TIMEOUT_S = 2.0
#: The lists of large gateways have some megabytes.
_MOST_BYTES = 16 << 20
#: Headers of a request that its provider wants with every other one, too.
_PASSED_ON = frozenset(
    {"authorization", "x-api-key", "api-key", "x-goog-api-key", "anthropic-version", "openai-organization"}
)
_LIST = "GET /v1/models"


async def probed(
    client: aiohttp.ClientSession,
    endpoint: str,
    model: str,
    *,
    headers: Mapping[str, str] | None = None,
    now: float,
    timeout: float = TIMEOUT_S,
) -> Told | None:
    """What a server says of a model's window; None where it says nothing or does not answer.

    Args:
        client: The HTTP client.
        endpoint: The base URL, without version.
        model: The model's id there.
        headers: Those of a request to that endpoint: the key among them goes along, and is kept nowhere.
        now: Seconds since the epoch, for the answer.
        timeout: How long a dead server is waited for, in seconds.
    """
    asked = requests_for(endpoint)
    replies = await _replies(client, endpoint, model, asked, headers or {}, timeout)
    found = [told(rows, reply, model) for rows, reply in zip(asked, replies, strict=True)]
    answer = best([each for each in found if each is not None])
    return None if answer is None else replace(answer, at=now)


async def served(
    client: aiohttp.ClientSession,
    endpoint: str,
    *,
    headers: Mapping[str, str] | None = None,
    timeout: float = TIMEOUT_S,
) -> list[str] | None:
    """The ids of the models that a server lists; None where it does not answer."""
    listed = next(row for row in shapes() if row.request == _LIST)
    (reply,) = await _replies(client, endpoint, "", [(listed,)], headers or {}, timeout)
    if reply is None:
        return None
    entries = sequence(at(reply, ("data",))) or sequence(reply) or ()
    return [id for entry in entries if isinstance(id := (mapping(entry) or {}).get("id"), str) and id]


def requests_for(endpoint: str) -> list[tuple[Shape, ...]]:
    """The requests that an endpoint is asked, each with the rows that read its reply."""
    host = urlsplit(endpoint).hostname or ""
    if host in silent():
        return []
    named = [row for row in shapes() if host in row.where]
    ours = own_network(host)
    rows = named or [row for row in shapes() if not row.where and (ours or row.public)]
    by_request: dict[str, tuple[Shape, ...]] = {}
    for row in rows:
        by_request[row.request] = (*by_request.get(row.request, ()), row)
    return list(by_request.values())


def own_network(host: str) -> bool:
    """Whether a host is this machine or of one's own network: no public name, no public address."""
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith((".local", ".localhost", ".internal", ".lan"))


async def _replies(
    client: aiohttp.ClientSession,
    endpoint: str,
    model: str,
    asked: Sequence[Sequence[Shape]],
    headers: Mapping[str, str],
    timeout: float,
) -> list[object]:
    """The reply to each request, None for one that failed; what is not there in time is left out."""
    passed = {name: value for name, value in headers.items() if name.lower() in _PASSED_ON}
    tasks = [asyncio.ensure_future(_reply(client, endpoint_of(endpoint), rows[0], model, passed)) for rows in asked]
    if not tasks:
        return []
    try:
        await asyncio.wait(tasks, timeout=timeout)
    finally:
        for task in tasks:
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
    return [None if isinstance(reply, BaseException) else reply for reply in done]


async def _reply(
    client: aiohttp.ClientSession, endpoint: str, row: Shape, model: str, headers: Mapping[str, str]
) -> object:
    import aiohttp
    from yarl import URL

    sent = row.body(model)
    kind = {} if sent is None else {"Content-Type": "application/json"}
    url = URL(endpoint + row.path(model), encoded=True)
    try:
        async with client.request(
            row.method,
            url,
            data=sent,
            headers={**headers, **kind, "Accept-Encoding": "identity", "User-Agent": "vademecum"},
            allow_redirects=False,
        ) as reply:
            if reply.status != 200:
                return None
            data = bytearray()
            async for piece in reply.content.iter_any():
                data += piece
                if len(data) > _MOST_BYTES:
                    return None
            return json.loads(data)
    except (aiohttp.ClientError, TimeoutError, ValueError, RecursionError):
        return None
