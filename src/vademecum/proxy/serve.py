"""Serving the proxy until it is told to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

from aiohttp import web

from vademecum.proxy.app import make_app
from vademecum.proxy.config import ProxyConfig

#: How long running streams are given to end when the proxy stops, in seconds.
_DRAIN_S = 20.0


def serve(config: ProxyConfig, *, port: int, ready: Callable[[int], None]) -> None:
    """Serves on 127.0.0.1 until SIGINT or SIGTERM; running replies are finished first.

    Args:
        config: The proxy's settings.
        port: The port, 0 for any that is free.
        ready: Told the port once connections are accepted.
    """
    asyncio.run(_serve(config, port, ready))


async def _serve(config: ProxyConfig, port: int, ready: Callable[[int], None]) -> None:
    runner = web.AppRunner(make_app(config), access_log=None, shutdown_timeout=_DRAIN_S, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stop.set)
    try:
        await site.start()
        ready(runner.addresses[0][1])
        await stop.wait()
    finally:
        await runner.cleanup()
