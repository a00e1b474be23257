"""The application: one handler for everything; what it does not know passes through."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

import aiohttp
from aiohttp import web

from vademecum.proxy.body import FORMATS
from vademecum.proxy.caller import caller_of
from vademecum.proxy.config import ProxyConfig
from vademecum.proxy.fitting import Fitted, fitted
from vademecum.proxy.forward import forward
from vademecum.proxy.router import Router

_log = logging.getLogger("vademecum.proxy")
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]", "::1"})

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def make_app(config: ProxyConfig) -> web.Application:
    """The proxy as an application of aiohttp."""
    app = web.Application(client_max_size=config.max_body, middlewares=[_known_host])
    router = Router(config)
    workers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="vademecum")

    async def resources(_: web.Application) -> AsyncIterator[None]:
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=config.connect_timeout)
        connector = aiohttp.TCPConnector(limit=0)
        app[_CLIENT] = aiohttp.ClientSession(timeout=timeout, connector=connector, auto_decompress=False)
        yield
        await app[_CLIENT].close()
        workers.shutdown(wait=True)
        router.close()

    async def handle(request: web.Request) -> web.StreamResponse:
        body = await request.read()
        ready = Fitted(body)
        if request.method == "POST" and request.path in FORMATS:
            caller = caller_of({name.lower(): value for name, value in request.headers.items()})
            loop = asyncio.get_running_loop()
            ready = await loop.run_in_executor(workers, fitted, router, caller, request.path, body)
        return await _answered(request, config, ready)

    app.cleanup_ctx.append(resources)
    app.router.add_get("/health", _health)
    app.router.add_route("*", "/{path:.*}", handle)
    return app


_CLIENT: web.AppKey[aiohttp.ClientSession] = web.AppKey("client", aiohttp.ClientSession)


async def _answered(request: web.Request, config: ProxyConfig, ready: Fitted) -> web.StreamResponse:
    url = config.upstream.rstrip("/") + request.raw_path
    extra: dict[str, str] = {}
    if ready.receipt is not None:
        receipt = ready.receipt
        _log.info(
            "session=%s cycle=%d outcome=%s before=%d after=%d",
            ready.session,
            receipt.cycle,
            receipt.outcome,
            receipt.tokens_before,
            receipt.tokens_after,
        )
        extra = {
            "x-vademecum-session": ready.session,
            "x-vademecum-cycle": str(receipt.cycle),
            "x-vademecum-tokens": str(receipt.tokens_after),
        }
    try:
        response, usage = await forward(request.app[_CLIENT], request, url, ready.body, extra)
    except (aiohttp.ClientError, TimeoutError) as error:
        return _unreachable(request.path, error)
    if usage is not None and ready.compactor is not None:
        await asyncio.get_running_loop().run_in_executor(None, ready.compactor.take_usage, usage)
    return response


def _unreachable(path: str, error: Exception) -> web.Response:
    """A 502 in the format of the endpoint."""
    text = f"the upstream could not be reached: {type(error).__name__}"
    fault: dict[str, object] = {"type": "api_error" if path == "/v1/messages" else "upstream_error", "message": text}
    data = {"type": "error", "error": fault} if path == "/v1/messages" else {"error": fault}
    return web.Response(status=502, text=json.dumps(data), content_type="application/json")


async def _health(_: web.Request) -> web.Response:
    return web.json_response({"status": "ok"})


@web.middleware
async def _known_host(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuses requests that a web page made through a name of its own that points here (DNS rebinding)."""
    host = request.host.rsplit(":", 1)[0] if not request.host.endswith("]") else request.host
    if host not in _LOOPBACK:
        return web.Response(status=421, text="this proxy answers on the loopback interface only\n")
    return await handler(request)
