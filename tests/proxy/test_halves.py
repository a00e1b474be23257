"""Upstreams that answer by halves: an error without its end, a stream with no word in it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from proxy.harness import CHAT, ENDPOINTS, OLLAMA, between, run
from proxy.test_chain import Clock, chained
from proxy.test_late_errors import OVERLOADED, PREAMBLES, WORDS, asking, streaming, written
from proxy.upstream import Received, stream_of
from requirement import requirement


async def endless(request: web.Request, _: Received) -> web.StreamResponse:
    """An error whose body is begun and never ended."""
    response = web.StreamResponse(status=503, headers={"Content-Type": "application/json", "Content-Length": "100"})
    await response.prepare(request)
    await response.write(b'{"err')
    await asyncio.Event().wait()
    return response


def unended(path: str) -> Any:
    """A stream that is one error, without the end of its line."""

    async def answer(request: web.Request, _: Received) -> web.StreamResponse:
        kind = "application/x-ndjson" if path == OLLAMA else "text/event-stream"
        response = await stream_of(request, **{"Content-Type": kind})
        await response.write(written(path, OVERLOADED[path]).rstrip())
        return response

    return answer


@requirement("P-7", "M-8")
def test_an_error_that_never_ends_is_not_waited_for(db: Path) -> None:
    async def work() -> None:
        async with chained(db, endless, streaming(CHAT, 1 << 30), now=Clock(), hold=0.1) as proxy:
            reply = await asyncio.wait_for(proxy.send(CHAT, asking(CHAT, 2)), 20)
            assert reply.body == b"".join(written(CHAT, event) for event in (*PREAMBLES[CHAT], WORDS[CHAT]))
            assert proxy.counts == (2, 1)

    run(work())


@requirement("P-7", "M-8")
@pytest.mark.parametrize("path", ENDPOINTS)
@pytest.mark.parametrize("packed", [False, True])
def test_a_stream_that_ends_before_its_first_word_is_the_second_s_to_answer(
    db: Path, path: str, packed: bool
) -> None:
    async def work() -> None:
        first = streaming(path, 0, *PREAMBLES[path], packed=packed)
        async with chained(db, first, streaming(path, 1 << 30), now=Clock()) as proxy:
            reply = await proxy.send(path, asking(path, 2), headers={"Accept-Encoding": "gzip"})
            assert reply.body == b"".join(written(path, event) for event in (*PREAMBLES[path], WORDS[path]))
            assert proxy.counts == (2, 1)

    run(work())


@requirement("P-7", "M-8")
@pytest.mark.parametrize("path", ENDPOINTS)
def test_an_error_whose_line_has_no_end_is_seen(db: Path, path: str) -> None:
    async def work() -> None:
        async with chained(db, unended(path), streaming(path, 1 << 30), now=Clock()) as proxy:
            reply = await proxy.send(path, asking(path, 2))
            assert reply.body == b"".join(written(path, event) for event in (*PREAMBLES[path], WORDS[path]))

    run(work())


@requirement("P-4")
@pytest.mark.parametrize("path", ENDPOINTS)
def test_one_upstream_s_stream_without_a_word_passes_on_as_it_is(db: Path, path: str) -> None:
    async def work() -> None:
        async with between(db, streaming(path, 0, *PREAMBLES[path])) as proxy:
            reply = await proxy.send(path, asking(path, 2))
            assert (reply.status, reply.body) == (200, b"".join(written(path, event) for event in PREAMBLES[path]))
            assert len(proxy.upstream.received) == 1

    run(work())


@requirement("C-9")
def test_a_usage_that_cannot_be_is_none(db: Path) -> None:
    async def answer(_: web.Request, __: Received) -> web.StreamResponse:
        said = {"choices": [], "usage": {"prompt_tokens": 10**30, "completion_tokens": 10**30}}
        return web.json_response(body=json.dumps(said).encode())

    async def work() -> None:
        async with between(db, answer) as proxy:
            for _ in range(2):
                reply = await proxy.send(CHAT, asking(CHAT, 2))
                assert (reply.status, reply.headers["x-vademecum-outcome"]) == (200, "nothing_needed")

    run(work())
