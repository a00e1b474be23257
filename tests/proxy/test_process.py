"""The proxy as a process of its own: `vademecum proxy --upstream … --port 0`."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from proxy.harness import CHAT, PATIENCE_S, encoded, run
from proxy.transcripts import body, chat
from proxy.upstream import Answer, Received, Upstream, plain, stream_of
from requirement import requirement


class Process:
    """A running proxy."""

    def __init__(self, process: asyncio.subprocess.Process, upstream: Upstream) -> None:
        self.process, self.upstream, self.said = process, upstream, b""
        self.url = ""

    async def ready(self) -> None:
        assert self.process.stderr is not None
        while not self.url:
            line = await asyncio.wait_for(self.process.stderr.readline(), PATIENCE_S)
            assert line, self.said.decode()
            self.said += line
            found = re.search(rb"http://127\.0\.0\.1:\d+", line)
            self.url = found[0].decode() if found else ""

    async def ended(self) -> int:
        _, rest = await asyncio.wait_for(self.process.communicate(), PATIENCE_S)
        self.said += rest
        return self.process.returncode or 0


@asynccontextmanager
async def started(folder: Path, answer: Answer = plain, *more: str) -> AsyncIterator[Process]:
    upstream = Upstream(answer)
    await upstream.start()
    arguments = ["--upstream", upstream.url, "--port", "0", "--db", str(folder / "a.db"), "--window", "16K", *more]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "vademecum",
        "proxy",
        *arguments,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)},
        cwd=folder,
    )
    try:
        yield Process(process, upstream)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        await upstream.stop()


@requirement("P-1", "P-2", "P-9")
def test_it_serves_compacts_and_says_so(tmp_path: Path) -> None:
    async def work() -> None:
        async with started(tmp_path, plain, "--trigger", "3000") as proxy, aiohttp.ClientSession() as client:
            await proxy.ready()
            small, large = (encoded(body(CHAT, chat(rounds))) for rounds in (2, 30))
            for data in (small, large):
                async with client.post(
                    proxy.url + CHAT, data=data, headers={"Authorization": "Bearer sk-x-1"}
                ) as reply:
                    assert reply.status == 200
            assert proxy.upstream.received[0].body == small
            assert len(proxy.upstream.received[1].body) < len(large)
            proxy.process.send_signal(signal.SIGTERM)
            assert await proxy.ended() == 0
            assert b"cycle=1 outcome=compacted" in proxy.said
            assert b"sk-x-1" not in proxy.said
            assert b"Traceback" not in proxy.said

    run(work())


@requirement("P-8")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_a_signal_lets_running_streams_end(tmp_path: Path, name: str) -> None:
    async def work() -> None:
        rest = asyncio.Event()

        async def answer(request: web.Request, _: Received) -> web.StreamResponse:
            response = await stream_of(request)
            await response.write(b"data: 1\n\n")
            await rest.wait()
            await response.write(b"data: 2\n\n")
            return response

        async with started(tmp_path, answer) as proxy, aiohttp.ClientSession() as client:
            await proxy.ready()
            async with client.post(proxy.url + CHAT, data=encoded(body(CHAT, chat(2)))) as reply:
                await reply.content.readuntil(b"\n\n")
                proxy.process.send_signal(signal.Signals[name])
                while await _is_open(proxy.url):  # no new connection is taken from now on
                    await asyncio.sleep(0.01)
                rest.set()
                assert await reply.content.read() == b"data: 2\n\n"
            assert await proxy.ended() == 0

    run(work())


async def _is_open(url: str) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", int(url.rsplit(":", 1)[1]))
    except ConnectionError:
        return False
    writer.close()
    return True


@requirement("P-8")
def test_it_listens_on_the_loopback_only(tmp_path: Path) -> None:
    async def work() -> None:
        async with started(tmp_path) as proxy:
            await proxy.ready()
            port = int(proxy.url.rsplit(":", 1)[1])
            assert _listening(port) == {"0100007F"}

    run(work())


def _listening(port: int) -> set[str]:
    """The addresses on which a port is listened at, as the kernel writes them."""
    found: set[str] = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in Path(table).read_text().splitlines()[1:]:
            _, local, _, state = line.split()[:4]
            address, number = local.split(":")
            if state == "0A" and int(number, 16) == port:
                found.add(address)
    return found


@requirement("P-8")
@pytest.mark.parametrize(
    ("fault", "code", "words"),
    [("corrupt", 3, b"not an archive"), ("port", 2, b"cannot be used"), ("upstream", 2, b"no URL")],
)
def test_what_keeps_it_from_serving_is_said_at_the_start(tmp_path: Path, fault: str, code: int, words: bytes) -> None:
    async def work() -> None:
        more: list[str] = []
        taken = socket.socket()
        if fault == "corrupt":
            (tmp_path / "a.db").write_bytes(b"x" * 4_096)
        elif fault == "port":
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            more = ["--port", str(taken.getsockname()[1])]
        else:
            more = ["--upstream", "example.org"]
        async with started(tmp_path, plain, *more) as proxy:
            assert await proxy.ended() == code
            assert words in proxy.said
            assert b"Traceback" not in proxy.said
        taken.close()

    run(work())
