"""The proxy in front of a real llama.cpp server: its window, its overflows, its death, its cache."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from e2e.llama import Llama, free_port, llama
from proxy.harness import CHAT, MESSAGES, RESPONSES, Between, Reply, config, run, serving
from proxy.upstream import Upstream
from requirement import requirement
from vademecum.archive import Archive
from vademecum.models.probe import probed

#: As small as it gets, so that little has to be read.
WINDOW = 1_024
WORDS = "the parser reads each line of the file and keeps what it needs for the report of the week "


@pytest.fixture(scope="module")
def server() -> Iterator[Llama]:
    with llama(WINDOW) as started:
        yield started


@asynccontextmanager
async def proxy_of(url: str, db: Path, **settings: Any) -> AsyncIterator[Between]:
    settings.setdefault("window", None)
    async with serving(config(url, db, **settings)) as at, aiohttp.ClientSession() as client:
        yield Between(Upstream(), at, client)


def talk(rounds: int, words: int = 40, about: str = "the parser") -> list[dict[str, Any]]:
    """A conversation; what it begins with stays the same however long it is.

    The server remembers prompts of others, so one whose cache is looked at is about something of its own.
    """
    said = " ".join((WORDS * (words // 18 + 1)).split()[:words])
    messages: list[dict[str, Any]] = [{"role": "user", "content": f"Please help me with {about}. Say yes."}]
    for at in range(rounds):
        messages.append({"role": "assistant", "content": f"Step {at} of {about}: {said}."})
        messages.append({"role": "user", "content": f"Go on with step {at + 1}."})
    return messages


def request(path: str, messages: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    # No sampling and few words: what is looked at is the wire.
    match path:
        case "/v1/responses":
            items = [_item(**message) for message in messages]
            return {"model": "smollm2", "input": items, "max_output_tokens": 4, "temperature": 0, **more}
        case _:
            return {"model": "smollm2", "messages": messages, "max_tokens": 4, "temperature": 0, **more}


def _item(role: str, content: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": content}]}


def window(reply: Reply) -> tuple[int, str]:
    return int(reply.headers["x-vademecum-window"]), reply.headers["x-vademecum-window-origin"]


def usage(reply: Reply) -> tuple[int, int]:
    """All prompt tokens, and those that came out of the cache."""
    told = reply.json["usage"]
    return told["prompt_tokens"], told["prompt_tokens_details"]["cached_tokens"]


@requirement("M-3")
def test_the_window_is_what_the_server_has_set_aside(server: Llama) -> None:
    async def work() -> None:
        async with aiohttp.ClientSession() as client:
            found = await probed(client, server.url, "smollm2", now=1.0)
        assert found is not None
        assert (found.window, found.standing, found.source) == (WINDOW, "runtime", "llama.cpp GET /props")

    run(work())


@requirement("C-33", "M-2", "M-6", "M-7")
@pytest.mark.parametrize("path", [CHAT, RESPONSES, MESSAGES])
def test_a_real_overflow_becomes_a_success(server: Llama, tmp_path: Path, path: str) -> None:
    """The user takes the window for a hundred times what it is; the server says so, and that is learned."""

    async def work() -> None:
        async with proxy_of(server.url, tmp_path / "a.db", window=100_000) as proxy:
            first = await proxy.send(path, request(path, talk(30)))
            assert (first.status, window(first), first.cycle) == (200, (WINDOW, "learned"), 1), first.body[:300]
            if path == CHAT:
                again = await proxy.send(path, request(path, talk(31)))
                assert (again.status, window(again)) == (200, (WINDOW, "learned")), again.body[:300]

    run(work())
    with Archive.open(tmp_path / "a.db") as archive:
        kept = archive.windows.of(server.url, "smollm2").learned
        assert kept is not None
        assert kept.window == WINDOW


@requirement("M-9", "C-9")
def test_usage_is_the_tokenizer_s_and_a_compaction_breaks_the_cache_once(server: Llama, tmp_path: Path) -> None:
    async def work() -> None:
        async with proxy_of(server.url, tmp_path / "a.db", trigger=600) as proxy:
            shares: list[float] = []
            cycles: list[int] = []
            for rounds in (4, 5, 13, 14):
                sent = talk(rounds, 30, "the cache")
                reply = await proxy.send(CHAT, request(CHAT, sent))
                assert (reply.status, window(reply)) == (200, (WINDOW, "probed")), reply.body[:300]
                prompt, cached = usage(reply)
                shares.append(cached / prompt)
                cycles.append(reply.cycle)
                if not reply.cycle:
                    assert prompt == server.tokens(sent)
            assert cycles == [0, 0, 1, 1]
            assert shares[1] > 0.6  # what was appended is read anew, and no more
            assert shares[2] < 0.5  # the context is another one
            assert shares[3] > 0.6  # and then stays it

    run(work())
    with Archive.open(tmp_path / "a.db") as archive:
        assert archive.sessions()[0].cycles == 1


@requirement("M-3", "P-4")
def test_a_server_that_dies_in_a_stream_and_comes_back_with_another_window(tmp_path: Path) -> None:
    async def work() -> None:
        port = free_port()
        asked = request(CHAT, talk(1), max_tokens=400, stream=True)
        with llama(WINDOW, port=port) as first:
            async with proxy_of(first.url, tmp_path / "a.db") as proxy:
                async with proxy.client.post(proxy.url + CHAT, json=asked) as reply:
                    assert reply.headers["x-vademecum-window"] == str(WINDOW)
                    begun = await reply.content.readany()
                    await asyncio.to_thread(first.kill)
                    rest = begun + await reply.content.read()
                error = json.loads(rest.rstrip().rsplit(b"data:", 1)[1])["error"]
                assert "the upstream broke off" in error["message"]
                async with proxy.client.get(proxy.url + "/health") as alive:
                    assert alive.status == 200
                gone = await proxy.send(CHAT, request(CHAT, talk(1)))
                assert (gone.status, "could not be reached" in gone.json["error"]["message"]) == (502, True)
                with llama(2 * WINDOW, port=port):
                    while window(back := await proxy.send(CHAT, request(CHAT, talk(1)))) == (WINDOW, "probed"):
                        assert back.status == 200
                    assert window(back) == (2 * WINDOW, "probed")

    run(work())
