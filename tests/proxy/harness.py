"""The proxy in this process, between a client and a scripted upstream."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import aiohttp
from aiohttp import web
from yarl import URL

from proxy.upstream import Answer, Upstream, plain
from vademecum.core.budget import Window, budget
from vademecum.presets import preset
from vademecum.proxy.config import ProxyConfig
from vademecum.proxy.serve import runner_of
from vademecum.proxy.upstreams import checked, upstream_of

CHAT, MESSAGES, RESPONSES = "/v1/chat/completions", "/v1/messages", "/v1/responses"
OLLAMA, GEMINI = "/api/chat", "/v1beta/models/gemini-m:generateContent"
#: One endpoint of each format.
ENDPOINTS = (CHAT, MESSAGES, RESPONSES, OLLAMA, GEMINI)
#: Nothing in a test takes this long unless it hangs.
PATIENCE_S = 30.0
Result = TypeVar("Result")


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Runs a test's coroutine; what hangs fails."""

    async def limited() -> Result:
        return await asyncio.wait_for(work, 10 * PATIENCE_S)

    return asyncio.run(limited())


def config(
    upstream: str,
    db: Path,
    *,
    others: Sequence[str] = (),
    keys: Mapping[str, str] | None = None,
    window: int | None = 1_000_000,
    **more: Any,
) -> ProxyConfig:
    """The settings; a window of None is found out."""
    chosen = preset("half")
    given = Window(32_000, "default") if window is None else Window(window)
    limits = budget(chosen, window=given, trigger=more.get("trigger"), target=more.get("target"))
    upstreams = checked([upstream_of(text, keys or {}) for text in (upstream, *others)])
    return ProxyConfig(upstreams, db, chosen, limits, **more)


@dataclass
class Reply:
    """A reply as the client has it."""

    status: int
    headers: Any
    body: bytes

    @property
    def cycle(self) -> int:
        return int(self.headers.get("x-vademecum-cycle", -1))

    @property
    def session(self) -> str:
        return self.headers.get("x-vademecum-session", "")

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Between:
    """A client, the proxy and the upstream."""

    upstream: Upstream
    url: str
    client: aiohttp.ClientSession

    async def send(
        self, path: str, body: bytes | dict[str, Any] = b"", *, method: str = "POST", headers: Any = ()
    ) -> Reply:
        data = body if isinstance(body, bytes) else encoded(body)
        async with self.client.request(
            method,
            URL(self.url + path, encoded=True),
            data=chunked(data) if len(data) > 1 << 19 else data or None,
            headers=[*dict(headers).items()] if isinstance(headers, dict) else list(headers),
            skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding", "Content-Type"),
        ) as reply:
            return Reply(reply.status, reply.headers, await reply.read())

    @property
    def last(self):
        return self.upstream.received[-1]


async def chunked(data: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(data), 1 << 18):
        yield data[start : start + (1 << 18)]


def encoded(body: dict[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


@asynccontextmanager
async def serving(settings: ProxyConfig) -> AsyncIterator[str]:
    """The proxy on a port of its own."""
    runner = runner_of(settings)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def between(db: Path, answer: Answer = plain, **settings: Any) -> AsyncIterator[Between]:
    """A client and an upstream with the proxy between them."""
    upstream = Upstream(answer)
    await upstream.start()
    try:
        async with (
            serving(config(upstream.url, db, **settings)) as url,
            aiohttp.ClientSession(auto_decompress=False, cookie_jar=aiohttp.DummyCookieJar()) as client,
        ):
            yield Between(upstream, url, client)
    finally:
        await upstream.stop()
