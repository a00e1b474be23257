"""Each member of a chain gets the context that fits its own window, under its own model and with its own key."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from proxy.harness import CHAT, GEMINI, MESSAGES, RESPONSES, config, run, serving
from proxy.test_chain import BUSY, QUICK, Chain, Clock, chained, failing, model_called
from proxy.transcripts import MAKERS, body
from proxy.upstream import Answer, Received, Upstream
from requirement import requirement


def windowed(tokens: int, name: str) -> tuple[Answer, dict[str, Any]]:
    """An upstream whose runtime says its window, and which refuses what is above it by a rough count."""

    async def answer(_: web.Request, received: Received) -> web.StreamResponse:
        sent = len(received.body) // 6
        if sent <= tokens:
            return web.json_response({"model": name})
        said = f"This model's maximum context length is {tokens} tokens. However, your messages have {sent} tokens."
        return web.json_response({"error": {"message": said, "code": "context_length_exceeded"}}, status=400)

    return answer, {"/props": {"default_generation_settings": {"n_ctx": tokens}}}


async def ask(proxy: Chain, path: str, rounds: int, **more: Any) -> Any:
    return await proxy.send(path, body(path, MAKERS[path](rounds), **more))


def said(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages without reasoning: what the small one thought is not the large one's."""
    return [message for message in messages if message.get("type") != "reasoning"]


@requirement("P-7", "M-8", "C-33")
@pytest.mark.parametrize("path", [CHAT, RESPONSES])
def test_the_small_window_s_context_is_a_view_of_its_own(db: Path, path: str) -> None:
    clock = Clock()

    async def work() -> None:
        (large, props), (small, small_props) = windowed(60_000, "large"), windowed(6_000, "small")
        async with chained(db, large, small, window=None, now=clock) as proxy:
            proxy.upstream.windows, proxy.second.windows = props, small_props
            first = await ask(proxy, path, 60)
            assert (first.json["model"], first.cycle, first.headers["x-vademecum-window"]) == ("large", 0, "60000")
            await proxy.upstream.stop()
            away = await ask(proxy, path, 61)
            assert (away.json["model"], away.cycle, away.headers["x-vademecum-window"]) == ("small", 1, "6000")
            assert int(away.headers["x-vademecum-tokens"]) <= 6_000
            await proxy.upstream.start()
            clock.at += 31
            # The large one's context is what it was: nothing of it was compacted meanwhile.
            back = await ask(proxy, path, 62)
            assert (back.json["model"], back.cycle) == ("large", 0)
            assert said(proxy.upstream.received[-1].messages) == said(MAKERS[path](62))
            await proxy.upstream.stop()
            # The small one goes on from its own, and keeps its prefix.
            again = await ask(proxy, path, 63)
            assert (again.json["model"], again.cycle) == ("small", 1)
            before, after = proxy.second.received[0].messages, proxy.second.received[-1].messages
            assert after[: len(before)] == before
            assert all(status == 200 for status in (first.status, away.status, back.status, again.status))

    run(work())


@requirement("P-7", "M-8")
def test_an_overflow_moves_to_a_larger_window_only_where_nothing_shrinks_any_more(db: Path) -> None:
    big = {"role": "system", "content": "word " * 20_000}
    sent = {"model": "m", "messages": [big, {"role": "user", "content": "Go on."}]}

    async def work() -> None:
        (small, small_props), (large, props) = windowed(6_000, "small"), windowed(60_000, "large")
        third = Upstream(windowed(4_000, "tiny")[0], windows=windowed(4_000, "tiny")[1])
        await third.start()
        upstreams = [Upstream(small, windows=small_props), third, Upstream(large, windows=props)]
        await upstreams[0].start()
        await upstreams[2].start()
        settings = config(upstreams[0].url, db, others=[one.url for one in upstreams[1:]], window=None)
        try:
            async with serving(settings) as url, chained(db, small, large) as client:
                client.url = url
                reply = await client.send(CHAT, sent)
                assert (reply.status, reply.json["model"]) == (200, "large")
                # What cannot fit a window is not even sent there.
                assert [len(one.received) for one in upstreams] == [0, 0, 1]
                # What can be compacted stays with the first.
                reply = await client.send(CHAT, body(CHAT, MAKERS[CHAT](60)))
                assert (reply.json["model"], [len(one.received) for one in upstreams]) == ("small", [1, 0, 1])
        finally:
            for one in upstreams:
                await one.stop()

    run(work())


@requirement("P-7", "M-8")
def test_a_window_that_is_smaller_than_was_said_is_compacted_to_before_another_is_asked(db: Path) -> None:
    async def work() -> None:
        small, _ = windowed(5_000, "small")
        large, _ = windowed(60_000, "large")
        async with chained(db, small, large, window=60_000) as proxy:
            reply = await ask(proxy, CHAT, 120)
            assert (reply.status, reply.json["model"], reply.cycle >= 1) == (200, "small", True)
            assert proxy.counts[1] == 0
            sizes = [len(received.body) for received in proxy.upstream.received]
            assert (len(sizes) > 1, sizes) == (True, sorted(sizes, reverse=True))

    run(work())


@requirement("P-7", "M-8")
@pytest.mark.parametrize("path", [CHAT, MESSAGES, RESPONSES, GEMINI])
def test_a_member_s_model_and_key_replace_the_client_s(db: Path, path: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    key = {"x-goog-api-key": "client-key-1"} if path == GEMINI else {"Authorization": "Bearer client-key-1"}
    asked = f"{path}?alt=sse&key=client-key-1" if path == GEMINI else path

    async def work() -> None:
        models = ("", "small/model?key=SECOND_KEY")
        settings = {"keys": {"SECOND_KEY": "own-key-2"}, "now": Clock()}
        async with chained(db, failing(529, BUSY), model_called("small"), models=models, **settings) as proxy:
            sent = body(path, MAKERS[path](2), **({} if path == GEMINI else {"model": "m"}))
            reply = await proxy.send(asked, sent, headers=key)
            assert reply.status == 200
            assert reply.headers["x-vademecum-upstream"] == f"small/model at {proxy.second.url}"
            first, second = proxy.upstream.received[0], proxy.second.received[0]
            (name,) = key
            assert first.header(name) == [key[name]]
            assert second.header(name) == [key[name].replace("client-key-1", "own-key-2")]
            assert "client-key-1" not in repr(second)
            assert "own-key-2" not in repr(first)
            if path == GEMINI:
                assert second.target.startswith("/v1beta/models/small%2Fmodel:generateContent?alt=sse")
                assert second.body == first.body
            else:
                assert json.loads(second.body) == {**json.loads(first.body), "model": "small/model"}

    run(work())
    stored = b"".join(one.read_bytes() for one in db.parent.iterdir())
    assert b"own-key" not in stored
    assert "own-key" not in caplog.text


@requirement("P-7", "M-8")
def test_what_another_model_thought_is_not_sent(db: Path) -> None:
    clock = Clock()

    def said(at: int) -> dict[str, Any]:
        thought = {"type": "thinking", "thinking": f"hm {at}", "signature": f"sig{at}"}
        return {"role": "assistant", "content": [thought, {"type": "text", "text": f"Step {at}."}]}

    def talk(rounds: int) -> dict[str, Any]:
        rows = [{"role": "user", "content": "Port the module."}]
        for at in range(rounds):
            rows += [said(at), {"role": "user", "content": f"Go on {at}."}]
        return {"model": "m", "max_tokens": 100, "messages": rows}

    def thoughts(upstream: Upstream) -> list[str]:
        text = upstream.received[-1].body.decode()
        return [f"sig{at}" for at in range(4) if f"sig{at}" in text]

    async def work() -> None:
        async with chained(db, model_called("a"), model_called("b"), now=clock) as proxy:
            await proxy.send(MESSAGES, talk(0))
            await proxy.send(MESSAGES, talk(1))
            assert thoughts(proxy.upstream) == ["sig0"]
            await proxy.upstream.stop()
            await proxy.send(MESSAGES, talk(2))
            assert thoughts(proxy.second) == []
            await proxy.send(MESSAGES, talk(3))
            assert thoughts(proxy.second) == ["sig2"]
            await proxy.upstream.start()
            clock.at += 31
            await proxy.send(MESSAGES, talk(4))
            # What the first wrote before it went away is its own again.
            assert thoughts(proxy.upstream) == ["sig0", "sig1"]

    run(work())


@requirement("P-7", "M-8")
def test_another_process_knows_who_cools_down_and_other_sessions_do_not(db: Path) -> None:
    clock = Clock()

    async def work() -> None:
        async with chained(db, failing(529, BUSY), model_called("small")) as proxy:
            settings = config(proxy.upstream.url, db, others=[proxy.second.url], now=clock, retries=QUICK)
            async with serving(settings) as url:
                proxy.url = url
                await ask(proxy, CHAT, 2)
                assert proxy.counts == (2, 1)
            async with serving(settings) as url:
                proxy.url = url
                await ask(proxy, CHAT, 3)
                assert proxy.counts == (2, 2)
                await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](2, tag="b")))
                assert proxy.counts[0] > 2

    run(work())


@requirement("P-7", "P-10")
@pytest.mark.parametrize("path", [CHAT, MESSAGES, RESPONSES])
def test_the_first_of_several_gets_the_client_s_bytes(db: Path, path: str) -> None:
    async def work() -> None:
        async with chained(db, model_called("a"), model_called("b")) as proxy:
            sent = (json.dumps(body(path, MAKERS[path](3)), indent=2) + "\n").encode()
            await proxy.send(path, sent)
            assert proxy.upstream.received[-1].body == sent

    run(work())


@requirement("P-7")
@pytest.mark.parametrize("path", [CHAT, MESSAGES, GEMINI])
def test_the_client_s_key_does_not_go_to_another_host(db: Path, path: str) -> None:
    key = {"x-goog-api-key": "client-key-1"} if path == GEMINI else {"Authorization": "Bearer client-key-1"}
    asked = f"{path}?alt=sse&key=client-key-1" if path == GEMINI else path

    async def work() -> None:
        # The same machine by another name, which is another host to whoever holds a key.
        async with chained(db, failing(529, BUSY), model_called("second"), host="localhost") as proxy:
            sent = body(path, MAKERS[path](2), **({} if path == GEMINI else {"model": "m"}))
            reply = await proxy.send(asked, sent, headers=key)
            assert (reply.status, len(proxy.second.received)) == (200, 1)
            assert "client-key-1" in repr(proxy.upstream.received[0])
            assert "client-key-1" not in repr(proxy.second.received)

    run(work())
