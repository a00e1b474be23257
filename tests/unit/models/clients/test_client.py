"""The official SDKs of four providers, in five wire formats, against a server that answers in their shapes."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from provider import HANG, PATHS, RESET, Provider, Said, provider, streamed, whole
from requirement import requirement
from vademecum import Client
from vademecum.errors import AuthFailed, ConfigError, ContextOverflow, ModelError, RateLimited, Unavailable
from vademecum.models.clients import body_of
from vademecum.models.clients.openai_sdk import chat_fields
from vademecum.models.clients.retrying import Retries
from vademecum.wire import dialect

FORMATS = sorted(PATHS)
KEY = "sk-0123456789abcdefghij"
WORDS: Mapping[str, Any] = {
    "openai-chat": {"role": "user", "content": "say"},
    "openai-responses": {"role": "user", "content": "say"},
    "anthropic": {"role": "user", "content": "say"},
    "gemini": {"role": "user", "parts": [{"text": "say"}]},
    "ollama": {"role": "user", "content": "say"},
}


@contextmanager
def asking(format: str, told: Provider, waits: list[float] | None = None, timeout: float = 20.0) -> Generator[Client]:
    slept = [] if waits is None else waits

    async def later(seconds: float) -> None:
        slept.append(seconds)

    retries = Retries(tries=3, sleep=slept.append, sleep_async=later, jitter=lambda: 0.5)
    with Client(format, url=told.url + PATHS[format], key=KEY, timeout=timeout, retries=retries) as client:
        yield client


def body(format: str) -> dict[str, Any]:
    return body_of(format, "m-1", [WORDS[format]], system="be brief", max_output=50, window=8192)


@requirement("M-10")
@pytest.mark.parametrize("format", FORMATS)
def test_a_whole_answer(format: str) -> None:
    with (
        provider(lambda path, sent: Said(whole(format, "two words", call=True))) as told,
        asking(format, told) as client,
    ):
        answer = client.send(body(format))
    assert (answer.text, answer.finish) == ("two words", "tool_call")
    assert answer.usage is not None
    assert (answer.usage.prompt_tokens, answer.usage.output_tokens) == (100, 5)
    loaded = [dialect(format).load(message, index) for index, message in enumerate(answer.messages)]
    assert [part.tool for message in loaded for part in message.parts if part.kind == "tool_call"] == ["look"]


@requirement("M-10")
@pytest.mark.parametrize("format", FORMATS)
def test_a_stream_makes_the_same_answer(format: str) -> None:
    def answered(path: str, sent: Any) -> Said:
        streams = sent.get("stream") or "stream" in path
        return streamed(format, "two words", call=True) if streams else Said(whole(format, "two words", call=True))

    with provider(answered) as told, asking(format, told) as client:
        at_once = client.send(body(format))
        stream = client.stream(body(format))
        pieces = [piece.text for piece in stream]
    assert "".join(pieces) == "two words"
    assert len([piece for piece in pieces if piece]) == 2
    assert stream.answer is not None
    assert stream.answer.messages == at_once.messages
    assert (stream.answer.finish, stream.answer.usage) == (at_once.finish, at_once.usage)


@requirement("M-10")
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning")  # Google's own
def test_the_same_for_asyncio(format: str) -> None:
    def answered(path: str, sent: Any) -> Said:
        streams = sent.get("stream") or "stream" in path
        return streamed(format, "two words") if streams else Said(whole(format, "two words"))

    async def both(url: str) -> tuple[str, str]:
        async with Client(format, url=url + PATHS[format], key=KEY, timeout=20) as client:
            answer = await client.send_async(body(format))
            stream = await client.stream_async(body(format))
            return answer.text, "".join([piece.text async for piece in stream])

    with provider(answered) as told:
        assert asyncio.run(both(told.url)) == ("two words", "two words")


@requirement("M-10")
@pytest.mark.parametrize("format", FORMATS)
def test_an_answer_can_be_sent_back(format: str) -> None:
    with (
        provider(lambda path, sent: Said(whole(format, "two words", call=True))) as told,
        asking(format, told) as client,
    ):
        answer = client.send(body(format))
        client.send(body_of(format, "m-1", [WORDS[format], *answer.messages], window=8192))
    key = {"gemini": "contents", "openai-responses": "input"}.get(format, "messages")
    assert told.bodies[1][key][1:] == list(answer.messages)


@requirement("M-10")
def test_ollama_is_told_the_window_that_is_budgeted() -> None:
    with provider(lambda path, sent: Said(whole("ollama", "yes"))) as told, asking("ollama", told) as client:
        client.send(body("ollama"))
        with pytest.raises(ConfigError, match="num_ctx"):
            client.send(body_of("ollama", "m-1", [WORDS["ollama"]]))
    assert told.bodies[0]["options"] == {"num_ctx": 8192, "num_predict": 50}
    assert told.bodies[0]["messages"][0] == {"role": "system", "content": "be brief"}


@requirement("M-8")
@pytest.mark.parametrize("format", FORMATS)
def test_a_busy_server_is_asked_again_after_the_wait_that_it_names(format: str) -> None:
    waits: list[float] = []
    script = iter(
        [Said({"error": {"message": "slow down"}}, 429, {"retry-after": "7"}), Said({"error": "busy"}, 503)]
    )
    with (
        provider(lambda path, sent: next(script, Said(whole(format, "at last")))) as told,
        asking(format, told, waits) as client,
    ):
        answer = client.send(body(format))
    assert answer.text == "at last"
    assert len(told.requests) == 3
    asked = 7.05 if format != "ollama" else 0.75  # its SDK keeps no headers
    assert waits == [asked, 1.5]


@requirement("M-8")
def test_a_wait_that_is_too_long_is_not_waited_for() -> None:
    waits: list[float] = []
    said = Said({"error": {"type": "rate_limit_error", "message": "later"}}, 429, {"retry-after": "3600"})
    with (
        provider(lambda path, sent: said) as told,
        asking("anthropic", told, waits) as client,
        pytest.raises(RateLimited) as caught,
    ):
        client.send(body("anthropic"))
    assert (caught.value.retry_after_s, waits, len(told.requests)) == (3600, [], 1)


@requirement("M-8")
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("fault", [RESET, HANG], ids=["reset", "hang"])
def test_a_server_that_does_not_answer_is_unavailable(format: str, fault: Said) -> None:
    waits: list[float] = []
    with (
        provider(lambda path, sent: fault) as told,
        asking(format, told, waits, timeout=0.2) as client,
        pytest.raises(Unavailable),
    ):
        client.send(body(format))
    assert (len(told.requests), waits) == (3, [0.75, 1.5])


@requirement("M-5", "M-10")
@pytest.mark.parametrize("format", FORMATS)
def test_errors_are_of_the_tree_and_show_no_key(format: str) -> None:
    script = iter([Said({"error": {"message": f"wrong key {KEY}", "code": 401}}, 401)])
    overflow = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
    with (
        provider(lambda path, sent: next(script, Said({"error": {"message": overflow}}, 400))) as told,
        asking(format, told) as client,
    ):
        with pytest.raises(AuthFailed) as refused:
            client.send(body(format))
        with pytest.raises(ContextOverflow) as caught:
            client.send(body(format))
    assert KEY not in str(refused.value)
    assert KEY not in repr(client)
    assert "8192" in str(caught.value)
    assert len(told.requests) == 2


@requirement("M-5")
@pytest.mark.parametrize("format", FORMATS)
def test_a_stream_without_an_end_is_no_answer(format: str) -> None:
    cut = streamed(format, "two words").events or []
    said = Said(events=list(cut)[:2], lines=format == "ollama", broken=True)
    with provider(lambda path, sent: said) as told, asking(format, told) as client:
        stream = client.stream(body(format))
        with pytest.raises(ModelError):
            list(stream)
    assert stream.answer is None


@requirement("M-5")
def test_an_error_in_a_stream_is_an_error() -> None:
    start = (streamed("anthropic", "two words").events or [])[0]
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    with (
        provider(lambda path, sent: Said(events=[start, error])) as told,
        asking("anthropic", told) as client,
        pytest.raises(Unavailable),
    ):
        list(client.stream(body("anthropic")))


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ConfigError, match="no wire format"):
        Client("telegram")


@requirement("M-10")
@pytest.mark.parametrize(("own", "name"), [(True, "max_completion_tokens"), (False, "max_tokens")])
def test_openai_s_own_models_are_told_the_output_limit_by_the_name_that_all_of_them_take(
    own: bool, name: str
) -> None:
    body = body_of("openai-chat", "m-1", [{"role": "user", "content": "hi"}], max_output=64)
    assert chat_fields(body, False, own=own)["extra_body"] == {name: 64}
