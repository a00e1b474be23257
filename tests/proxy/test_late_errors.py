"""Errors inside a stream of status 200: before the reply's first words they are answered, after them learned from."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from proxy.harness import CHAT, ENDPOINTS, GEMINI, MESSAGES, OLLAMA, RESPONSES, between, run
from proxy.test_chain import Clock, chained
from proxy.transcripts import MAKERS, body
from proxy.upstream import Answer, Received, stream_of
from requirement import requirement

#: What comes before anything of the reply itself. Gemini's streams begin with content.
PREAMBLES: dict[str, list[Any]] = {
    CHAT: [
        {"choices": [], "prompt_filter_results": []},
        {"choices": [{"delta": {"role": "assistant", "content": ""}}]},
    ],
    MESSAGES: [{"type": "message_start", "message": {"usage": {"input_tokens": 4}}}, {"type": "ping"}],
    RESPONSES: [{"type": "response.created", "response": {}}, {"type": "response.in_progress", "response": {}}],
    OLLAMA: [{"message": {"role": "assistant", "content": ""}, "done": False}],
    GEMINI: [],
}
WORDS: dict[str, Any] = {
    CHAT: {"choices": [{"delta": {"content": "done"}}]},
    MESSAGES: {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "done"}},
    RESPONSES: {"type": "response.output_text.delta", "delta": "done"},
    OLLAMA: {"message": {"role": "assistant", "content": "done"}, "done": False},
    GEMINI: {"candidates": [{"content": {"parts": [{"text": "done"}]}}]},
}
OVERLOADED: dict[str, Any] = {
    CHAT: {"error": {"message": "Overloaded", "code": 503}},
    MESSAGES: {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
    RESPONSES: {"type": "response.failed", "response": {"error": {"code": "server_error", "message": "Try again"}}},
    OLLAMA: {"error": "llama runner process has terminated"},
    GEMINI: {"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}},
}


def too_long(path: str, window: int) -> Any:
    """How each format's provider says in a stream that the input is too large."""
    said = f"prompt is too long: {window + 900} tokens > {window} maximum"
    error = {"type": "invalid_request_error", "message": said, "code": "context_length_exceeded"}
    if path == RESPONSES:
        return {"type": "response.failed", "response": {"error": error}}
    return {"error": said if path == OLLAMA else error, **({"type": "error"} if path == MESSAGES else {})}


def written(path: str, event: Any) -> bytes:
    line = json.dumps(event)
    return f"{line}\n".encode() if path == OLLAMA else f"data: {line}\n\n".encode()


def streaming(path: str, most: int, *events: Any, packed: bool = False) -> Answer:
    """An upstream that streams these events for bodies above a size, and a short reply for the others."""

    async def answer(request: web.Request, received: Received) -> web.StreamResponse:
        kind = "application/x-ndjson" if path == OLLAMA else "text/event-stream"
        coding = {"Content-Encoding": "gzip"} if packed else {}
        response = await stream_of(request, **{"Content-Type": kind, **coding})
        shown = events if len(received.body) > most else [*PREAMBLES[path], WORDS[path]]
        if packed:
            await response.write(gzip.compress(b"".join(written(path, event) for event in shown)))
            return response
        for event in shown:
            await response.write(written(path, event))
            await asyncio.sleep(0)  # so that each comes alone
        return response

    return answer


def asking(path: str, rounds: int) -> dict[str, Any]:
    return body(path, MAKERS[path](rounds), stream=True)


@requirement("P-4", "M-5", "C-33")
@pytest.mark.parametrize("path", ENDPOINTS)
@pytest.mark.parametrize("packed", [False, True])
def test_an_overflow_after_the_preamble_is_compacted_and_sent_again(db: Path, path: str, packed: bool) -> None:
    answer = streaming(path, 10_000, *PREAMBLES[path], too_long(path, 5_000), packed=packed)

    async def work() -> None:
        async with between(db, answer, window=200_000) as proxy:
            reply = await proxy.send(path, asking(path, 40), headers={"Accept-Encoding": "gzip"})
            text = gzip.decompress(reply.body) if packed else reply.body
            assert text == b"".join(written(path, event) for event in (*PREAMBLES[path], WORDS[path]))
            assert (reply.status, reply.cycle >= 1) == (200, True)
            assert 2 <= len(proxy.upstream.received) <= 4

    run(work())


@requirement("P-4", "P-7", "M-8")
@pytest.mark.parametrize("path", ENDPOINTS)
def test_an_overload_after_the_preamble_is_the_second_s_to_answer(db: Path, path: str) -> None:
    async def work() -> None:
        first = streaming(path, 0, *PREAMBLES[path], OVERLOADED[path])
        async with chained(db, first, streaming(path, 1 << 30), now=Clock()) as proxy:
            reply = await proxy.send(path, asking(path, 2))
            assert reply.body == b"".join(written(path, event) for event in (*PREAMBLES[path], WORDS[path]))
            assert proxy.counts == (2, 1)

    run(work())


@requirement("P-4", "P-7", "M-7")
@pytest.mark.parametrize("path", ENDPOINTS)
def test_an_overload_after_words_passes_and_the_next_request_goes_to_the_second(db: Path, path: str) -> None:
    events = (*PREAMBLES[path], WORDS[path], OVERLOADED[path])

    async def work() -> None:
        async with chained(db, streaming(path, 0, *events), streaming(path, 1 << 30), now=Clock()) as proxy:
            reply = await proxy.send(path, asking(path, 2))
            assert reply.body == b"".join(written(path, event) for event in events)
            assert proxy.counts == (1, 0)
            reply = await proxy.send(path, asking(path, 3))
            assert reply.headers["x-vademecum-upstream"] == proxy.second.url
            assert proxy.counts == (1, 1)

    run(work())


@requirement("P-4", "M-6", "M-7")
@pytest.mark.parametrize("path", ENDPOINTS)
def test_a_window_that_a_stream_names_after_words_counts_from_the_next_request_on(db: Path, path: str) -> None:
    events = (*PREAMBLES[path], WORDS[path], too_long(path, 6_000))

    async def work() -> None:
        async with between(db, streaming(path, 10_000, *events), window=200_000) as proxy:
            reply = await proxy.send(path, asking(path, 40))
            assert (reply.body, reply.cycle) == (b"".join(written(path, event) for event in events), 0)
            reply = await proxy.send(path, asking(path, 41))
            assert reply.headers["x-vademecum-window"] == "6000"
            assert (reply.headers["x-vademecum-window-origin"], reply.cycle) == ("learned", 1)
            assert len(proxy.upstream.received) == 2

    run(work())


ENDS: dict[str, Any] = {
    CHAT: {
        "choices": [{"delta": {}, "finish_reason": "length"}],
        "usage": {"prompt_tokens": 3_000, "completion_tokens": 5_000, "total_tokens": 8_000},
    },
    MESSAGES: {
        "type": "message_delta",
        "delta": {"stop_reason": "model_context_window_exceeded"},
        "usage": {"input_tokens": 3_000, "output_tokens": 5_000},
    },
    RESPONSES: {
        "type": "response.incomplete",
        "response": {
            "incomplete_details": {"reason": "max_output_tokens"},
            "usage": {"input_tokens": 3_000, "output_tokens": 5_000},
        },
    },
    OLLAMA: {"done": True, "done_reason": "length", "prompt_eval_count": 3_000, "eval_count": 5_000},
    GEMINI: {
        "candidates": [{"content": {"parts": []}, "finishReason": "MAX_TOKENS"}],
        "usageMetadata": {"promptTokenCount": 3_000, "candidatesTokenCount": 5_000, "totalTokenCount": 8_000},
    },
}


@requirement("M-7")
@pytest.mark.parametrize("path", ENDPOINTS)
@pytest.mark.parametrize("window", [8_000, 200_000])
def test_a_reply_that_ended_where_the_window_did_has_the_next_request_compacted(
    db: Path, path: str, window: int
) -> None:
    """Nothing is compacted where it ended at its own output limit, far from the window."""
    events = (*PREAMBLES[path], WORDS[path], ENDS[path])
    full = window == 8_000 or path == MESSAGES

    async def work() -> None:
        async with between(db, streaming(path, 0, *events), window=window, trigger=7_000) as proxy:
            first = await proxy.send(path, asking(path, 12))
            assert first.cycle == 0
            second = await proxy.send(path, asking(path, 13))
            assert (second.cycle == 1) == full

    run(work())


@requirement("P-4")
def test_a_preamble_is_not_held_back_for_long(db: Path) -> None:
    async def work() -> None:
        seen = asyncio.Event()

        async def answer(request: web.Request, _: Received) -> web.StreamResponse:
            response = await stream_of(request)
            await response.write(written(MESSAGES, PREAMBLES[MESSAGES][0]))
            await seen.wait()  # the model thinks for longer than anything is held back
            await response.write(written(MESSAGES, OVERLOADED[MESSAGES]))
            return response

        async with (
            between(db, answer, hold=0.05) as proxy,
            proxy.client.post(proxy.url + MESSAGES, json=asking(MESSAGES, 2)) as reply,
        ):
            assert b"message_start" in await reply.content.readuntil(b"\n\n")
            seen.set()
            assert await reply.content.read() == written(MESSAGES, OVERLOADED[MESSAGES])

    run(work())


@requirement("M-5", "P-4")
def test_an_error_in_a_whole_reply_of_status_200_is_one(db: Path) -> None:
    async def answer(_: web.Request, received: Received) -> web.StreamResponse:
        return web.json_response(too_long(CHAT, 5_000) if len(received.body) > 10_000 else {"ok": True})

    async def work() -> None:
        async with between(db, answer, window=200_000) as proxy:
            reply = await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](40)))
            assert (reply.json, reply.cycle >= 1) == ({"ok": True}, True)

    run(work())


@requirement("M-7")
def test_a_stream_without_an_end_is_noted_where_another_could_be_asked(
    db: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "vademecum.proxy")

    async def work() -> None:
        first = streaming(CHAT, 0, *PREAMBLES[CHAT], WORDS[CHAT])
        async with chained(db, first, first, now=Clock()) as proxy:
            await proxy.send(CHAT, asking(CHAT, 2))
            await proxy.send(CHAT, asking(CHAT, 3))
            assert proxy.counts == (1, 1)

    run(work())
    assert "cools_down for 30 s; unavailable" in caplog.text
