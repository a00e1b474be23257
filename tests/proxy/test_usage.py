"""What the provider reports becomes the size that the next request is measured by."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from proxy.harness import CHAT, ENDPOINTS, GEMINI, MESSAGES, OLLAMA, RESPONSES, between, run
from proxy.transcripts import MAKERS, body, chat
from proxy.upstream import Answer, Received, stream_of
from requirement import requirement
from vademecum.archive import Archive

REPORTED = 5_000
OPENAI = {"prompt_tokens": REPORTED, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 4_000}}
ANTHROPIC = {"input_tokens": 100, "cache_read_input_tokens": 4_000, "cache_creation_input_tokens": 900}
RESPONSE = {"input_tokens": REPORTED, "input_tokens_details": {"cached_tokens": 4_000}, "output_tokens": 7}
GOOGLE = {"promptTokenCount": REPORTED, "cachedContentTokenCount": 4_000, "candidatesTokenCount": 7}
LOCAL = {"done": True, "prompt_eval_count": REPORTED, "eval_count": 7}
#: A reply that is no stream.
WHOLE: dict[str, Any] = {
    CHAT: {"id": "x", "model": "m", "usage": OPENAI},
    MESSAGES: {"id": "x", "model": "m", "usage": ANTHROPIC},
    RESPONSES: {"object": "response", "model": "m", "error": None, "usage": RESPONSE},
    OLLAMA: {"model": "m", "message": {"role": "assistant", "content": "x"}, **LOCAL},
    GEMINI: {"candidates": [], "usageMetadata": GOOGLE, "modelVersion": "m"},
}
EVENTS: dict[str, list[dict[str, Any]]] = {
    CHAT: [
        {"choices": [{"delta": {"content": 'the word "usage" in a text'}}], "usage": None},
        {"choices": [{"delta": {}, "finish_reason": "stop"}], "usage": None},
        {"choices": [], "usage": OPENAI},
    ],
    MESSAGES: [
        {"type": "message_start", "message": {"model": "m", "usage": {**ANTHROPIC, "output_tokens": 1}}},
        {"type": "content_block_delta", "delta": {"type": "text_delta", "text": '"usage" again'}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 44}},
    ],
    RESPONSES: [
        {"type": "response.created", "response": {"model": "m", "error": None, "usage": None}},
        {"type": "response.output_text.delta", "delta": '"usage" again'},
        {"type": "response.completed", "response": {"model": "m", "error": None, "usage": RESPONSE}},
    ],
    OLLAMA: [
        {"model": "m", "message": {"role": "assistant", "content": '"prompt_eval_count"'}, "done": False},
        {"model": "m", "message": {"role": "assistant", "content": ""}, **LOCAL},
    ],
    GEMINI: [
        {"candidates": [{"content": {"parts": [{"text": '"usage"'}]}}], "usageMetadata": {"promptTokenCount": 30}},
        *[{"candidates": [], "usageMetadata": {**GOOGLE, "candidatesTokenCount": at}} for at in range(12)],
    ],
}


def streaming(path: str, *, cut: int, packed: bool = False) -> Answer:
    """Streams the events in pieces of `cut` bytes, wherever that falls."""

    async def answer(request: web.Request, _: Received) -> web.StreamResponse:
        rows = [json.dumps(event).encode() for event in EVENTS[path]]
        headers = {"Content-Encoding": "gzip"} if packed else {}
        if path == OLLAMA:
            headers["Content-Type"] = "application/x-ndjson"
            data = b"".join(row + b"\n" for row in rows)
        else:
            data = b"".join(b"data: " + row + b"\n\n" for row in rows)
        data += b"data: [DONE]\n\n" if path == CHAT else b""
        response = await stream_of(request, **headers)
        data = gzip.compress(data) if packed else data
        for at in range(0, len(data), cut):
            await response.write(data[at : at + cut])
        return response

    return answer


def plainly(whole: object, *, packed: bool = False) -> Answer:
    async def answer(_: web.Request, received: Received) -> web.StreamResponse:
        data = json.dumps(whole).encode()
        if packed:
            return web.Response(
                body=gzip.compress(data), headers={"Content-Encoding": "gzip", "Content-Type": "application/json"}
            )
        return web.Response(body=data, content_type="application/json")

    return answer


async def measured(db: Path, path: str, answer: Answer) -> list[int]:
    """The measured tokens of two requests, the second one with one more round."""
    async with between(db, answer, window=200_000) as proxy:
        found: list[int] = []
        for rounds in (2, 3):
            reply = await proxy.send(path, body(path, MAKERS[path.replace("streamG", "g")](rounds)))
            found.append(int(reply.headers["x-vademecum-tokens"]))
        return found


@requirement("C-9")
@pytest.mark.parametrize("path", ENDPOINTS)
@pytest.mark.parametrize("cut", [1, 7, 10_000])
@pytest.mark.parametrize("packed", [False, True])
def test_usage_of_streams_is_taken(db: Path, path: str, cut: int, packed: bool) -> None:
    first, second = run(measured(db, path, streaming(path, cut=cut, packed=packed)))
    assert first < 1_000
    assert REPORTED < second < REPORTED + 500


@requirement("M-9")
@pytest.mark.parametrize(("path", "output"), [(CHAT, 7), (MESSAGES, 44)])
def test_all_that_a_stream_reports_is_recorded(db: Path, path: str, output: int) -> None:
    run(measured(db, path, streaming(path, cut=50)))
    with Archive.open(db) as archive:
        (owner,) = archive.owners() or [""]
    with Archive.open(db, owner=owner) as archive:
        (info,) = archive.sessions()
        (used,) = archive.existing(info.id).usage()
    assert (used.calls, used.prompt_tokens, used.cached_tokens, used.output_tokens) == (
        2,
        2 * REPORTED,
        8_000,
        2 * output,
    )
    assert (used.model, used.written_tokens) == ("m", 1_800 if path == MESSAGES else 0)


@requirement("C-9")
@pytest.mark.parametrize("path", ENDPOINTS)
@pytest.mark.parametrize("packed", [False, True])
def test_usage_of_plain_replies_is_taken(db: Path, path: str, packed: bool) -> None:
    first, second = run(measured(db, path, plainly(WHOLE[path], packed=packed)))
    assert first < 1_000
    assert REPORTED < second < REPORTED + 500


@requirement("C-9")
def test_usage_of_a_list_that_grows_is_taken(db: Path) -> None:
    """Without `alt=sse` Gemini streams one list."""
    _, second = run(measured(db, GEMINI.replace("generate", "streamGenerate"), plainly(EVENTS[GEMINI])))
    assert REPORTED < second < REPORTED + 500


@requirement("C-9")
@pytest.mark.parametrize("status", [400, 500])
def test_usage_of_errors_is_not(db: Path, status: int) -> None:
    async def answer(_: web.Request, received: Received) -> web.StreamResponse:
        return web.json_response({"usage": OPENAI}, status=status)

    _, second = run(measured(db, CHAT, answer))
    assert second < 1_500


@requirement("C-9", "C-10")
def test_usage_is_that_of_the_request_it_was_reported_for(db: Path) -> None:
    """A slow reply to a short request, told after a longer one has been sent, says nothing about the longer one."""
    import asyncio

    async def work() -> None:
        later = asyncio.Event()

        async def answer(_: web.Request, received: Received) -> web.StreamResponse:
            if len(received.messages) == 6:
                await later.wait()
                return web.json_response({"usage": OPENAI})
            return web.json_response({})

        async with between(db, answer, window=200_000) as proxy:
            slow = asyncio.create_task(proxy.send(CHAT, body(CHAT, chat(2))))
            while not proxy.upstream.received:
                await asyncio.sleep(0)
            await proxy.send(CHAT, body(CHAT, chat(8)))
            later.set()
            await slow
            reply = await proxy.send(CHAT, body(CHAT, chat(9)))
            counted = int((await proxy.send(CHAT, body(CHAT, chat(7, tag="b")))).headers["x-vademecum-tokens"])
            # Seven rounds have come since what was reported.
            assert int(reply.headers["x-vademecum-tokens"]) > REPORTED + counted / 2

    run(work())


@requirement("C-10")
def test_a_report_is_void_after_a_compaction(db: Path) -> None:
    async def work() -> None:
        told: dict[str, Any] = {"usage": {"prompt_tokens": 2_900}}

        async def answer(_: web.Request, received: Received) -> web.StreamResponse:
            return web.json_response(told)

        async with between(db, answer, window=16_000, trigger=3_000) as proxy:
            await proxy.send(CHAT, body(CHAT, chat(11)))
            told.clear()
            reply = await proxy.send(CHAT, body(CHAT, chat(13)))
            assert reply.headers["x-vademecum-outcome"] == "compacted"
            after = int(reply.headers["x-vademecum-tokens"])
            reply = await proxy.send(CHAT, body(CHAT, chat(14)))
            assert int(reply.headers["x-vademecum-tokens"]) < after + 400

    run(work())


@requirement("C-9", "M-7")
def test_what_a_server_left_of_a_prompt_that_it_cut_is_no_size(db: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Ollama cuts a prompt that is longer than `num_ctx` without a word, and reports the rest."""

    async def work() -> None:
        async with between(db, plainly({**WHOLE[OLLAMA], "prompt_eval_count": 1_026}), window=200_000) as proxy:
            first = await proxy.send(OLLAMA, body(OLLAMA, MAKERS[OLLAMA](40)))
            second = await proxy.send(OLLAMA, body(OLLAMA, MAKERS[OLLAMA](41)))
            assert int(second.headers["x-vademecum-tokens"]) > int(first.headers["x-vademecum-tokens"]) > 4_000
            assert "x-vademecum-warnings" not in first.headers
            assert second.headers["x-vademecum-warnings"].startswith("silent_truncation: the server read 1,026 of")

    run(work())
    assert "the upstream read 1026 tokens of" in caplog.text
