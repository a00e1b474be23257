"""An archive with sessions of two owners, and asking a server by the official client."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client

from vademecum.archive import Archive
from vademecum.compactor import Compactor
from vademecum.mcp import ServerConfig
from vademecum.mcp.desk import Desk
from vademecum.mcp.server import make_server
from vademecum.presets import preset
from vademecum.testing import sample

OTHER = "f" * 32
SECRET = "the launch code of project Heliotrope is 7741"
PATIENCE_S = 30.0


@dataclass(frozen=True)
class Said:
    """What a tool said: its blocks of text, and whether it is an error."""

    texts: tuple[str, ...]
    failed: bool

    @property
    def text(self) -> str:
        return "\n".join(self.texts)

    def refused(self, text: str, hint: str = "") -> None:
        """Asserts that it is an error in words, with a remedy."""
        assert self.failed, self.text
        assert self.text.startswith("error: ")
        assert text in self.text
        assert f"hint: {hint}" in self.text
        assert "Traceback" not in self.text


async def said(client: Client, name: str, /, **arguments: Any) -> Said:
    """Calls a tool."""
    result = await client.call_tool(name, arguments)
    return Said(tuple(block.text for block in result.content), bool(result.is_error))


Ask = Callable[..., Said]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive: `nightly` was compacted once, `weekly` never, and another owner has `hidden`."""
    path = tmp_path_factory.mktemp("archive") / "sessions.db"
    with Archive.open(path) as archive:
        rows = sample(turns=40)
        Compactor(window=32_000, session=archive.session("nightly", format="openai-chat", source="a.jsonl")).fit(rows)
        weekly = archive.session("weekly", format="openai-chat", source="b.jsonl")
        Compactor(window=200_000, session=weekly).fit(sample(turns=6, start=100))
    with Archive.open(path, owner=OTHER) as archive:
        hidden = archive.session("hidden", format="openai-chat")
        Compactor(window=200_000, session=hidden).fit([{"role": "user", "content": SECRET}])
    return path


@pytest.fixture
def db(made: Path, tmp_path: Path) -> Path:
    """A copy of that archive, for a test to change."""
    copy = tmp_path / "sessions.db"
    with Archive.open(made) as archive:
        archive.connection.db.execute("VACUUM INTO ?", (str(copy),))
    return copy


@pytest.fixture
def config(db: Path) -> ServerConfig:
    return ServerConfig(db=db, preset=preset("half"), patience=0.5)


@pytest.fixture
def ask(config: ServerConfig) -> Ask:
    """Calls a tool of a server in this process, by the official client."""

    def call(name: str, /, *, owner: str = "", own: str = "", **arguments: Any) -> Said:
        async def run() -> Said:
            desk = Desk(replace(config, owner=owner, session=own))
            try:
                async with Client(make_server(desk)) as client:
                    return await said(client, name, **arguments)
            finally:
                desk.close()

        return asyncio.run(run())

    return call


def environment(folder: Path) -> dict[str, str]:
    return {"PYTHONPATH": os.environ.get("PYTHONPATH", ""), "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}


Connect = Callable[..., AbstractAsyncContextManager[Client]]


@pytest.fixture
def over_stdio(db: Path, tmp_path: Path) -> Connect:
    """A client of `vademecum mcp` as a process of its own."""

    @asynccontextmanager
    async def connect(*more: str) -> AsyncIterator[Client]:
        arguments = ["-m", "vademecum", "mcp", "--db", str(db), *more]
        server = StdioServerParameters(command=sys.executable, args=arguments, env=environment(tmp_path))
        async with Client(stdio_client(server)) as client:
            yield client

    return connect


@pytest.fixture
def over_http(db: Path, tmp_path: Path) -> Callable[..., AbstractAsyncContextManager[str]]:
    """The URL of `vademecum mcp --http` as a process of its own, which has to end well on SIGTERM."""

    @asynccontextmanager
    async def serve(*more: str) -> AsyncIterator[str]:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "vademecum", "mcp", "--http", "--port", "0", "--db", str(db), *more,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, **environment(tmp_path)},
        )  # fmt: skip
        assert process.stderr is not None
        try:
            line = await asyncio.wait_for(process.stderr.readline(), PATIENCE_S)
            found = re.search(r"http://\S+/mcp", line.decode())
            assert found, line
            yield found[0]
        finally:
            process.terminate()
            rest = await asyncio.wait_for(process.stderr.read(), PATIENCE_S)
            assert await process.wait() == 0, rest.decode()

    return serve
