"""The window of each request is that of its model at its endpoint: asked for, looked up, learned, remembered."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from fault import fault
from proxy.harness import CHAT, GEMINI, MESSAGES, OLLAMA, Between, Reply, config, run, serving
from proxy.transcripts import MAKERS, body
from proxy.upstream import Answer, Received, Upstream, plain
from requirement import requirement
from vademecum.proxy.windows import Running


@asynccontextmanager
async def proxy_of(upstream: Upstream, db: Path, **settings: Any) -> AsyncIterator[Between]:
    """A proxy of its own in front of an upstream that goes on when it is started anew."""
    settings.setdefault("window", None)
    async with serving(config(upstream.url, db, **settings)) as url, aiohttp.ClientSession() as client:
        yield Between(upstream, url, client)


@asynccontextmanager
async def upstream_that(answer: Answer = plain, **windows: Any) -> AsyncIterator[Upstream]:
    upstream = Upstream(answer, windows={f"/{path}": said for path, said in windows.items()})
    await upstream.start()
    try:
        yield upstream
    finally:
        await upstream.stop()


def props(tokens: int) -> dict[str, Any]:
    return {"default_generation_settings": {"n_ctx": tokens}}


def window(reply: Reply) -> tuple[int, str]:
    return int(reply.headers["x-vademecum-window"]), reply.headers["x-vademecum-window-origin"]


async def asked(proxy: Between, *, model: str = "m", path: str = CHAT, rounds: int = 1, **headers: str) -> Reply:
    return await proxy.send(path, body(path, MAKERS[path](rounds)) | {"model": model}, headers=headers)


def with_window(most: int) -> Answer:
    """An upstream of such a window, in characters and hence far above it in tokens, that names it when it refuses."""

    async def answer(_: web.Request, received: Received) -> web.StreamResponse:
        if len(received.body) / 4 <= most:
            return web.json_response({"ok": True})
        text = (
            f"This model's maximum context length is {most} tokens. However, your messages resulted in 99999 tokens"
        )
        return web.json_response({"error": {"message": text, "code": "context_length_exceeded"}}, status=400)

    return answer


@requirement("M-2", "M-3")
def test_the_server_is_asked_before_a_first_request_of_which_nothing_is_known(db: Path) -> None:
    async def work() -> None:
        async with upstream_that(props=props(4_096)) as upstream, proxy_of(upstream, db) as proxy:
            assert window(await asked(proxy)) == (4_096, "probed")
            questions = len(upstream.asked)
            assert window(await asked(proxy)) == (4_096, "probed")
            assert len(upstream.asked) == questions

    run(work())


@requirement("M-2", "M-3")
def test_a_window_is_remembered_after_a_restart_and_refreshed_when_it_changed(db: Path) -> None:
    async def work() -> None:
        async with upstream_that(props=props(4_096)) as upstream:
            async with proxy_of(upstream, db) as proxy:
                await asked(proxy)
            upstream.windows.clear()  # the server says nothing now
            async with proxy_of(upstream, db) as proxy:
                assert window(await asked(proxy)) == (4_096, "probed")
            upstream.windows["/props"] = props(16_384)
            async with proxy_of(upstream, db) as proxy:
                await asked(proxy)
                await _until(proxy, (16_384, "probed"))

    run(work())


@requirement("M-3")
def test_a_late_answer_counts_from_the_next_request_on(db: Path) -> None:
    async def work() -> None:
        # The catalog knows the model, so its first request does not wait.
        async with upstream_that(props=props(6_000)) as upstream, proxy_of(upstream, db) as proxy:
            assert window(await asked(proxy, model="gpt-4")) in ((8_192, "catalog"), (6_000, "probed"))
            await _until(proxy, (6_000, "probed"), model="gpt-4")

    run(work())


async def _until(proxy: Between, expected: tuple[int, str], **more: Any) -> None:
    """Asks until the window is that one; what never comes hangs, and fails."""
    while window(await asked(proxy, **more)) != expected:
        pass


@fault(5)
@requirement("M-2", "M-4", "M-6")
def test_a_catalog_that_lies_costs_one_refused_request_once(db: Path) -> None:
    """The catalog has 8,192 tokens for the model, the server takes half of it."""

    async def work() -> None:
        async with upstream_that(with_window(4_096)) as upstream:
            async with proxy_of(upstream, db, trigger=7_000) as proxy:
                first = await asked(proxy, model="gpt-4", rounds=24)
                assert (first.status, window(first)) == (200, (4_096, "learned"))
                assert len(upstream.received) == 2
                for rounds in (25, 40, 60):
                    assert (await asked(proxy, model="gpt-4", rounds=rounds)).status == 200
                assert len(upstream.received) == 5
            async with proxy_of(upstream, db, trigger=7_000) as proxy:
                again = await asked(proxy, model="gpt-4", rounds=70)
                assert (again.status, window(again)) == (200, (4_096, "learned"))
                assert len(upstream.received) == 6

    run(work())


@fault(4)
@requirement("M-2", "M-6")
def test_a_model_that_nobody_knows_is_corrected_by_its_first_overflow(db: Path) -> None:
    async def work() -> None:
        async with upstream_that(with_window(6_000)) as upstream, proxy_of(upstream, db) as proxy:
            assert window(await asked(proxy)) == (32_000, "default")
            assert window(await asked(proxy, rounds=40)) == (6_000, "learned")
            sent = len(upstream.received)
            assert (await asked(proxy, rounds=60)).status == 200
            assert len(upstream.received) == sent + 1

    run(work())


@requirement("M-2", "M-6")
def test_what_was_learned_caps_the_user_s_window_until_the_runtime_says_otherwise(db: Path) -> None:
    async def work() -> None:
        async with upstream_that(with_window(4_096)) as upstream:
            async with proxy_of(upstream, db, window=100_000) as proxy:
                assert window(await asked(proxy, rounds=1)) == (100_000, "user")
                assert upstream.asked == []  # the user's word is enough
                assert window(await asked(proxy, rounds=40)) == (4_096, "learned")
            upstream.windows["/props"] = props(50_000)
            async with proxy_of(upstream, db, window=100_000) as proxy:
                await _until(proxy, (100_000, "user"))

    run(work())


@fault(2, 95)
@requirement("M-1")
def test_models_of_one_proxy_have_their_own_windows(db: Path) -> None:
    async def work() -> None:
        listed = {"data": [{"id": "small", "max_model_len": 4_096}, {"id": "large", "max_model_len": 65_536}]}
        async with upstream_that() as upstream, proxy_of(upstream, db) as proxy:
            upstream.windows["/v1/models"] = listed
            assert window(await asked(proxy, model="small")) == (4_096, "probed")
            assert window(await asked(proxy, model="large")) == (65_536, "probed")
            assert window(await asked(proxy, model="claude-3-5-haiku-20241022"))[1] == "catalog"
            assert window(await asked(proxy, model="nobody-knows")) == (32_000, "default")
            assert window(await proxy.send(GEMINI, body(GEMINI, MAKERS[GEMINI](1)))) == (32_000, "default")

    run(work())


@requirement("M-1")
def test_a_request_that_names_no_model_goes_out_as_it_came(db: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        sent = {key: value for key, value in body(CHAT, MAKERS[CHAT](60)).items() if key != "model"}
        async with upstream_that() as upstream:
            async with proxy_of(upstream, db) as proxy:
                reply = await proxy.send(CHAT, sent)
                assert (reply.status, "x-vademecum-window" in reply.headers) == (200, False)
                assert proxy.last.messages == sent["messages"]
            async with proxy_of(upstream, db, window=4_000) as proxy:
                reply = await proxy.send(CHAT, sent)
                assert (window(reply), reply.cycle) == ((4_000, "user"), 1)

    run(work())
    assert "names no model" in caplog.text


@fault(11)
@requirement("M-1", "M-2")
def test_the_header_for_a_million_tokens_is_looked_at(db: Path) -> None:
    async def work() -> None:
        model, wide = "claude-3-5-haiku-20241022", {"anthropic-beta": "tools-x, context-1m-2025-08-07"}
        async with upstream_that() as upstream, proxy_of(upstream, db) as proxy:
            assert window(await asked(proxy, model=model, path=MESSAGES)) == (200_000, "catalog")
            assert window(await asked(proxy, model=model, path=MESSAGES, **wide)) == (1_000_000, "catalog")

    run(work())
    plainly, wide = Running.of("m", {}), Running.of("m", {"anthropic-beta": "context-1m-2025-08-07"})
    assert plainly.learned_as != wide.learned_as  # what one was refused says nothing of the other


@requirement("M-2")
def test_what_a_request_has_its_runtime_set_aside_is_its_window(db: Path) -> None:
    async def work() -> None:
        async with upstream_that() as upstream, proxy_of(upstream, db) as proxy:
            sent = body(OLLAMA, MAKERS[OLLAMA](1), options={"num_ctx": 6_000})
            assert window(await proxy.send(OLLAMA, sent)) == (6_000, "user")

    run(work())


@requirement("M-3")
def test_the_key_of_a_request_is_sent_along_and_not_kept(db: Path) -> None:
    async def work() -> None:
        async with upstream_that(props=props(4_096)) as upstream, proxy_of(upstream, db) as proxy:
            await asked(proxy, Authorization="Bearer sk-secret-of-mine")
            assert {question.header("authorization")[0] for question in upstream.asked} == {
                "Bearer sk-secret-of-mine"
            }

    run(work())
    kept = b"".join(file.read_bytes() for file in db.parent.glob(f"{db.name}*"))
    assert b"sk-secret-of-mine" not in kept
