"""Streams pass event by event; what breaks on the way becomes an error of the format."""

from __future__ import annotations

import asyncio
import gzip
import json
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from proxy.harness import CHAT, ENDPOINTS, GEMINI, MESSAGES, OLLAMA, RESPONSES, between, encoded, run
from proxy.transcripts import MAKERS, anthropic, body, chat
from proxy.upstream import Received, stream_of
from requirement import requirement


def asked(path: str, tag: str = "a") -> bytes:
    return encoded(body(path, MAKERS[path](2, tag=tag), stream=True))


@requirement("P-4")
@pytest.mark.parametrize("path", ENDPOINTS)
def test_the_first_event_is_not_held_back(db: Path, path: str) -> None:
    async def work() -> None:
        seen = asyncio.Event()

        async def answer(request: web.Request, _: Received) -> web.StreamResponse:
            response = await stream_of(request)
            await response.write(b"data: 1\n\n")
            await seen.wait()  # the second event is not written before the client has the first
            await response.write(b"data: 2\n\n")
            return response

        async with between(db, answer) as proxy, proxy.client.post(proxy.url + path, data=asked(path)) as reply:
            assert await reply.content.readuntil(b"\n\n") == b"data: 1\n\n"
            seen.set()
            assert await reply.content.read() == b"data: 2\n\n"

    run(work())


@requirement("P-4", "P-8")
def test_fifty_streams_at_once_are_not_mixed(db: Path) -> None:
    count, events = 50, 20

    async def work() -> None:
        all_here = asyncio.Barrier(count)

        async def answer(request: web.Request, received: Received) -> web.StreamResponse:
            tag = received.messages[1]["content"]
            response = await stream_of(request)
            await all_here.wait()
            for at in range(events):
                await response.write(f"data: {json.dumps([tag, at])}\n\n".encode())
                await asyncio.sleep(0)
            return response

        async with between(db, answer) as proxy:
            replies = await asyncio.gather(*(proxy.send(CHAT, asked(CHAT, f"m{at}")) for at in range(count)))
            for at, reply in enumerate(replies):
                tag = chat(0, tag=f"m{at}")[1]["content"]
                got = [json.loads(line[5:]) for line in reply.body.split(b"\n\n") if line]
                assert got == [[tag, number] for number in range(events)]
            assert len({reply.session for reply in replies}) == count

    run(work())


@requirement("P-4")
@pytest.mark.parametrize("path", ENDPOINTS)
def test_a_stream_that_breaks_off_ends_with_an_error_event(db: Path, path: str) -> None:
    async def answer(request: web.Request, _: Received) -> web.StreamResponse:
        response = await stream_of(request)
        await response.write(b'data: {"half": "of an ev')
        assert request.transport is not None
        request.transport.abort()
        return response

    async def work() -> None:
        async with between(db, answer) as proxy:
            reply = await proxy.send(path, asked(path))
            *_, event = reply.body.strip().split(b"\n\n")
            name, data = _event(event)
            if path == RESPONSES:
                assert (name, data["type"], data["code"]) == ("error", "error", "upstream_error")
                assert "broke off" in data["message"]
                return
            assert (name, data.get("type")) == (("error", "error") if path == MESSAGES else ("", None))
            assert "broke off" in _told(path, data)

    run(work())


@requirement("P-4")
@pytest.mark.parametrize("half", [b"", b'{"message": {"con'])
def test_a_stream_of_lines_that_breaks_off_ends_with_a_line(db: Path, half: bytes) -> None:
    async def answer(request: web.Request, _: Received) -> web.StreamResponse:
        response = await stream_of(request, **{"Content-Type": "application/x-ndjson"})
        await response.write(b'{"message": {"content": "a"}, "done": false}\n' + half)
        assert request.transport is not None
        request.transport.abort()
        return response

    async def work() -> None:
        async with between(db, answer) as proxy:
            reply = await proxy.send(OLLAMA, asked(OLLAMA))
            first, *cut, last = reply.body.splitlines()
            assert cut == ([half] if half else [])
            assert json.loads(first) == {"message": {"content": "a"}, "done": False}
            assert "broke off" in _told(OLLAMA, json.loads(last))

    run(work())


ERRORS = {
    CHAT: b'data: {"error": {"message": "Overloaded", "code": 502}}\n\n',
    MESSAGES: b'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "x"}}\n\n',
    RESPONSES: b'data: {"type": "response.failed", "response": {"error": {"code": "server_error"}}}\n\n',
    OLLAMA: b'{"error":"an error was encountered while running the model"}\n',
    GEMINI: b'data: {"error": {"code": 503, "message": "x", "status": "UNAVAILABLE"}}\n\n',
}
#: What looks like one and is none.
NO_ERRORS = {
    CHAT: b'data: {"choices": [{"delta": {"content": "{\\"error\\": 1}"}}], "error": null}\n\n',
    MESSAGES: b'data: {"type": "content_block_delta", "delta": {"text": "event: error"}}\n\n',
    RESPONSES: b'data: {"type": "response.completed", "response": {"error": null, "tools": ["error"]}}\n\n',
    OLLAMA: b'{"message": {"tool_calls": [{"function": {"arguments": {"error": "x"}}}]}, "done": false}\n',
    GEMINI: b'data: {"candidates": [{"content": {"parts": [{"text": "\\"error\\""}]}}]}\n\n',
}


@requirement("P-4")
@pytest.mark.parametrize("path", ENDPOINTS)
@pytest.mark.parametrize("failed", [True, False])
def test_an_error_inside_a_stream_is_recognised_and_passes(
    db: Path, path: str, failed: bool, caplog: pytest.LogCaptureFixture
) -> None:
    event = (ERRORS if failed else NO_ERRORS)[path]

    async def answer(request: web.Request, _: Received) -> web.StreamResponse:
        kind = "application/x-ndjson" if path == OLLAMA else "text/event-stream"
        response = await stream_of(request, **{"Content-Type": kind})
        await response.write(NO_ERRORS[path])
        await response.write(event)
        return response

    async def work() -> None:
        async with between(db, answer) as proxy:
            reply = await proxy.send(path, asked(path))
            assert (reply.status, reply.body) == (200, NO_ERRORS[path] + event)

    run(work())
    assert ("the stream brought an error" in caplog.text) == failed


def _told(path: str, data: dict) -> str:
    """The message of an error in the words of an endpoint, whose other fields are checked."""
    error = data["error"]
    if path == OLLAMA:
        assert list(data) == ["error"]
        return error
    if path == GEMINI:
        assert (error["code"], error["status"]) == (502, "UNAVAILABLE")
    else:
        assert error["type"] == ("api_error" if path == MESSAGES else "upstream_error")
    return error["message"]


def _event(text: bytes) -> tuple[str, dict]:
    fields = dict(line.split(": ", 1) for line in text.decode().split("\n"))
    return fields.get("event", ""), json.loads(fields["data"])


@requirement("P-4")
@pytest.mark.parametrize("kind", ["json", "compressed stream"])
def test_a_reply_that_breaks_off_where_no_event_fits_is_seen_as_cut(db: Path, kind: str) -> None:
    async def answer(request: web.Request, _: Received) -> web.StreamResponse:
        if kind == "json":
            response = web.StreamResponse(headers={"Content-Type": "application/json"})
            await response.prepare(request)
            await response.write(b'{"half":')
        else:
            response = await stream_of(request, **{"Content-Encoding": "gzip"})
            await response.write(gzip.compress(b"data: 1\n\n")[:10])
        assert request.transport is not None
        request.transport.abort()
        return response

    async def work() -> None:
        async with between(db, answer) as proxy:
            with pytest.raises(aiohttp.ClientError):
                await proxy.send(CHAT, asked(CHAT), headers={"Accept-Encoding": "gzip"})

    run(work())


@requirement("P-4")
@pytest.mark.parametrize("path", ENDPOINTS)
@pytest.mark.parametrize("when", ["refused", "before the headers", "after the headers"])
def test_what_fails_before_the_first_byte_is_a_502_of_the_format(db: Path, path: str, when: str) -> None:
    async def answer(request: web.Request, _: Received) -> web.StreamResponse:
        assert request.transport is not None
        response = web.Response()
        if when == "after the headers":
            response = await stream_of(request)
            await asyncio.sleep(0)
        request.transport.close()
        return response

    async def work() -> None:
        async with between(db, answer) as proxy:
            if when == "refused":
                await proxy.upstream.stop()
            reply = await proxy.send(path, asked(path))
            assert reply.status == 502
            assert "could not be reached" in _told(path, reply.json)

    run(work())


@requirement("P-1", "P-4")
@pytest.mark.parametrize("status", [400, 401, 429, 500, 529])
def test_errors_of_the_upstream_pass_as_they_are(db: Path, status: int) -> None:
    async def answer(_: web.Request, received: Received) -> web.StreamResponse:
        headers = {"retry-after": "7", "x-request-id": "r1"}
        return web.Response(status=status, body=b'{"error": {"odd":  1}}', headers=headers, reason="Its Own Words")

    async def work() -> None:
        async with between(db, answer) as proxy:
            reply = await proxy.send(CHAT, asked(CHAT))
            assert (reply.status, reply.body) == (status, b'{"error": {"odd":  1}}')
            assert (reply.headers["retry-after"], reply.headers["x-request-id"]) == ("7", "r1")

    run(work())


@requirement("P-4", "P-8")
@pytest.mark.parametrize("path", [CHAT, RESPONSES, "/v1/embeddings"])
def test_a_client_that_goes_away_cancels_the_upstream(db: Path, path: str) -> None:
    async def work() -> None:
        cancelled = asyncio.Event()

        async def answer(request: web.Request, _: Received) -> web.StreamResponse:
            response = await stream_of(request)
            await response.write(b"data: 1\n\n")
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.set()
                raise
            return response

        async with between(db, answer) as proxy:
            reply = await proxy.client.post(proxy.url + path, data=asked(CHAT))
            await reply.content.readuntil(b"\n\n")
            reply.close()
            await asyncio.wait_for(cancelled.wait(), 10)

    run(work())


@requirement("P-8")
def test_a_client_that_reads_slowly_holds_the_upstream_back_and_nobody_else(db: Path) -> None:
    block, most = b"x" * 65_536, 2_000

    async def work() -> None:
        written = 0

        async def answer(request: web.Request, received: Received) -> web.StreamResponse:
            nonlocal written
            response = await stream_of(request)
            for _ in range(most if b"slowly" in received.body else 1):
                await response.write(block)
                written += 1
            return response

        async with between(db, answer) as proxy:
            slow = await proxy.client.post(proxy.url + CHAT, data=asked(CHAT, "slowly"))
            held = -1
            while held != written:  # until nothing more is taken
                held = written
                await asyncio.sleep(0.2)
            assert held < most
            for at in range(5):
                assert len((await proxy.send(CHAT, asked(CHAT, f"m{at}"))).body) == len(block)
            assert len(await slow.read()) == most * len(block)

    run(work())


@requirement("P-8")
def test_a_client_that_sends_slowly_blocks_nobody(db: Path) -> None:
    async def work() -> None:
        rest = asyncio.Event()

        async def slowly():
            data = encoded(body(MESSAGES, anthropic(3)))
            yield data[:100]
            await rest.wait()
            yield data[100:]

        async with between(db) as proxy:
            slow = asyncio.create_task(proxy.client.post(proxy.url + MESSAGES, data=slowly()))
            for at in range(20):
                assert (await proxy.send(MESSAGES, asked(MESSAGES, f"m{at}"))).status == 200
            assert not slow.done()
            rest.set()
            assert (await slow).status == 200
            assert proxy.last.body == encoded(body(MESSAGES, anthropic(3)))

    run(work())


@requirement("P-1")
def test_large_replies_and_compressed_ones_pass(db: Path) -> None:
    large = b'{"x":"' + b"y" * (20 << 20) + b'"}'

    async def answer(_: web.Request, received: Received) -> web.StreamResponse:
        if b"large" in received.body:
            return web.Response(body=large, content_type="application/json")
        packed = gzip.compress(b'{"ok": 1}')
        return web.Response(body=packed, headers={"Content-Encoding": "gzip", "Content-Type": "application/json"})

    async def work() -> None:
        async with between(db, answer) as proxy:
            assert (await proxy.send(CHAT, asked(CHAT, "large"))).body == large
            reply = await proxy.send(CHAT, asked(CHAT, "small"), headers={"Accept-Encoding": "gzip"})
            assert reply.headers["content-encoding"] == "gzip"
            assert gzip.decompress(reply.body) == b'{"ok": 1}'

    run(work())
