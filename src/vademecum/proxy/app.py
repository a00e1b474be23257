"""The application: one handler for everything; what it does not know passes through."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import partial

import aiohttp
from aiohttp import web
from yarl import URL

from vademecum.models.errors import Verdict
from vademecum.proxy.caller import caller_of
from vademecum.proxy.config import ProxyConfig
from vademecum.proxy.encoding import readable
from vademecum.proxy.endpoints import format_of
from vademecum.proxy.failures import failure
from vademecum.proxy.fitted import Fitted
from vademecum.proxy.fitting import Fitter
from vademecum.proxy.forward import ClientGone, Outgoing, TooLarge, forward
from vademecum.proxy.router import Router
from vademecum.proxy.windows import Windows

_log = logging.getLogger("vademecum.proxy")
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
#: Headers of a reply may be as long as this; providers send long policies.
_MOST_HEADER = 64 << 10
#: How often a request that the upstream finds too large is compacted further and sent again.
_MOST_FORCED = 3

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def make_app(config: ProxyConfig) -> web.Application:
    """The proxy as an application of aiohttp; `vademecum.proxy.serve.runner_of` serves it as it must be."""
    app = web.Application(client_max_size=config.max_body, middlewares=[_known_host])
    app.cleanup_ctx.append(lambda app: _resources(app, config))
    app.router.add_get("/health", _health)
    app.router.add_route("*", "/{path:.*}", _handle)
    return app


_CLIENT: web.AppKey[aiohttp.ClientSession] = web.AppKey("client", aiohttp.ClientSession)
_FITTER: web.AppKey[Fitter] = web.AppKey("fitter", Fitter)
_WINDOWS: web.AppKey[Windows] = web.AppKey("windows", Windows)
_UPSTREAM: web.AppKey[str] = web.AppKey("upstream", str)
_MOST_BODY: web.AppKey[int] = web.AppKey("most_body", int)


async def _resources(app: web.Application, config: ProxyConfig) -> AsyncIterator[None]:
    app[_UPSTREAM], app[_MOST_BODY] = config.upstream.rstrip("/"), config.max_body
    router = Router(config)
    windows = app[_WINDOWS] = Windows(config, router.archive)
    app[_FITTER] = Fitter(router, windows)
    app[_CLIENT] = aiohttp.ClientSession(
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=config.connect_timeout),
        connector=aiohttp.TCPConnector(limit=0),
        # One client's cookies are no other's.
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        max_line_size=_MOST_HEADER,
        max_field_size=_MOST_HEADER,
    )
    windows.client = app[_CLIENT]
    yield
    await app[_FITTER].close()
    await app[_CLIENT].close()


async def _handle(request: web.Request) -> web.StreamResponse:
    try:
        if request.method != "POST" or format_of(request.path) is None:
            body = request.content if request.can_read_body else None
            response, _ = await forward(request.app[_CLIENT], request, Outgoing(_target(request), body))
            return response
        return await _compacted(request)
    except web.HTTPRequestEntityTooLarge:
        return _too_large(request)
    except (aiohttp.ClientError, TimeoutError) as error:
        _log.warning("the upstream failed: %s", type(error).__name__)
        request.app[_WINDOWS].doubt()
        return failure(request.path, 502, f"the upstream could not be reached: {type(error).__name__}")
    except ClientGone:
        return web.Response(status=499, reason="Client Closed Request")


async def _compacted(request: web.Request) -> web.StreamResponse:
    """A request whose context may have to shrink."""
    if (request.content_length or 0) > request.app[_MOST_BODY]:
        return _too_large(request)
    body = await request.read()
    headers = {name.lower(): value for name, value in request.headers.items()}
    fitter, caller = request.app[_FITTER], caller_of(headers, request.query)
    ready = await fitter.fitted(caller, request.path, body, headers)
    forced = 0
    while True:
        smaller = partial(fitter.smaller, ready) if forced < _MOST_FORCED else None
        try:
            response, tap = await forward(request.app[_CLIENT], request, _outgoing(request, headers, ready, smaller))
            break
        except TooLarge as refused:
            ready, forced = refused.smaller, forced + 1
    if tap.failed:
        _log.warning("session=%s the stream brought an error", ready.session)
        request.app[_WINDOWS].doubt()
    if response.status == 200 and ready.live is not None and ready.sent is not None:
        await fitter.settle(ready.live, tap.found(), ready.sent)
    return response


def _outgoing(
    request: web.Request,
    headers: Mapping[str, str],
    ready: Fitted,
    smaller: Callable[[Verdict], Awaitable[Fitted | None]] | None,
) -> Outgoing:
    return Outgoing(
        _target(request),
        ready.body,
        drop=frozenset({"content-encoding"}) if ready.plain else frozenset(),
        replace={"Accept-Encoding": readable(headers["accept-encoding"])} if "accept-encoding" in headers else {},
        answer=_answer(ready),
        smaller=smaller,
    )


def _target(request: web.Request) -> URL:
    """Where a request goes: its path and query as they were written."""
    raw = request.raw_path
    if not raw.startswith("/"):
        raw = request.rel_url.raw_path_qs
    return URL(request.app[_UPSTREAM] + raw, encoded=True)


def _answer(ready: Fitted) -> dict[str, str]:
    """Headers that say what was done; a log line says it too."""
    receipt = ready.receipt
    if receipt is None:
        return {"x-vademecum-session": ready.session, "x-vademecum-outcome": "kept_upstream"} if ready.taken else {}
    whole = receipt.tokens_after if ready.sent is None else ready.sent.transcript
    _log.info(
        "session=%s cycle=%d outcome=%s before=%d after=%d transcript=%d window=%d (%s)",
        ready.session,
        receipt.cycle,
        receipt.outcome,
        receipt.tokens_before,
        receipt.tokens_after,
        whole,
        receipt.window.tokens,
        receipt.window.origin,
    )
    warnings = {"x-vademecum-warnings": "; ".join(receipt.warnings)} if receipt.warnings else {}
    return {
        **warnings,
        "x-vademecum-session": ready.session,
        "x-vademecum-cycle": str(receipt.cycle),
        "x-vademecum-outcome": receipt.outcome,
        "x-vademecum-tokens": str(receipt.tokens_after),
        "x-vademecum-transcript-tokens": str(whole),
        "x-vademecum-window": str(receipt.window.tokens),
        "x-vademecum-window-origin": receipt.window.origin,
    }


def _too_large(request: web.Request) -> web.Response:
    most = request.app[_MOST_BODY]
    return failure(request.path, 413, f"the request is larger than the {most:,} bytes that this proxy reads")


async def _health(_: web.Request) -> web.Response:
    return web.json_response({"status": "ok"})


@web.middleware
async def _known_host(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuses requests that a web page made through a name of its own that points here (DNS rebinding)."""
    host = request.host.lower()
    if not host.endswith("]"):
        host = host.rsplit(":", 1)[0]
    if host not in _LOOPBACK:
        return web.Response(status=421, text="this proxy answers on the loopback interface only\n")
    return await handler(request)
