"""The application: one handler for everything; what it does not know passes through."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

import aiohttp
from aiohttp import web

from vademecum.proxy.attempt import Attempt
from vademecum.proxy.caller import caller_of
from vademecum.proxy.config import ProxyConfig
from vademecum.proxy.endpoints import format_of
from vademecum.proxy.failures import failure
from vademecum.proxy.fitting import Fitter
from vademecum.proxy.forward import ClientGone, SentAgain, forward
from vademecum.proxy.journey import NO_ANSWER, UNREACHED, Journey
from vademecum.proxy.members import Member
from vademecum.proxy.metrics import TYPE, Metrics
from vademecum.proxy.router import Router
from vademecum.proxy.sending import passing, sending
from vademecum.proxy.spans import begun
from vademecum.proxy.usage_tap import UsageTap
from vademecum.proxy.windows import Windows

_log = logging.getLogger("vademecum.proxy")
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
#: Headers of a reply may be as long as this; providers send long policies.
_MOST_HEADER = 64 << 10

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def make_app(config: ProxyConfig) -> web.Application:
    """The proxy as an application of aiohttp; `vademecum.proxy.serve.runner_of` serves it as it must be."""
    app = web.Application(client_max_size=config.max_body, middlewares=[_known_host])
    app.cleanup_ctx.append(lambda app: _resources(app, config))
    app.router.add_get("/health", _health)
    app.router.add_get("/metrics", _metrics)
    app.router.add_route("*", "/{path:.*}", _handle)
    return app


_CLIENT: web.AppKey[aiohttp.ClientSession] = web.AppKey("client", aiohttp.ClientSession)
_CONFIG: web.AppKey[ProxyConfig] = web.AppKey("config", ProxyConfig)
_FITTER: web.AppKey[Fitter] = web.AppKey("fitter", Fitter)
_MEMBERS: web.AppKey[tuple[Member, ...]] = web.AppKey("members", tuple[Member, ...])
_METRICS: web.AppKey[Metrics] = web.AppKey("metrics", Metrics)


async def _resources(app: web.Application, config: ProxyConfig) -> AsyncIterator[None]:
    app[_CONFIG], app[_METRICS] = config, Metrics()
    router = Router(config)
    members = tuple(Member(upstream, Windows(config, upstream, router.archive)) for upstream in config.upstreams)
    app[_MEMBERS], app[_FITTER] = members, Fitter(router, members, now=config.now)
    app[_CLIENT] = aiohttp.ClientSession(
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=config.connect_timeout),
        connector=aiohttp.TCPConnector(limit=0),
        # One client's cookies are no other's.
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        max_line_size=_MOST_HEADER,
        max_field_size=_MOST_HEADER,
    )
    for member in members:
        member.windows.client = app[_CLIENT]
    yield
    await app[_FITTER].close()
    await app[_CLIENT].close()


async def _handle(request: web.Request) -> web.StreamResponse:
    try:
        with request.app[_METRICS].open.track_inprogress():
            name = format_of(request.path)
            if request.method == "POST" and name is not None:
                return await _compacted(request, name)
            request.app[_METRICS].passed()
            body = request.content if request.can_read_body else None
            out = passing(request, request.app[_MEMBERS][0], body)
            response, _ = await forward(request.app[_CLIENT], request, out)
            return response
    except web.HTTPRequestEntityTooLarge:
        return _too_large(request)
    except (aiohttp.ClientError, TimeoutError) as error:
        _log.warning("the upstream failed: %s", type(error).__name__)
        for member in request.app[_MEMBERS]:
            member.windows.doubt()
        return failure(request.path, 502, f"the upstream could not be reached: {type(error).__name__}")
    except ClientGone:
        return web.Response(status=499, reason="Client Closed Request")


async def _compacted(request: web.Request, format: str) -> web.StreamResponse:
    """A request whose context may have to shrink."""
    config, fitter, metrics = request.app[_CONFIG], request.app[_FITTER], request.app[_METRICS]
    if (request.content_length or 0) > config.max_body:
        return _too_large(request)
    body = await request.read()
    headers = {name.lower(): value for name, value in request.headers.items()}
    began = time.perf_counter()
    ready = await fitter.fitted(caller_of(headers, request.query), request.path, body, headers)
    metrics.fitted(format, ready, time.perf_counter() - began)
    journey = Journey(fitter, config, request.app[_MEMBERS], metrics, body, headers)
    first = await journey.first(ready)
    end, status, wrong = begun(first), 0, ""
    try:
        attempt, response, tap = await _answered(request, headers, journey, first)
        status = response.status
        if tap.failed:
            _log.warning("session=%s the stream brought an error", attempt.ready.session)
            attempt.member.windows.doubt()
        wrong = await fitter.to_its_end(journey.ended(status, tap))
    finally:
        end(status, wrong)
    return response


async def _answered(
    request: web.Request, headers: Mapping[str, str], journey: Journey, attempt: Attempt
) -> tuple[Attempt, web.StreamResponse, UsageTap]:
    """Sends a request until a reply is passed on."""
    while True:
        if attempt.wait:
            await asyncio.sleep(attempt.wait)
        out = sending(request, headers, attempt, journey, request.app[_CONFIG])
        try:
            return attempt, *await forward(request.app[_CLIENT], request, out)
        except SentAgain as refused:
            attempt = refused.attempt
        except (aiohttp.ClientError, TimeoutError) as error:
            attempt.member.windows.doubt()
            other = await journey.again(NO_ANSWER if isinstance(error, TimeoutError) else UNREACHED)
            if other is None:
                await journey.lost()
                raise
            attempt = other


def _too_large(request: web.Request) -> web.Response:
    most = request.app[_CONFIG].max_body
    return failure(request.path, 413, f"the request is larger than the {most:,} bytes that this proxy reads")


async def _metrics(request: web.Request) -> web.Response:
    return web.Response(body=request.app[_METRICS].text(), headers={"Content-Type": TYPE})


async def _health(_: web.Request) -> web.Response:
    return web.json_response({"status": "ok"})


@web.middleware
async def _known_host(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuses requests that a web page made through a name of its own that points here (DNS rebinding)."""
    if _name(request.host) not in _LOOPBACK:
        return web.Response(status=421, text="this proxy answers on the loopback interface only\n")
    # A browser sends a page's requests here without asking first; they would be paid for by a key of the proxy's own.
    origin = request.headers.get("Origin", "")
    if origin.startswith(("http:", "https:")) and _name(origin.partition("://")[2]) not in _LOOPBACK:
        return web.Response(status=403, text="this proxy answers no pages of other sites\n")
    return await handler(request)


def _name(host: str) -> str:
    """A host without its port."""
    host = host.lower()
    return host if host.endswith("]") else host.rsplit(":", 1)[0]
