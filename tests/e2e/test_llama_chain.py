"""The proxy in front of two real llama.cpp servers: one dies, the other answers, the first returns."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from e2e.llama import Llama, free_port, llama
from e2e.test_llama import request, talk
from proxy.harness import CHAT, MESSAGES, RESPONSES, Between, Reply, config, run, serving
from proxy.test_chain import Clock
from proxy.upstream import Upstream
from requirement import requirement

LARGE, SMALL = 2_048, 1_024


@pytest.fixture(scope="module")
def small() -> Iterator[Llama]:
    with llama(SMALL) as started:
        yield started


@requirement("P-7", "M-8", "P-4")
@pytest.mark.parametrize("path", [CHAT, RESPONSES, MESSAGES])
def test_the_large_one_dies_the_small_one_answers_the_large_one_returns(
    small: Llama, tmp_path: Path, path: str
) -> None:
    clock, port = Clock(), free_port()

    async def work() -> None:
        settings = config(
            f"http://127.0.0.1:{port}#large", tmp_path / "a.db", others=[f"{small.url}#small"], window=None, now=clock
        )
        async with serving(settings) as url, aiohttp.ClientSession() as client:
            proxy = Between(Upstream(), url, client)

            async def ask(rounds: int) -> tuple[str, int]:
                reply: Reply = await proxy.send(path, request(path, talk(rounds, 15)))
                assert (reply.status, bool(reply.json.get("usage"))) == (200, True), reply.body[:300]
                model, _, _ = reply.headers["x-vademecum-upstream"].partition(" at ")
                return model, int(reply.headers["x-vademecum-window"])

            with llama(LARGE, port=port) as first:
                assert await ask(8) == ("large", LARGE)
                length = "max_output_tokens" if path == RESPONSES else "max_tokens"
                sent = request(path, talk(9, 15), stream=True, **{length: 400})
                async with client.post(url + path, json=sent) as reply:
                    begun = await reply.content.readany()
                    await asyncio.to_thread(first.kill)
                    rest = begun + await reply.content.read()
                assert b"the upstream broke off" in rest.rstrip().rsplit(b"data:", 1)[1]
                assert await ask(9) == ("small", SMALL)
                with llama(LARGE, port=port):
                    assert await ask(10) == ("small", SMALL)
                    clock.at += 31
                    assert await ask(11) == ("large", LARGE)

    run(work())
