"""Two upstreams: where the first fails the second answers, and the client notices nothing but the model's name."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from proxy.harness import CHAT, MESSAGES, RESPONSES, Between, Reply, config, encoded, run, serving
from proxy.transcripts import MAKERS, body
from proxy.upstream import Answer, Received, Upstream, stream_of
from requirement import requirement
from vademecum.models.clients.retrying import Retries

FORMATS = (CHAT, MESSAGES, RESPONSES)
QUICK = Retries(tries=2, first=0.001, longest=1.0)


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    at: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.at


def events(path: str, model: str) -> list[dict[str, Any]]:
    """The events of a reply, the last of them its end."""
    if path == CHAT:
        return [
            {"model": model, "choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]},
            {"model": model, "choices": [{"index": 0, "delta": {"content": "done"}}]},
            {"model": model, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        ]
    if path == MESSAGES:
        return [
            {"type": "message_start", "message": {"model": model, "usage": {"input_tokens": 9}}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "done"}},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
        ]
    response = {"model": model, "status": "completed", "usage": {"input_tokens": 9, "output_tokens": 2}}
    return [
        {"type": "response.created", "response": {"model": model}},
        {"type": "response.output_text.delta", "delta": "done"},
        {"type": "response.completed", "response": response},
    ]


def event(data: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()


def model_called(name: str) -> Answer:
    """An upstream whose replies say which model they are of."""

    async def answer(request: web.Request, received: Received) -> web.StreamResponse:
        if not json.loads(received.body).get("stream"):
            return web.json_response({"model": name, "said": "done"})
        response = await stream_of(request)
        for data in events(received.target, name):
            await response.write(event(data))
        return response

    return answer


def failing(status: int, error: Any, **headers: str) -> Answer:
    async def answer(_: web.Request, received: Received) -> web.StreamResponse:
        return web.json_response(error, status=status, headers=headers)

    return answer


@dataclass
class Chain(Between):
    """A client, the proxy, and two upstreams."""

    second: Upstream = field(default_factory=Upstream)

    @property
    def counts(self) -> tuple[int, int]:
        return len(self.upstream.received), len(self.second.received)


@asynccontextmanager
async def chained(
    db: Path, first: Answer, second: Answer, *, models: tuple[str, str] = ("", ""), host: str = "", **settings: Any
) -> AsyncIterator[Chain]:
    upstreams = Upstream(first), Upstream(second)
    for upstream in upstreams:
        await upstream.start()
    one, two = (
        f"{upstream.url}#{model}" if model else upstream.url
        for upstream, model in zip(upstreams, models, strict=True)
    )
    two = two.replace("127.0.0.1", host or "127.0.0.1")
    try:
        given = {"retries": QUICK, **settings}
        async with serving(config(one, db, others=[two], **given)) as url, aiohttp.ClientSession() as client:
            yield Chain(upstreams[0], url, client, second=upstreams[1])
    finally:
        for upstream in upstreams:
            await upstream.stop()


def model_of(reply: Reply, *, stream: bool) -> set[str]:
    """The models that a reply names."""
    datas = (
        [json.loads(line[6:]) for line in reply.body.split(b"\n") if line.startswith(b"data: ")]
        if stream
        else [reply.json]
    )
    insides = [inner for data in datas for inner in (data, data.get("message"), data.get("response")) if inner]
    return {inner["model"] for inner in insides if "model" in inner}


@requirement("P-7", "M-8")
@pytest.mark.parametrize("path", FORMATS)
@pytest.mark.parametrize("stream", [False, True])
def test_the_first_dies_the_second_answers_the_first_returns(db: Path, path: str, stream: bool) -> None:
    clock = Clock()

    async def work() -> None:
        async with chained(db, model_called("large"), model_called("small"), now=clock) as proxy:

            async def ask(rounds: int) -> Reply:
                reply = await proxy.send(path, body(path, MAKERS[path](rounds), stream=stream))
                assert (reply.status, b"done" in reply.body) == (200, True)
                return reply

            before = await ask(2)
            assert model_of(before, stream=stream) == {"large"}
            assert before.headers["x-vademecum-upstream"] == proxy.upstream.url
            await proxy.upstream.stop()
            for rounds in (3, 4):
                reply = await ask(rounds)
                assert model_of(reply, stream=stream) == {"small"}
                assert reply.headers["x-vademecum-upstream"] == proxy.second.url
                assert reply.session == before.session
            await proxy.upstream.start()
            assert model_of(await ask(5), stream=stream) == {"small"}  # it cools down still
            clock.at += 31
            assert model_of(await ask(6), stream=stream) == {"large"}
            assert proxy.counts == (2, 3)
            kinds = {key for key in before.headers if key.lower().startswith("x-vademecum")}
            assert kinds == {key for key in reply.headers if key.lower().startswith("x-vademecum")}

    run(work())


@requirement("P-7", "P-4")
@pytest.mark.parametrize("path", FORMATS)
def test_a_death_in_the_middle_of_a_stream_is_an_error_event_and_the_second_has_the_next_request(
    db: Path, path: str
) -> None:
    async def dying(request: web.Request, received: Received) -> web.StreamResponse:
        response = await stream_of(request)
        for data in events(path, "large")[:2]:
            await response.write(event(data))
        assert request.transport is not None
        request.transport.abort()
        return response

    async def work() -> None:
        async with chained(db, dying, model_called("small"), now=Clock()) as proxy:
            reply = await proxy.send(path, body(path, MAKERS[path](2), stream=True))
            *_, last = reply.body.strip().split(b"\n\n")
            data = json.loads(last.partition(b"data: ")[2])
            assert (b"done" in reply.body, "broke off" in json.dumps(data)) == (True, True)
            assert last.startswith(b"event: error\n") == (path != CHAT)
            reply = await proxy.send(path, body(path, MAKERS[path](3), stream=True))
            assert model_of(reply, stream=True) == {"small"}
            assert proxy.counts == (1, 1)

    run(work())


BUSY = {"error": {"type": "overloaded_error", "message": "Overloaded"}}


@requirement("P-7", "M-8")
@pytest.mark.parametrize(
    ("status", "error", "headers", "sent"),
    [
        (429, {"error": {"message": "Rate limit reached", "code": "rate_limit_exceeded"}}, {"Retry-After": "0"}, 2),
        (429, {"error": {"message": "Rate limit reached", "code": "rate_limit_exceeded"}}, {"Retry-After": "60"}, 1),
        (529, BUSY, {}, 2),
        (503, {"error": "x" * 200_000}, {}, 2),
        (500, {"error": {"message": "Internal server error"}}, {}, 2),
        (401, {"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}, {}, 1),
        (402, {"error": {"message": "Insufficient balance"}}, {}, 1),
        (400, {"error": {"message": "Invalid parameter: temperature", "type": "invalid_request_error"}}, {}, 1),
        (404, {"error": {"message": "The model `m` does not exist", "code": "model_not_found"}}, {}, 1),
    ],
)
def test_the_second_answers_what_the_first_refuses(
    db: Path, status: int, error: Any, headers: dict[str, str], sent: int
) -> None:
    async def work() -> None:
        async with chained(db, failing(status, error, **headers), model_called("small"), now=Clock()) as proxy:
            request = encoded(body(CHAT, MAKERS[CHAT](2)))
            reply = await proxy.send(CHAT, request)
            assert (reply.status, reply.json["model"]) == (200, "small")
            assert proxy.counts == (sent, 1)
            assert {received.body for received in (*proxy.upstream.received, *proxy.second.received)} == {request}

    run(work())


@requirement("P-7", "M-8")
def test_where_all_are_away_the_last_error_is_the_client_s(db: Path) -> None:
    async def work() -> None:
        async with chained(
            db, failing(529, BUSY), failing(429, {"error": {"message": "slow down"}}), now=Clock()
        ) as proxy:
            reply = await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](2)))
            assert (reply.status, reply.json) == (429, {"error": {"message": "slow down"}})
            await proxy.second.stop()
            await proxy.upstream.stop()
            assert (await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](3)))).status == 502

    run(work())


@requirement("P-7", "M-8")
def test_bad_requests_move_on_once_and_no_further(db: Path) -> None:
    wrong = {"error": {"message": "Invalid parameter: temperature", "type": "invalid_request_error"}}

    async def work() -> None:
        third = Upstream(model_called("third"))
        await third.start()
        first, second = Upstream(failing(400, wrong)), Upstream(failing(400, wrong))
        await first.start()
        await second.start()
        settings = config(first.url, db, others=[second.url, third.url], retries=QUICK)
        try:
            async with serving(settings) as url, aiohttp.ClientSession() as client:
                reply = await Between(first, url, client).send(CHAT, body(CHAT, MAKERS[CHAT](2)))
                assert (reply.status, reply.json) == (400, wrong)
                assert [len(one.received) for one in (first, second, third)] == [1, 1, 0]
        finally:
            for one in (first, second, third):
                await one.stop()

    run(work())
