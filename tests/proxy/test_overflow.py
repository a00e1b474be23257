"""An upstream that finds a request too large gets a smaller one; the client does not notice."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from fault import fault
from proxy.harness import CHAT, ENDPOINTS, GEMINI, MESSAGES, OLLAMA, RESPONSES, between, encoded, run
from proxy.transcripts import MAKERS, body
from proxy.upstream import Answer, Received, stream_of
from requirement import requirement

#: How each format's provider says it.
REFUSALS: dict[str, Any] = {
    CHAT: {"error": {"message": "Too long", "type": "invalid_request_error", "code": "context_length_exceeded"}},
    MESSAGES: {
        "type": "error",
        "error": {"type": "invalid_request_error", "message": "prompt is too long: 210266 tokens > 200000 maximum"},
    },
    RESPONSES: {"error": {"message": "Your input exceeds the context window of this model.", "code": None}},
    OLLAMA: {"error": "prompt too long; exceeded max context length by 918 tokens"},
    GEMINI: {
        "error": {
            "code": 400,
            "message": "The input token count (134123) exceeds the maximum number of tokens allowed (131072).",
            "status": "INVALID_ARGUMENT",
        }
    },
}


def accepting(most: int, refusal: Any, *, status: int = 400, packed: bool = False) -> Answer:
    """An upstream that takes bodies of at most so many bytes."""

    async def answer(request: web.Request, received: Received) -> web.StreamResponse:
        if len(received.body) <= most:
            return web.json_response({"ok": True})
        if status == 200:
            response = await stream_of(request)
            await response.write(f"event: error\ndata: {json.dumps(refusal)}\n\n".encode())
            return response
        data = json.dumps(refusal).encode()
        headers = {"Content-Encoding": "gzip"} if packed else {}
        return web.Response(
            status=status,
            body=gzip.compress(data) if packed else data,
            content_type="application/json",
            headers={**headers, "x-request-id": "r1"},
        )

    return answer


@fault(101)
@requirement("P-4", "C-33")
@pytest.mark.parametrize("path", ENDPOINTS)
@pytest.mark.parametrize("how", ["plain", "packed", "stream"])
def test_an_overflow_below_the_trigger_is_compacted_and_sent_again(db: Path, path: str, how: str) -> None:
    answer = accepting(10_000, REFUSALS[path], status=200 if how == "stream" else 400, packed=how == "packed")

    async def work() -> None:
        async with between(db, answer, window=200_000) as proxy:
            sent = encoded(body(path, MAKERS[path](40)))
            reply = await proxy.send(path, sent)
            assert (reply.status, reply.json) == (200, {"ok": True})
            assert reply.cycle >= 1
            assert proxy.upstream.received[0].body == sent
            assert 2 <= len(proxy.upstream.received) <= 4
            # What was found out stays: the next request begins small.
            before = len(proxy.upstream.received)
            await proxy.send(path, body(path, MAKERS[path](41)))
            assert len(proxy.upstream.received) == before + 1

    run(work())


@requirement("P-4", "C-33")
@pytest.mark.parametrize("path", ENDPOINTS)
def test_what_stays_too_large_is_the_upstream_s_own_error_after_three_attempts(db: Path, path: str) -> None:
    async def work() -> None:
        async with between(db, accepting(10, REFUSALS[path]), window=200_000) as proxy:
            reply = await proxy.send(path, body(path, MAKERS[path](60)))
            assert (reply.status, reply.json) == (400, REFUSALS[path])
            assert reply.headers["x-request-id"] == "r1"
            sizes = [len(received.body) for received in proxy.upstream.received]
            assert 2 <= len(sizes) <= 4
            assert sizes == sorted(sizes, reverse=True)

    run(work())


@requirement("P-4", "C-33")
def test_where_nothing_shrinks_the_error_passes_and_the_log_says_why(
    db: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        async with between(db, accepting(10, REFUSALS[CHAT])) as proxy:
            reply = await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](0)))
            assert (reply.status, reply.json) == (400, REFUSALS[CHAT])
            assert len(proxy.upstream.received) == 1

    run(work())
    assert "nothing shrinks: system text and tools take" in caplog.text


@fault(98)
@requirement("P-4")
@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, {"error": {"message": "Unknown model", "code": "model_not_found"}}),
        (429, {"error": {"message": "Too many tokens, please wait", "code": "rate_limit_exceeded"}}),
        (400, {"error": {"message": "Invalid parameter: temperature", "type": "invalid_request_error"}}),
        (429, {"error": {"message": "prompt is too long: 5 tokens > 4 maximum", "code": None}}),
        (400, {"error": {"message": "Invalid JSON near: 'prompt is too long: 5 tokens > 4 maximum'"}}),
        (500, {"error": "out of memory"}),
        (400, ["x" * 200_000]),
    ],
)
def test_other_errors_pass_at_once(db: Path, status: int, error: Any) -> None:
    async def work() -> None:
        async with between(db, accepting(10, error, status=status)) as proxy:
            reply = await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](40)))
            assert (reply.status, reply.json) == (status, error)
            assert len(proxy.upstream.received) == 1

    run(work())


@requirement("M-7")
def test_a_reply_that_is_too_long_is_asked_for_shorter_and_nothing_is_compacted(db: Path) -> None:
    sent = {**body(CHAT, MAKERS[CHAT](40)), "max_tokens": 30_000}
    refusal = {"error": {"message": "prompt (4000 tokens) + max_tokens (30000) exceeds the context length 32768"}}

    async def answer(request: web.Request, received: Received) -> web.StreamResponse:
        fits = json.loads(received.body)["max_tokens"] <= 28_768
        return web.json_response({"ok": True} if fits else refusal, status=200 if fits else 400)

    async def work() -> None:
        async with between(db, answer, window=200_000) as proxy:
            reply = await proxy.send(CHAT, sent)
            assert (reply.status, reply.json, reply.cycle) == (200, {"ok": True}, 0)
            first, second = (json.loads(received.body) for received in proxy.upstream.received)
            assert (first.pop("max_tokens"), second.pop("max_tokens")) == (30_000, 28_768)
            assert first == second

    run(work())


@requirement("M-5", "C-33")
def test_an_empty_413_is_believed_only_of_a_large_context(db: Path) -> None:
    async def answer(request: web.Request, received: Received) -> web.StreamResponse:
        return web.Response(status=413) if len(received.body) > 15_000 else web.json_response({"ok": True})

    async def work(window: int, statuses: tuple[int, ...]) -> None:
        async with between(db, answer, window=window) as proxy:
            assert (await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](40)))).status == statuses[-1]
            assert len(proxy.upstream.received) == len(statuses)

    run(work(1_000_000, (413,)))
    run(work(20_000, (413, 200)))
