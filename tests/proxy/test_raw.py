"""Requests as other clients write them on the wire: old versions, odd bytes, bodies in chunks, bodies announced."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from proxy.harness import CHAT, Between, between, encoded, run
from proxy.transcripts import body, chat
from requirement import requirement

BODY = encoded(body(CHAT, chat(3)))
LENGTH = b"Content-Length: %d\r\n" % len(BODY)
CHUNKED = b"".join(b"%x\r\n%s\r\n" % (len(BODY[at : at + 99]), BODY[at : at + 99]) for at in range(0, len(BODY), 99))
REQUESTS = {
    "1.0": b"POST /v1/chat/completions HTTP/1.0\r\nHost: localhost\r\n" + LENGTH + b"\r\n" + BODY,
    "close": b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    + LENGTH
    + b"\r\n"
    + BODY,
    "chunked": b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n" + CHUNKED + b"0\r\n\r\n",
    "chunked elsewhere": b"PUT /v1/files HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n" + CHUNKED + b"0\r\n\r\n",
    "absolute": b"POST http://localhost/v1/chat/completions?x=%2f HTTP/1.1\r\nHost: localhost\r\n"
    b"Connection: close\r\n" + LENGTH + b"\r\n" + BODY,
    "expect": b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    b"Expect: 100-continue\r\n" + LENGTH + b"\r\n" + BODY,
}


async def exchange(proxy: Between, data: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(proxy.url.rsplit(":", 1)[1]))
    writer.write(data)
    reply = await reader.read()
    writer.close()
    return reply


@requirement("P-1")
@pytest.mark.parametrize("name", REQUESTS)
def test_other_ways_to_write_a_request(db: Path, name: str) -> None:
    async def work() -> None:
        async with between(db) as proxy:
            reply = await exchange(proxy, REQUESTS[name])
            assert b" 200 OK\r\n" in reply
            assert proxy.last.body == BODY

    run(work())


@requirement("P-1")
def test_bytes_in_headers_that_are_no_utf8_pass(db: Path) -> None:
    async def work() -> None:
        async with between(db) as proxy:
            head = b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Odd: caf\xe9\r\n"
            reply = await exchange(proxy, head + LENGTH + b"\r\n" + BODY)
            assert b" 200 OK\r\n" in reply
            assert proxy.last.body == BODY

    run(work())


@requirement("P-8")
def test_a_head_without_end_is_refused(db: Path) -> None:
    async def work() -> None:
        async with between(db) as proxy:
            reply = await exchange(proxy, b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 200_000 + b"\r\n\r\n")
            assert b" 400 " in reply.split(b"\r\n")[0]
            assert proxy.upstream.received == []

    run(work())
