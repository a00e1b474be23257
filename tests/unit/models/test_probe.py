"""Asking a server for a window: over a socket, with servers that answer, lie, hang or are gone."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
from aiohttp import web

from requirement import requirement
from vademecum.core.windows import Told
from vademecum.models.probe import probed, served

PROPS = {"default_generation_settings": {"n_ctx": 4_096}, "total_slots": 1}


@asynccontextmanager
async def server(answers: dict[str, Any], seen: list[web.Request] | None = None) -> AsyncIterator[str]:
    """A server that has these paths: data to send as JSON, or a coroutine that is waited for first."""

    async def handle(request: web.Request) -> web.Response:
        if seen is not None:
            seen.append(request)
        answer = answers.get(request.path, web.HTTPNotFound())
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Callable):
            answer = await answer()
        body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        return web.Response(body=body, content_type="application/json")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def ask(url: str, model: str = "m", **more: Any) -> Told | None:
    async with aiohttp.ClientSession() as client:
        return await probed(client, url, model, now=5.0, **more)


@requirement("M-3")
def test_a_llama_cpp_server() -> None:
    async def scene() -> None:
        trained = {"data": [{"id": "m", "meta": {"n_ctx_train": 32_768}}]}
        async with server({"/props": PROPS, "/v1/models": trained}) as url:
            assert await ask(f"{url}/v1") == Told(4_096, "runtime", "llama.cpp GET /props", 5.0)

    asyncio.run(scene())


@requirement("M-3")
def test_ollama_before_and_after_the_model_is_loaded() -> None:
    shown = {"model_info": {"general.architecture": "q", "q.context_length": 262_144}}

    async def scene() -> None:
        answers: dict[str, Any] = {"/api/ps": {"models": []}, "/api/show": shown}
        seen: list[web.Request] = []
        async with server(answers, seen) as url:
            before = await ask(url)
            answers["/api/ps"] = {"models": [{"model": "m", "context_length": 8_192}]}
            after = await ask(url)
        assert before is not None
        assert after is not None
        assert (before.window, before.standing) == (262_144, "bound")
        assert (after.window, after.standing) == (8_192, "runtime")
        assert {request.method for request in seen if request.path == "/api/show"} == {"POST"}

    asyncio.run(scene())


@requirement("M-3")
def test_a_dead_server_costs_one_short_timeout() -> None:
    async def never() -> None:
        await asyncio.Event().wait()

    async def scene() -> None:
        async with server(dict.fromkeys(("/props", "/v1/models", "/api/ps", "/info"), never)) as url:
            assert await asyncio.wait_for(ask(url, timeout=0.3), 10) is None
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))  # nothing listens there
            assert await ask(f"http://127.0.0.1:{taken.getsockname()[1]}") is None

    asyncio.run(scene())


@requirement("M-3")
def test_one_slow_answer_does_not_take_the_others_along() -> None:
    async def never() -> None:
        await asyncio.Event().wait()

    async def scene() -> None:
        async with server({"/props": PROPS, "/info": never}) as url:
            found = await ask(url, timeout=0.5)
            assert found is not None
            assert found.window == 4_096

    asyncio.run(scene())


def test_answers_that_are_none() -> None:
    async def scene() -> None:
        wrong = {"error": "Unexpected endpoint or method. (GET /api/ps)"}
        answers = {"/api/ps": wrong, "/props": b"<html>", "/v1/models": b'{"data": [' + b"[" * 5_000}
        async with server(answers) as url:
            assert await ask(url) is None
            assert await ask("https://api.openai.com") is None  # publishes none, so it is not asked

    asyncio.run(scene())


def test_the_key_goes_along_and_nothing_else_of_the_client() -> None:
    async def scene() -> None:
        seen: list[web.Request] = []
        async with server({"/props": PROPS}, seen) as url:
            await ask(url, headers={"Authorization": "Bearer k", "X-Session": "s", "Cookie": "c=1"})
        assert {request.headers["authorization"] for request in seen} == {"Bearer k"}
        assert not any(name in request.headers for request in seen for name in ("X-Session", "Cookie"))

    asyncio.run(scene())


def test_the_models_that_are_served() -> None:
    async def scene() -> None:
        listed = {"data": [{"id": "a"}, {"id": "b"}, {"name": "c"}]}
        async with aiohttp.ClientSession() as client:
            async with server({"/v1/models": listed}) as url:
                assert await served(client, url) == ["a", "b"]
            assert await served(client, url) is None

    asyncio.run(scene())
