"""Servers in processes of their own, for benches: started, found by the address that they print, and ended."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from aiohttp import web


@asynccontextmanager
async def process(*arguments: str) -> AsyncIterator[tuple[str, int]]:
    """A Python process that serves; its address and its process id."""
    started = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    assert started.stdout is not None
    drain = None
    try:
        while not (found := re.search(rb"http://127\.0\.0\.1:\d+", line := await started.stdout.readline())):
            assert line, "the server ended"
        drain = asyncio.create_task(started.stdout.read())
        yield found[0].decode(), started.pid
    finally:
        started.kill()
        await started.wait()
        if drain is not None:
            await drain


async def served(handle: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> None:
    """Serves until killed; the address is the first line of the output."""
    app = web.Application(client_max_size=1 << 30)
    app.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1_024).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}", flush=True)
    await asyncio.Event().wait()
