"""Replies that were cut off at their own output limit: one with a larger limit, then three continuations at most."""

from __future__ import annotations

import asyncio
import copy
import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from provider import PATHS, Provider, Said, provider, streamed, whole
from requirement import requirement
from vademecum import Client, FallbackChain, Member
from vademecum.errors import ModelError
from vademecum.models.clients.retrying import Retries

WINDOW = 32_768
ROWS: dict[str, list[Any]] = {
    "openai-chat": [{"role": "user", "content": "Tell me a long story."}],
    "anthropic": [{"role": "user", "content": "Tell me a long story."}],
    "ollama": [{"role": "user", "content": "Tell me a long story."}],
    "gemini": [{"role": "user", "parts": [{"text": "Tell me a long story."}]}],
    "openai-responses": [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Tell me."}]}
    ],
}
LIMITS = {"openai-responses": ("max_output_tokens",), "gemini": ("generationConfig", "maxOutputTokens"),
          "ollama": ("options", "num_predict")}  # fmt: skip


def cut(format: str, text: str) -> Any:
    """A whole reply that ended at its own limit."""
    reply = copy.deepcopy(whole(format, text, 20))
    match format:
        case "openai-chat":
            reply["choices"][0]["finish_reason"] = "length"
        case "anthropic":
            reply["stop_reason"] = "max_tokens"
        case "gemini":
            reply["candidates"][0]["finishReason"] = "MAX_TOKENS"
        case "ollama":
            reply["done_reason"] = "length"
        case _:
            reply |= {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    return reply


def limit(format: str, body: Any) -> int | None:
    for key in LIMITS.get(format, ("max_tokens",)):
        body = (body or {}).get(key)
    return body


@contextmanager
def chain(
    replies: Sequence[Any], format: str = "openai-chat", **more: Any
) -> Iterator[tuple[FallbackChain, Provider]]:
    """A chain of one member that gives these replies in order, the last one again and again."""
    with (
        provider(script(replies)) as told,
        Client(format, url=f"{told.url}{PATHS[format]}", retries=Retries(tries=1)) as client,
    ):
        yield FallbackChain([Member(client, "m-1", WINDOW)], **more), told


def script(replies: Sequence[Any]) -> Callable[[str, Any], Said]:
    left = list(replies)

    def answer(path: str, body: Any) -> Said:
        said = left.pop(0) if len(left) > 1 else left[0]
        return said if isinstance(said, Said) else Said(said)

    return answer


def later(replies: Sequence[Any], ask: Callable[[FallbackChain], Any]) -> Any:
    """The same for asyncio: what a coroutine of a chain returns."""

    async def asked(url: str) -> Any:
        async with Client("openai-chat", url=f"{url}/v1", retries=Retries(tries=1)) as client:
            return await ask(FallbackChain([Member(client, "m-1", WINDOW)]))

    with provider(script(replies)) as told:
        return asyncio.run(asked(told.url))


def what(decisions: Any) -> list[str]:
    return [decision.what for decision in decisions]


@requirement("M-7")
@pytest.mark.parametrize("format", sorted(PATHS))
def test_it_is_asked_once_for_more_and_then_continued(format: str) -> None:
    replies = [cut(format, "one "), cut(format, "one two "), cut(format, "three "), whole(format, "four")]
    with chain(replies, format) as (asked, told):
        reply = asked.send(ROWS[format], max_output=1_000)
    assert reply.answer.text == "one two three four"
    assert reply.answer.finish == "stop"
    assert what(reply.decisions) == ["more_output", "goes_on", "goes_on", "answered"]
    first, wider, *rest = told.bodies
    assert (limit(format, first), limit(format, wider)) == (1_000, 8_192)
    assert len(rest) == 2
    # What was sent before stays as it was, so that the provider's cache pays.
    sent = [json.dumps(next(value for value in body.values() if isinstance(value, list))) for body in told.bodies]
    assert sent[0] == sent[1]
    assert all(later.startswith(earlier[:-1]) for earlier, later in itertools.pairwise(sent[1:]))
    assert "one two three four" in "".join(_texts(reply.answer.messages))
    assert "cut off" not in json.dumps(reply.answer.messages)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [text for each in inner for text in _texts(each)]


@requirement("M-7")
def test_it_is_continued_three_times_at_most() -> None:
    replies = [cut("openai-chat", f"part {number} ") for number in range(9)]
    with chain(replies) as (asked, told):
        reply = asked.send(ROWS["openai-chat"], max_output=500)
    assert len(told.bodies) == 5
    assert (reply.answer.finish, reply.answer.text) == ("length", "part 1 part 2 part 3 part 4 ")
    assert what(reply.decisions)[-2:] == ["cut_off", "answered"]


@requirement("M-7")
def test_the_first_continuation_goes_on_from_what_was_there_where_more_is_refused() -> None:
    refusal = Said({"error": {"message": "max_tokens is too large: 8192", "code": "invalid_value"}}, 400)
    with chain([cut("openai-chat", "one "), refusal, whole("openai-chat", "two")]) as (asked, _):
        reply = asked.send(ROWS["openai-chat"], max_output=500)
    assert (reply.answer.text, reply.answer.finish) == ("one two", "stop")


@requirement("M-7")
@pytest.mark.parametrize(
    ("text", "why"),
    [("", "no text"), ("and so on and so forth, " * 40, "repeats itself")],
    ids=["thought only", "a loop"],
)
def test_what_cannot_go_on_is_given_as_it_is(text: str, why: str) -> None:
    with chain([cut("openai-chat", text)]) as (asked, told):
        reply = asked.send(ROWS["openai-chat"], max_output=500)
    assert len(told.bodies) == 2
    assert (reply.answer.text, reply.answer.finish) == (text, "length")
    assert why in reply.decisions[-2].why


@requirement("M-7")
def test_a_call_that_was_cut_off_is_none_and_not_continued() -> None:
    reply = copy.deepcopy(whole("openai-chat", "I look.", call=True))
    reply["choices"][0]["finish_reason"] = "length"
    reply["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = '{"a": '
    with chain([reply]) as (asked, told):
        done = asked.send(ROWS["openai-chat"], max_output=500)
    assert (len(told.bodies), done.answer.finish) == (2, "length")


@requirement("M-7")
def test_it_is_given_as_it_is_where_that_is_wanted() -> None:
    with chain([cut("openai-chat", "one ")], whole=False) as (asked, told):
        reply = asked.send(ROWS["openai-chat"], max_output=500)
    assert (len(told.bodies), reply.answer.finish, reply.answer.text) == (1, "length", "one ")


@requirement("M-7")
def test_a_reply_that_ended_with_the_window_is_an_overflow_and_no_cut() -> None:
    full = cut("openai-chat", "one ")
    full["usage"] = {"prompt_tokens": WINDOW - 10, "completion_tokens": 10, "total_tokens": WINDOW}
    rows = [{"role": "user", "content": "word " * 15_000}, {"role": "assistant", "content": "Yes."},
            {"role": "user", "content": "Go on."}]  # fmt: skip
    with chain([full, whole("openai-chat", "short")]) as (asked, _):
        reply = asked.send(rows)
    assert what(reply.decisions) == ["compacts", "answered"]


@requirement("M-7", "M-9")
def test_what_continuations_cost_is_counted_and_is_no_size_of_the_context() -> None:
    with chain([cut("openai-chat", "one "), cut("openai-chat", "one "), whole("openai-chat", "two", 900)]) as (
        asked,
        _,
    ):
        reply = asked.send(ROWS["openai-chat"], max_output=500)
        (total,) = asked.session.usage()
        assert (total.calls, total.prompt_tokens) == (3, 20 + 20 + 900)
        assert reply.answer.usage is not None
        assert (reply.answer.usage.prompt_tokens, reply.answer.usage.output_tokens) == (20, 10)
        rows = [*ROWS["openai-chat"], *reply.answer.messages, {"role": "user", "content": "And?"}]
        assert asked.send(rows).receipt.tokens_before < 100


def cut_stream(text: str) -> Said:
    said = streamed("openai-chat", text)
    events = copy.deepcopy(list(said.events or []))
    for event in events:
        if isinstance(event, dict) and event["choices"] and event["choices"][0]["finish_reason"]:
            event["choices"][0]["finish_reason"] = "length"
    return Said(events=events)


STREAMS = (cut_stream("one two "), cut_stream("three "), streamed("openai-chat", "four five"))


@requirement("M-7", "M-10")
def test_a_stream_goes_on_with_the_pieces_of_its_continuations() -> None:
    with chain(STREAMS) as (asked, told):
        stream = asked.stream(ROWS["openai-chat"], max_output=500)
        assert "".join(piece.text for piece in stream) == "one two three four five"
        assert stream.reply is not None
        assert (stream.reply.answer.text, stream.reply.answer.finish) == ("one two three four five", "stop")
        assert len(told.bodies) == 3  # nothing was written anew: it had been given out


@requirement("M-7", "M-10")
def test_the_same_for_asyncio() -> None:
    replies = [cut("openai-chat", "x "), cut("openai-chat", "one "), whole("openai-chat", "two")]
    reply = later(replies, lambda asked: asked.send_async(ROWS["openai-chat"], max_output=500))
    assert (reply.answer.text, reply.answer.finish) == ("one two", "stop")

    async def pieces(asked: FallbackChain) -> list[str]:
        return [piece.text async for piece in asked.stream(ROWS["openai-chat"], max_output=500)]

    assert "".join(later(STREAMS, pieces)) == "one two three four five"


@requirement("M-7", "M-10")
def test_a_continuation_that_breaks_off_in_the_middle_is_an_error() -> None:
    broken = Said(events=list(streamed("openai-chat", "three four").events or [])[:2], broken=True)
    with chain([cut_stream("one two "), broken]) as (asked, _), pytest.raises(ModelError):
        list(asked.stream(ROWS["openai-chat"], max_output=500))
