"""Streams through a chain: another member may take over before the first piece, nobody after it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from provider import Provider, Said, provider, streamed
from requirement import requirement
from vademecum import Client, FallbackChain, Member
from vademecum.errors import ConfigError, ModelError
from vademecum.models.clients.retrying import Retries

OVERLOADED = Said({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, 529)
ROWS: list[Any] = [{"role": "user", "content": "hello"}]


@contextmanager
def chain(first: Callable[[], Said]) -> Iterator[tuple[FallbackChain, Provider]]:
    def answer(path: str, body: Any) -> Said:
        return first() if body["model"] == "first" else streamed("openai-chat", "from the second")

    with (
        provider(answer) as told,
        Client("openai-chat", url=f"{told.url}/v1", retries=Retries(tries=1)) as client,
    ):
        yield FallbackChain([Member(client, name, 9_000, name=name) for name in ("first", "second")]), told


@requirement("M-8", "M-10")
def test_the_pieces_are_those_of_whoever_answers() -> None:
    with chain(lambda: OVERLOADED) as (asked, told):
        stream = asked.stream(ROWS)
        assert "".join(piece.text for piece in stream) == "from the second"
        assert stream.reply is not None
        assert (stream.reply.member, stream.reply.answer.text) == ("second", "from the second")
        assert [body["model"] for body in told.bodies] == ["first", "second"]
        assert asked.active == "second"


@requirement("M-8")
def test_what_breaks_off_after_its_first_piece_is_an_error_and_known_at_the_next_request() -> None:
    events = list(streamed("openai-chat", "one two three").events or [])[:3]
    with chain(lambda: Said(events=events, broken=True)) as (asked, told):
        stream, texts = asked.stream(ROWS), []
        with pytest.raises(ModelError):
            texts += [piece.text for piece in stream]
        assert stream.reply is None
        again = asked.stream(ROWS)
        assert "".join(piece.text for piece in again) == "from the second"
        assert [body["model"] for body in told.bodies] == ["first", "second"]


@requirement("M-8")
def test_a_stream_that_is_left_lets_the_next_one_begin() -> None:
    with chain(lambda: streamed("openai-chat", "from the first")) as (asked, _):
        pieces = iter(asked.stream(ROWS))
        next(pieces)
        with pytest.raises(ConfigError, match="under way"):
            next(iter(asked.stream(ROWS)))
        pieces.close()  # type: ignore[attr-defined]  # it is a generator
        assert "".join(piece.text for piece in asked.stream(ROWS)) == "from the first"


@requirement("M-8")
def test_the_same_for_asyncio() -> None:
    async def said(url: str) -> str:
        async with Client("openai-chat", url=f"{url}/v1", retries=Retries(tries=1)) as client:
            asked = FallbackChain([Member(client, name, 9_000, name=name) for name in ("first", "second")])
            return "".join([piece.text async for piece in asked.stream(ROWS)])

    def answer(path: str, body: Any) -> Said:
        return OVERLOADED if body["model"] == "first" else streamed("openai-chat", "from the second")

    with provider(answer) as told:
        assert asyncio.run(said(told.url)) == "from the second"
