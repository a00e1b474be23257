"""Serving the proxy until it is told to stop."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable

from aiohttp import web

from vademecum.errors import ConfigError
from vademecum.proxy.app import make_app
from vademecum.proxy.config import ProxyConfig
from vademecum.proxy.router import Router

#: How long running streams are given to end when the proxy stops, in seconds.
_DRAIN_S = 20.0
#: How long a worker may keep the interpreter while an event waits to be passed on, in seconds.
_TURN_S = 0.001


def serve(config: ProxyConfig, *, port: int, ready: Callable[[int], None]) -> None:
    """Serves on 127.0.0.1 until SIGINT or SIGTERM; running replies are finished first.

    Args:
        config: The proxy's settings.
        port: The port, 0 for any that is free.
        ready: Told the port once connections are accepted.

    Raises:
        ArchiveError: The archive cannot be opened.
        ConfigError: The port is taken.
    """
    trial = Router(config)
    trial.open()
    trial.close()
    sys.setswitchinterval(_TURN_S)
    asyncio.run(_serve(config, port, ready))


def runner_of(config: ProxyConfig) -> web.AppRunner:
    """What serves the application: a client that goes away cancels its request, and bodies stay as they came."""
    return web.AppRunner(
        make_app(config),
        access_log=None,
        shutdown_timeout=_DRAIN_S,
        handler_cancellation=True,
        auto_decompress=False,
    )


async def _serve(config: ProxyConfig, port: int, ready: Callable[[int], None]) -> None:
    runner = runner_of(config)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stop.set)
    try:
        await _bound(site, port)
        ready(runner.addresses[0][1])
        await stop.wait()
    finally:
        await runner.cleanup()


async def _bound(site: web.TCPSite, port: int) -> None:
    try:
        await site.start()
    except OSError as error:
        raise ConfigError(
            f"port {port} cannot be used: {error.strerror or error}", hint="name another one"
        ) from error
