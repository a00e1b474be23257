"""What errors teach: output limits, windows that an error about the reply names, wordings of one's own."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from proxy.harness import CHAT, Between, config, run, serving
from proxy.transcripts import MAKERS, body
from proxy.upstream import Answer, Received, Upstream, stream_of
from requirement import requirement
from vademecum.archive import Archive
from vademecum.models.errors.own import table_with

CAP = 4_096


@asynccontextmanager
async def proxy_of(answer: Answer, db: Path, **settings: Any) -> AsyncIterator[Between]:
    upstream = Upstream(answer)
    await upstream.start()
    try:
        settings.setdefault("window", None)
        async with serving(config(upstream.url, db, **settings)) as url, aiohttp.ClientSession() as client:
            yield Between(upstream, url, client)
    finally:
        await upstream.stop()


async def capped(_: web.Request, received: Received) -> web.StreamResponse:
    asked = json.loads(received.body)["max_tokens"]
    if asked <= CAP:
        return web.json_response({"ok": True})
    text = f"max_tokens is too large: {asked}. This model supports at most {CAP} completion tokens."
    return web.json_response({"error": {"message": text, "type": "invalid_request_error"}}, status=400)


@requirement("M-5", "M-7", "C-5")
def test_an_output_cap_costs_one_refused_request_and_is_known_to_the_library(db: Path) -> None:
    sent = body(CHAT, MAKERS[CHAT](2)) | {"model": "gpt-4.1", "max_tokens": 128_000}

    async def work() -> str:
        async with proxy_of(capped, db) as proxy:
            for _ in range(3):
                assert (await proxy.send(CHAT, sent)).status == 200
            limits = [json.loads(received.body)["max_tokens"] for received in proxy.upstream.received]
            assert limits == [128_000, CAP, CAP, CAP]
            assert proxy.last.messages == sent["messages"]
            small = await proxy.send(CHAT, sent | {"max_tokens": 100})
            assert (small.status, json.loads(proxy.last.body)["max_tokens"]) == (200, 100)
            return proxy.upstream.url

    url = run(work())
    with Archive.open(db) as archive:
        learned = archive.windows.of(url, "gpt-4.1").learned
    assert learned is not None
    assert (learned.window, learned.max_output) == (None, CAP)


@requirement("M-6", "M-7")
def test_a_window_that_an_error_about_the_reply_names_costs_one_refused_request(db: Path) -> None:
    """The catalog has a million for the model, the server an eighth of it: only the reply was too long."""

    async def short(_: web.Request, received: Received) -> web.StreamResponse:
        asked, size = json.loads(received.body)["max_tokens"], len(received.body) // 4
        if asked + size <= 131_072:
            return web.json_response({"ok": True})
        text = (
            f"This model's maximum context length is 131072 tokens. However, you requested {asked + size} tokens "
            f"({size} in the messages, {asked} in the completion). Please reduce the length of either."
        )
        return web.json_response({"error": {"message": text, "type": "invalid_request_error"}}, status=400)

    async def work() -> None:
        async with proxy_of(short, db) as proxy:
            for _ in range(3):
                sent = body(CHAT, MAKERS[CHAT](8)) | {"model": "gpt-4.1", "max_tokens": 131_000}
                assert (await proxy.send(CHAT, sent)).status == 200
                assert proxy.last.messages == sent["messages"]  # nothing was compacted
            assert len(proxy.upstream.received) == 4

    run(work())


@requirement("M-5")
@pytest.mark.parametrize("stream", [False, True])
def test_wordings_of_ones_own_are_understood(stream: bool, db: Path) -> None:
    own = db.parent / "errors.toml"
    own.write_text("[[input]]\nkind = 'context_overflow'\nsays = ['the pot is full']\n")

    async def pot(request: web.Request, received: Received) -> web.StreamResponse:
        if len(received.body) < 12_000:
            return web.json_response({"ok": True})
        error = {"error": {"message": "The pot is full", "type": "invalid_request_error"}}
        if not stream:
            return web.json_response(error, status=400)
        response = await stream_of(request)
        await response.write(f"data: {json.dumps(error)}\n\n".encode())
        return response

    async def sent(wordings: Path | None) -> tuple[int, bytes, int]:
        settings = {"window": 8_000, "trigger": 7_500, "wordings": table_with(wordings)}
        async with proxy_of(pot, db.parent / f"{wordings is None}.db", **settings) as proxy:
            reply = await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](30, words=60)) | {"stream": stream})
            return reply.status, reply.body, len(proxy.upstream.received)

    status, said, _ = run(sent(None))
    assert b"pot" in said
    assert status == (200 if stream else 400)
    status, said, requests = run(sent(own))
    assert (status, said) == (200, b'{"ok": true}')
    assert requests == 2
