"""The three roads to a trigger of 16K, and a catalog that lies, end to end: compactor, chain and proxy.

A window that was not known used to be taken for 32,000 tokens, an output limit for all of the window: long tasks were
compacted at 16,000 tokens on models that have a million.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from e2e.llama import free_port, llama
from fault import fault
from provider import Provider, Said, provider, streamed, whole
from proxy.harness import CHAT, Between, Reply, config, run, serving
from proxy.upstream import Upstream
from requirement import requirement
from vademecum import Archive, Client, Compaction, Compactor, FallbackChain, Member
from vademecum.errors import ModelError
from vademecum.models.clients import Answer
from vademecum.models.clients.retrying import Retries
from vademecum.models.tokenizer import count_tokens
from vademecum.testing.texts import text

#: More than the wrong trigger, less than any right one.
BETWEEN = 20_000


def talk(tokens: int) -> list[dict[str, Any]]:
    """A conversation of about so many tokens; what it begins with is the same however long it is."""
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "Please look through the files and keep port 5433."}
    ]
    for at in range(tokens // 1_000):
        messages.append({"role": "assistant", "content": f"Part {at}: {text('prose', 3_600, at)}"})
        messages.append({"role": "user", "content": f"Go on with part {at + 1}: {text('prose', 600, at)}"})
    return messages


def size(messages: list[dict[str, Any]]) -> int:
    return sum(count_tokens([str(message.get("content") or "") for message in messages])) + 4 * len(messages)


def budget(done: Compaction) -> tuple[int, str, int, int]:
    receipt = done.receipt
    return receipt.window.tokens, receipt.window.origin, receipt.trigger_tokens, receipt.cycle


def until(compactor: Compactor, messages: list[dict[str, Any]], expected: tuple[int, str, int, int]) -> None:
    """Asks until the budget is that one, however busy the machine is; what never comes hangs, and fails."""
    while budget(compactor.fit(messages)) != expected:
        pass


def shown(reply: Reply) -> tuple[int, str, int]:
    return int(reply.headers["x-vademecum-window"]), reply.headers["x-vademecum-window-origin"], reply.cycle


@asynccontextmanager
async def proxy_of(url: str, db: Path, **settings: Any) -> AsyncIterator[Between]:
    settings.setdefault("window", None)
    async with serving(config(url, db, **settings)) as at, aiohttp.ClientSession() as client:
        yield Between(Upstream(), at, client)


def as_client(told: Provider) -> Client:
    return Client("openai-chat", url=f"{told.url}/v1", retries=Retries(tries=1))


# ------------------------------------------------------------------------ (i) a fallback without a row of its own
@requirement("M-1", "M-2", "M-8", "C-2")
@pytest.mark.parametrize(
    ("answers", "listed", "expected"),
    [
        ("gpt-4o-mini-2024-07-18", None, (128_000, "catalog", 64_000, 0)),
        (
            "house/own-model",
            {"data": [{"id": "house/own-model", "max_model_len": 65_536}]},
            (65_536, "probed", 32_768, 0),
        ),
    ],
)
def test_a_fallback_model_in_the_library(answers: str, listed: Any, expected: tuple[int, str, int, int]) -> None:
    windows = {} if listed is None else {"v1/models": listed}
    with provider(lambda path, body: Said({**whole("openai-chat", "yes", 900), "model": answers}), **windows) as told:
        compactor = Compactor(model="gpt-4.1", endpoint=told.url)
        assert budget(compactor.fit(talk(2_000))) == (1_047_576, "catalog", 128_000, 0)
        with as_client(told) as client:
            compactor.observe(client.send({"model": "gpt-4.1", "messages": talk(2_000)}).raw)
        until(compactor, talk(BETWEEN), expected)


@requirement("M-1", "M-2", "M-8", "C-2")
def test_a_fallback_model_in_a_chain() -> None:
    def answer(path: str, body: Any) -> Said:
        if body["model"] == "gpt-4.1":
            return Said({"error": {"message": "overloaded", "type": "server_error"}}, 503)
        return Said({**whole("openai-chat", "yes", size(body["messages"])), "model": body["model"]})

    listed = {"data": [{"id": "house/own-model", "max_model_len": 65_536}]}
    with provider(answer, **{"v1/models": listed}) as told, as_client(told) as client:
        chain = FallbackChain([Member(client, "gpt-4.1"), Member(client, "house/own-model")])
        reply = chain.send(talk(BETWEEN))
    window, origin, trigger, cycle = budget_of(reply.receipt)
    assert (window, origin, trigger, cycle) == (65_536, "probed", 32_768, 0)


def budget_of(receipt: Any) -> tuple[int, str, int, int]:
    return receipt.window.tokens, receipt.window.origin, receipt.trigger_tokens, receipt.cycle


@requirement("M-1", "M-2", "C-2")
def test_a_fallback_model_through_the_proxy(db: Path) -> None:
    listed = {"data": [{"id": "house/own-model", "max_model_len": 65_536}]}

    def answer(path: str, body: Any) -> Said:
        return Said({**whole("openai-chat", "yes", size(body["messages"])), "model": body["model"]})

    async def work(url: str) -> None:
        async with proxy_of(url, db) as proxy:
            for model, expected in (
                ("gpt-4.1", (1_047_576, "catalog", 0)),
                ("gpt-4o-mini-2024-07-18", (128_000, "catalog", 0)),
                ("house/own-model", (65_536, "probed", 0)),
            ):
                reply = await proxy.send(CHAT, {"model": model, "messages": talk(BETWEEN)})
                assert (reply.status, shown(reply)) == (200, expected)

    with provider(answer, **{"v1/models": listed}) as told:
        run(work(told.url))
        assert [body["messages"] for body in told.bodies] == [talk(BETWEEN)] * 3


# ------------------------------------------------------------------- (ii) a local server's window is not forgotten
def ollama(tokens: int) -> dict[str, Any]:
    return {"/api/ps": {"models": [{"name": "own:8b", "model": "own:8b", "context_length": tokens}]}}


def llama_cpp(tokens: int) -> dict[str, Any]:
    return {"/props": {"default_generation_settings": {"n_ctx": tokens}}}


SHAPES = {"Ollama": ollama, "llama.cpp": llama_cpp}


@contextmanager
def local(windows: dict[str, Any]) -> Iterator[Provider]:
    with provider(lambda path, body: Said({**whole("openai-chat", "yes", 900), "model": body["model"]})) as told:
        told.windows.update(windows)
        yield told


@requirement("M-2", "M-3", "C-2")
@pytest.mark.parametrize("says", SHAPES.values(), ids=SHAPES)
def test_a_local_server_s_window_in_the_library(says: Callable[[int], dict[str, Any]], db: Path) -> None:
    with local(says(65_536)) as told:

        def started() -> tuple[Archive, Compactor]:
            archive = Archive.open(db)
            return archive, Compactor(model=f"{told.url}#own:8b", session=archive.session("s"))

        archive, compactor = started()
        with archive:
            until(compactor, talk(BETWEEN), (65_536, "probed", 32_768, 0))
        told.windows.clear()  # it is being started, and says nothing yet
        archive, compactor = started()
        with archive:
            assert budget(compactor.fit(talk(BETWEEN))) == (65_536, "probed", 32_768, 0)
        told.windows.update(says(131_072))
        archive, compactor = started()
        with archive:
            while (now := budget(compactor.fit(talk(BETWEEN)))) != (131_072, "probed", 65_536, 0):
                assert now == (65_536, "probed", 32_768, 0)


@requirement("M-2", "M-3", "C-2")
@pytest.mark.parametrize("says", SHAPES.values(), ids=SHAPES)
def test_a_local_server_s_window_through_the_proxy(says: Callable[[int], dict[str, Any]], db: Path) -> None:
    async def work(told: Provider) -> None:
        async def window(proxy: Between) -> tuple[int, str, int]:
            return shown(await proxy.send(CHAT, {"model": "own:8b", "messages": talk(BETWEEN)}))

        async with proxy_of(told.url, db) as proxy:
            assert await window(proxy) == (65_536, "probed", 0)
        told.windows.clear()
        async with proxy_of(told.url, db) as proxy:
            assert await window(proxy) == (65_536, "probed", 0)
        told.windows.update(says(131_072))
        async with proxy_of(told.url, db) as proxy:
            while (now := await window(proxy)) != (131_072, "probed", 0):
                assert now == (65_536, "probed", 0)

    with local(says(65_536)) as told:
        run(work(told))
        assert {len(body["messages"]) for body in told.bodies} == {len(talk(BETWEEN))}


@requirement("M-2", "M-3")
def test_a_real_server_that_is_started_anew_with_another_window(db: Path) -> None:
    port, messages = free_port(), [{"role": "user", "content": "Say yes."}]
    with Archive.open(db) as archive:
        with llama(1_024, port=port) as server:
            compactor = Compactor(model="smollm2", endpoint=server.url, session=archive.session("s"))
            while budget(compactor.fit(messages))[:2] != (1_024, "probed"):
                pass
            for _ in range(2):  # it answers under the name of its file, of which it is asked beside the first one
                sent = {"model": "smollm2", "messages": messages, "max_tokens": 4}
                compactor.observe(server.post("/v1/chat/completions", sent))
                done = compactor.fit(messages)
            assert (done.receipt.origin, done.receipt.tokens_after) == ("reported", server.tokens(messages))
        compactor.observe_error(ConnectionRefusedError("nobody listens"))
        assert budget(compactor.fit(messages))[:2] == (1_024, "probed")
        with llama(2_048, port=port):
            compactor.observe_error(ConnectionResetError("it was away"))
            while (now := budget(compactor.fit(messages))[:2]) != (2_048, "probed"):
                assert now == (1_024, "probed")


# ------------------------------------------------------------- (iii) 272K of window with 256K of output asked for
@requirement("C-2", "C-5", "M-2")
def test_all_of_the_window_asked_as_output_in_the_library() -> None:
    for known in ({"model": "openai:gpt-5"}, {"window": 272_000}):
        compactor = Compactor(max_output=256_000, **known)  # type: ignore[arg-type]
        done = compactor.fit(talk(BETWEEN))
        assert budget(done)[0] == 272_000
        assert budget(done)[2:] == (128_000, 0)
        (limit,) = done.limits.values()
        assert limit == 271_000 - done.receipt.tokens_after
        large = compactor.fit(talk(110_000))
        assert large.receipt.cycle == 0
        assert large.receipt.tokens_after + sum(large.limits.values()) == 271_000


@requirement("C-2", "C-5", "M-2")
def test_all_of_the_window_asked_as_output_through_the_proxy(db: Path) -> None:
    def answer(path: str, body: Any) -> Said:
        return Said({**whole("openai-chat", "yes", size(body["messages"])), "model": body["model"]})

    async def work(url: str) -> None:
        async with proxy_of(url, db) as proxy:
            for tokens in (BETWEEN, 110_000):
                sent = {"model": "gpt-5", "messages": talk(tokens), "max_completion_tokens": 256_000}
                reply = await proxy.send(CHAT, sent)
                assert (reply.status, shown(reply)) == (200, (272_000, "catalog", 0))

    with provider(answer) as told:
        run(work(told.url))
        for body, tokens in zip(told.bodies, (BETWEEN, 110_000), strict=True):
            assert body["messages"] == talk(tokens)
            assert body["max_completion_tokens"] + size(body["messages"]) <= 272_000
            assert body["max_completion_tokens"] > 0.9 * (271_000 - size(body["messages"]))


# ---------------------------------------------------------------- a catalog that announces twice the true window
TRUE = 4_096  # the catalog has 8,192 for gpt-4


def lied(path: str, body: Any) -> Said:
    """A server of half the announced window; it says so in the reply's status, or inside a stream."""
    measured = size(body["messages"])
    said = (
        f"This model's maximum context length is {TRUE} tokens. However, your messages resulted in {measured} tokens"
    )
    error = {"error": {"message": said, "type": "invalid_request_error", "code": "context_length_exceeded"}}
    if body.get("stream"):
        return Said(events=[error]) if measured > TRUE else streamed("openai-chat", "yes", measured)
    answer = {**whole("openai-chat", "yes", measured), "model": "gpt-4-0613"}
    return Said(error, 400) if measured > TRUE else Said(answer)


def refused(told: Provider) -> int:
    return sum(size(body["messages"]) > TRUE for body in told.bodies)


def asked(client: Client, compactor: Compactor, messages: list[dict[str, Any]], *, stream: bool) -> Answer:
    """A request as a loop of one's own would make it."""
    context = compactor.fit(messages)
    for _ in range(4):
        body = {"model": "gpt-4", "messages": list(context.messages)}
        try:
            answer = _streamed(client, body) if stream else client.send(body)
        except ModelError as error:
            verdict = compactor.observe_error(error)
            assert verdict is not None
            assert verdict.action == "compact"
            context = compactor.fit(messages, forced=True)
            continue
        compactor.observe(answer.raw)
        return answer
    raise AssertionError("it is refused for ever")


def _streamed(client: Client, body: dict[str, Any]) -> Answer:
    stream = client.stream(body)
    for _ in stream:
        pass
    return stream.answer


@fault(5)
@requirement("M-2", "M-4", "M-6", "C-33")
@pytest.mark.parametrize("stream", [False, True])
def test_a_catalog_that_lies_costs_the_library_one_refused_request_once(stream: bool, db: Path) -> None:
    with provider(lied) as told, as_client(told) as client:
        with Archive.open(db) as archive:
            compactor = Compactor(model="gpt-4", endpoint=told.url, session=archive.session("s"), trigger=7_000)
            for tokens in (2_000, 5_000, 9_000, 12_000):
                asked(client, compactor, talk(tokens), stream=stream)
            assert refused(told) == 1
        with Archive.open(db) as archive:
            again = Compactor(model="gpt-4", endpoint=told.url, session=archive.session("s"), trigger=7_000)
            asked(client, again, talk(15_000), stream=stream)
            other = Compactor(model="gpt-4", endpoint=told.url, session=archive.session("t"), trigger=7_000)
            asked(client, other, talk(6_000), stream=stream)
        assert refused(told) == 1


@fault(5)
@requirement("M-2", "M-4", "M-6", "C-33")
@pytest.mark.parametrize("stream", [False, True])
def test_a_catalog_that_lies_costs_the_proxy_s_client_nothing_once(stream: bool, db: Path) -> None:
    async def work(told: Provider) -> None:
        for sizes in ((2_000, 5_000, 9_000, 12_000), (15_000,)):
            async with proxy_of(told.url, db, trigger=7_000) as proxy:
                for tokens in sizes:
                    sent = {"model": "gpt-4", "messages": talk(tokens), **({"stream": True} if stream else {})}
                    reply = await proxy.send(CHAT, sent)
                    assert (reply.status, b"error" in reply.body) == (200, False)
                    assert b"yes" in reply.body
            assert refused(told) == 1

    with provider(lied) as told:
        run(work(told))


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "sessions.db"
