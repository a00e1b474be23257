"""`vademecum mcp` as a process: stdio and HTTP, several clients at once, who is let in."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from requirement import requirement

HELLO = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}'


async def text(client: Client, name: str, **arguments: Any) -> str:
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content
    return "\n".join(block.text for block in result.content)


async def all_five(client: Client) -> None:
    assert len((await client.list_tools()).tools) == 5
    assert "nightly" in await text(client, "sessions")
    hits = await text(client, "session_search", query="svc-3 port", session="nightly", limit=1)
    id = hits.split("[t_")[1].split(" ")[0]
    assert "port 5003" in await text(client, "restore_tool_result", id=f"t_{id}")
    assert "window: 32,000" in await text(client, "context", session="nightly")
    assert "session nightly" in await text(client, "compact", session="nightly")


@requirement("G-8")
def test_two_clients_over_stdio(over_stdio) -> None:
    async def run() -> None:
        async with AsyncExitStack() as stack:
            one = await stack.enter_async_context(over_stdio("--session", "nightly"))
            other = await stack.enter_async_context(over_stdio())
            await asyncio.gather(all_five(one), all_five(other))
            assert "this server's own" in await text(one, "sessions")
            assert "this server's own" not in await text(other, "sessions")

    asyncio.run(run())


@requirement("G-8")
def test_two_clients_over_http(over_http) -> None:
    async def run() -> None:
        async with over_http() as url, AsyncExitStack() as stack:
            assert url.startswith("http://127.0.0.1:")
            one = await stack.enter_async_context(Client(url))
            other = await stack.enter_async_context(Client(url))
            await asyncio.gather(all_five(one), all_five(other))
            await asyncio.to_thread(refuses_foreign_names, url)

    asyncio.run(run())


def refuses_foreign_names(url: str) -> None:
    """A page in a browser cannot reach the server by a name of its own."""
    assert status(url, {"Host": "evil.example"}) == 421
    assert status(url, {"Origin": "https://evil.example"}) == 403


@requirement("G-8")
def test_a_token_is_asked_for(over_http, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("s3cret-s3cret-s3cret\n")

    async def run() -> None:
        async with over_http("--token-file", str(tmp_path / "token"), "--host", "0.0.0.0") as url:
            local = url.replace("0.0.0.0", "127.0.0.1")
            assert await asyncio.to_thread(status, local, {}) == 401
            wrong = {"Authorization": "Bearer s3cret-s3cret-s3creT"}
            assert await asyncio.to_thread(status, local, wrong) == 401
            right = {"Authorization": "Bearer s3cret-s3cret-s3cret"}
            assert await asyncio.to_thread(status, local, right) == 200

    asyncio.run(run())


def status(url: str, headers: dict[str, str]) -> int:
    more = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    request = urllib.request.Request(url, data=HELLO, headers={**more, **headers}, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def refused(*arguments: str) -> str:
    command = [sys.executable, "-m", "vademecum", "mcp", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    return done.stderr


@requirement("G-8")
def test_other_machines_are_let_in_with_a_token_only(tmp_path: Path) -> None:
    said = refused("--http", "--host", "0.0.0.0", "--port", "0")
    assert "whoever reaches that address could read the archive" in said
    assert "hint: give --token-file" in said
    (tmp_path / "short").write_text("abc")
    assert "holds no token" in refused("--http", "--token-file", str(tmp_path / "short"))


def test_a_port_that_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert f"127.0.0.1:{port} cannot be used" in refused("--http", "--port", port)


@pytest.mark.parametrize("arguments", [("--window", "soon"), ("--preset", "none")])
def test_wrong_options_are_refused_before_serving(arguments: tuple[str, str]) -> None:
    assert "error: " in refused(*arguments)
