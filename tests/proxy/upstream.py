"""An upstream on loopback that keeps exactly what it was sent and answers as it is told."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass(frozen=True)
class Received:
    """One request as it came."""

    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key.lower() == name.lower()]

    @property
    def messages(self) -> list[dict[str, Any]]:
        body = json.loads(self.body)
        return next(body[key] for key in ("messages", "input", "contents") if key in body)


Answer = Callable[[web.Request, Received], Awaitable[web.StreamResponse]]


async def plain(_: web.Request, received: Received) -> web.StreamResponse:
    """A short answer without usage."""
    return web.json_response({"ok": True, "bytes": len(received.body)})


@dataclass
class Upstream:
    """Answers every request by `answer`, and remembers it; what it says of its models' windows is apart.

    Attributes:
        windows: Path → what is said there when the proxy itself asks; 404 elsewhere.
        asked: Those questions.
    """

    answer: Answer = plain
    received: list[Received] = field(default_factory=list)
    windows: dict[str, Any] = field(default_factory=dict)
    asked: list[Received] = field(default_factory=list)
    url: str = ""
    _runner: web.AppRunner | None = None

    async def start(self) -> None:
        app = web.Application(client_max_size=1 << 30)
        app.router.add_route("*", "/{path:.*}", self._handle)
        runner = web.AppRunner(
            app, access_log=None, handler_cancellation=True, auto_decompress=False, shutdown_timeout=0.1
        )
        self._runner = runner
        await runner.setup()
        # One that was stopped comes back where it was.
        port = int(self.url.rpartition(":")[2] or 0)
        await web.TCPSite(runner, "127.0.0.1", port, reuse_address=True).start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        headers = [
            (key.decode("utf-8", "surrogateescape"), value.decode("utf-8", "surrogateescape"))
            for key, value in request.raw_headers
        ]
        received = Received(request.method, request.raw_path, headers, body)
        if received.header("user-agent") == ["vademecum"]:
            self.asked.append(received)
            known = self.windows.get(request.path)
            return web.json_response(known, status=404 if known is None else 200)
        self.received.append(received)
        return await self.answer(request, received)


async def stream_of(request: web.Request, **headers: str) -> web.StreamResponse:
    """The beginning of an event stream."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", **headers})
    await response.prepare(request)
    return response
