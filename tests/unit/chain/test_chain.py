"""A chain of three members with windows of 8K, 32K and 128K, over a server that knows their true windows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from fault import fault
from provider import HANG, RESET, Provider, Said, provider, whole
from requirement import requirement
from vademecum import Archive, Client, FallbackChain, Member
from vademecum.errors import AuthFailed, BadRequest, ConfigError, ContextOverflow
from vademecum.models.clients.retrying import Retries
from vademecum.models.tokenizer import count_tokens

WINDOWS = {"small": 8_192, "middle": 32_768, "large": 131_072}
RULE = "Never write to the folder /srv/golden; this holds for the whole task."
BUSY = Said({"error": {"message": "Rate limit reached for requests", "type": "requests"}}, 429)
OVERLOADED = Said({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, 529)
NO_KEY = Said({"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}, 401)
BAD = Said({"error": {"message": "Unknown parameter: 'colour'", "type": "invalid_request_error"}}, 400)


class Clock:
    """A clock that only a test moves."""

    def __init__(self) -> None:
        self.time = 1_000.0

    def __call__(self) -> float:
        return self.time


def size(body: Any) -> int:
    return sum(count_tokens([str(message.get("content") or "") for message in body["messages"]]))


def overflow(window: int, asked: int, *, numbers: bool = True) -> Said:
    text = (
        f"This model's maximum context length is {window} tokens. However, your messages resulted in {asked} tokens."
    )
    return Said(
        {"error": {"message": text if numbers else "prompt is too long", "type": "invalid_request_error"}}, 400
    )


def answering(faults: Callable[[str, Any], Said | None], windows: dict[str, int] | None = None) -> Any:
    true = windows or WINDOWS

    def answer(path: str, body: Any) -> Said:
        found = faults(body["model"], body)
        if found is not None:
            return found
        tokens = size(body)
        if tokens > true[body["model"]]:
            return overflow(true[body["model"]], tokens)
        return Said({**whole("openai-chat", f"noted by {body['model']}", tokens), "model": body["model"]})

    return answer


@contextmanager
def members(
    told: Provider, names: str = "small middle large", tries: int = 2, **windows: int
) -> Iterator[list[Member]]:
    retries = Retries(tries=2, sleep=lambda seconds: None, jitter=lambda: 0.5)
    with Client("openai-chat", url=f"{told.url}/v1", timeout=0.3, retries=retries) as client:
        yield [Member(client, name, {**WINDOWS, **windows}[name], name=name) for name in names.split()]


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def long(tokens: int) -> list[Any]:
    """A transcript of about so many tokens, in turns."""
    turns = range(max(1, tokens // 500))
    rows: list[Any] = [user(RULE)]
    for turn in turns:
        rows.append({"role": "assistant", "content": f"Step {turn}: I look at file_{turn}.py."})
        rows.append(user(f"file_{turn}.py says: " + " ".join(f"value_{turn}_{n} = {n * turn}" for n in range(45))))
    return rows


def nothing(model: str, body: Any) -> None:
    return None


def kinds(decisions: Any) -> list[tuple[str, str]]:
    return [(decision.member, decision.what) for decision in decisions]


@requirement("M-8")
@pytest.mark.parametrize("failure", [BUSY, OVERLOADED, Said({"error": "x"}, 503), RESET, HANG])
def test_a_member_that_does_not_serve_is_passed_over_and_asked_again_later(failure: Said) -> None:
    broken = {"small"}
    clock = Clock()
    with (
        provider(answering(lambda model, body: failure if model in broken else None)) as told,
        members(told) as chosen,
    ):
        chain = FallbackChain(chosen, now=clock, cooldown=30)
        rows = [user(RULE)]
        first = chain.send(rows)
        assert (first.member, chain.active) == ("middle", "middle")
        assert kinds(first.decisions) == [("small", "cools_down"), ("middle", "answered")]
        assert [body["model"] for body in told.bodies] == ["small", "small", "middle"]
        chain.send(rows)
        assert [body["model"] for body in told.bodies][3:] == ["middle"]
        clock.time += 31
        chain.send(rows)  # it is asked once, fails, and is left alone twice as long
        assert [body["model"] for body in told.bodies][4:] == ["small", "middle"]
        broken.clear()
        clock.time += 59
        assert chain.send(rows).member == "middle"
        clock.time += 2
        assert chain.send(rows).member == "small"


@requirement("M-8")
def test_auth_and_a_bad_request_move_on_once() -> None:
    with (
        provider(answering(lambda model, body: NO_KEY if model != "large" else BAD)) as told,
        members(told) as chosen,
    ):
        with pytest.raises(AuthFailed):
            FallbackChain(chosen).send([user("hello")])
        assert [body["model"] for body in told.bodies] == ["small", "middle"]
    with provider(answering(lambda model, body: BAD if model == "small" else None)) as told, members(told) as chosen:
        chain = FallbackChain(chosen)
        reply = chain.send([user("hello")])
        assert reply.member == "middle"
        assert "Unknown parameter" in reply.decisions[0].why
    with provider(answering(lambda model, body: BAD)) as told, members(told) as chosen, pytest.raises(BadRequest):
        FallbackChain(chosen).send([user("hello")])
    assert len(told.requests) == 2


@requirement("M-8")
@fault(92)
def test_each_member_gets_a_context_that_fits_it_leaving_and_returning() -> None:
    down: set[str] = set()
    clock = Clock()
    with (
        provider(answering(lambda model, body: OVERLOADED if model in down else None)) as told,
        members(told, "large small") as chosen,
    ):
        chain = FallbackChain(chosen, now=clock)
        rows = long(40_000)
        before = chain.send(rows)
        assert size(told.bodies[-1]) > WINDOWS["small"]
        down.add("large")
        away = chain.send(rows)
        assert (away.member, away.receipt.outcome) == ("small", "compacted")
        assert size(told.bodies[-1]) <= WINDOWS["small"]
        down.clear()
        clock.time += 1_000
        back = chain.send(rows)
        assert back.member == "large"
        assert told.bodies[-1]["messages"] == told.bodies[0]["messages"]
        assert back.receipt.cycle == before.receipt.cycle


@requirement("M-8")
@fault(94)
def test_when_nothing_more_can_be_compacted_a_larger_window_is_the_last_rung() -> None:
    system = " ".join(f"word{n}" for n in range(12_000))
    with provider(answering(nothing)) as told, members(told, "small middle large", middle=8_192) as chosen:
        reply = FallbackChain(chosen).send([user(RULE)], system=system)
    assert reply.member == "large"
    assert {body["model"] for body in told.bodies} == {"large"}
    assert ("middle", "skipped") in kinds(reply.decisions)


@requirement("M-8")
def test_a_trigger_of_the_first_window_is_no_mistake_of_a_smaller_member() -> None:
    with (
        provider(answering(lambda model, body: OVERLOADED if model == "large" else None)) as told,
        members(told, "large small") as chosen,
    ):
        reply = FallbackChain(chosen, trigger=60_000, target=20_000).send(long(14_000))
    assert reply.member == "small"
    assert size(told.bodies[-1]) <= WINDOWS["small"]


@requirement("M-6", "M-7", "M-8")
@pytest.mark.parametrize("numbers", [True, False])
def test_an_overflow_is_compacted_before_anybody_else_is_asked(numbers: bool) -> None:
    true = {"small": 6_000, "middle": 32_768}

    def faults(model: str, body: Any) -> Said | None:
        tokens = size(body)
        return overflow(true[model], tokens, numbers=numbers) if tokens > true[model] else None

    with provider(answering(faults)) as told, members(told, "small middle", small=30_000) as chosen:
        chain = FallbackChain(chosen)
        reply = chain.send(long(14_000))
        assert reply.member == "small"
        assert 1 < len(told.requests) <= 4
        assert len({json.dumps(body["messages"]) for body in told.bodies}) == len(told.bodies)
        assert (("small", "learned") in kinds(reply.decisions)) is numbers
        if numbers:
            assert reply.receipt.window.tokens == 6_000
            assert reply.receipt.window.origin == "learned"


@requirement("M-7", "C-33")
def test_an_overflow_that_never_ends_is_bounded() -> None:
    said = overflow(0, 0, numbers=False)
    with provider(lambda path, body: said) as told, members(told) as chosen, pytest.raises(ContextOverflow):
        FallbackChain(chosen).send(long(60_000))
    asked = [body["model"] for body in told.bodies]
    assert all(asked.count(name) <= 4 for name in WINDOWS)
    assert len({json.dumps(body, sort_keys=True) for body in told.bodies}) == len(told.bodies)


@requirement("M-7", "M-10")
def test_a_prompt_that_was_cut_silently_is_no_answer() -> None:
    def answer(path: str, body: Any) -> Said:
        return Said(whole("ollama", "yes", min(4_096, size(body))))

    retries = Retries(tries=1)
    with provider(answer) as told, Client("ollama", url=told.url, retries=retries) as client:
        reply = FallbackChain([Member(client, "m-1", 32_768)]).send(long(12_000))
    assert told.bodies[0]["options"]["num_ctx"] == 32_768
    assert told.bodies[-1]["options"]["num_ctx"] == 4_096
    assert size(told.bodies[-1]) <= 4_096
    assert [what for _, what in kinds(reply.decisions)] == ["cut_silently", "learned", "compacts", "answered"]


@requirement("M-8")
def test_what_is_remembered_stays_with_the_session(tmp_path: Any) -> None:
    clock = Clock()
    with (
        provider(answering(lambda model, body: OVERLOADED if model == "small" else None)) as told,
        members(told) as chosen,
    ):
        for _ in range(2):
            with Archive.open(tmp_path / "a.db") as archive:
                chain = FallbackChain(chosen, session=archive.session("s", format="openai-chat"), now=clock)
                chain.send([user("hello")])
        assert [body["model"] for body in told.bodies] == ["small", "small", "middle", "middle"]
        assert kinds(chain.decisions) == [("small", "cools_down"), ("middle", "answered"), ("middle", "answered")]


@requirement("M-8")
@fault(64)
def test_foreign_reasoning_is_not_sent() -> None:
    down: set[str] = set()
    sealed = {"large": "sealed by large", "small": "sealed by small"}

    def answer(path: str, body: Any) -> Said:
        name = body["model"]
        if name in down:
            return OVERLOADED
        content = [{"type": "thinking", "thinking": "", "signature": sealed[name]}, {"type": "text", "text": "ok"}]
        return Said({**whole("anthropic", "ok"), "content": content})

    clock = Clock()
    retries = Retries(tries=1)
    with provider(answer) as told, Client("anthropic", url=told.url, retries=retries) as client:
        chain = FallbackChain(
            [Member(client, name, WINDOWS[name], name=name) for name in ("large", "small")], now=clock
        )
        rows = [user("one")]
        rows += [*chain.send(rows).answer.messages, user("two")]
        down.add("large")
        rows += [*chain.send(rows).answer.messages, user("three")]
        down.clear()
        clock.time += 1_000
        chain.send(rows)
    sent = [json.dumps(body["messages"]) for body in told.bodies]
    assert "sealed" not in sent[2]
    assert "sealed by large" in sent[3]
    assert "sealed by small" not in sent[3]


@requirement("M-8")
def test_decisions_hold_no_secrets() -> None:
    key = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    said = Said({"error": {"message": f"the token {key} is not valid here", "code": "invalid_api_key"}}, 401)
    with provider(answering(lambda model, body: said if model == "small" else None)) as told, members(told) as chosen:
        reply = FallbackChain(chosen).send([user("hello")])
    assert "is not valid here" in reply.decisions[0].why
    assert key not in reply.decisions[0].why


@requirement("M-8")
def test_the_members_of_a_chain_share_a_wire_format() -> None:
    chat, native = Client("openai-chat"), Client("ollama")
    with pytest.raises(ConfigError, match="ollama and openai-chat"):
        FallbackChain([Member(chat, "a", 9_000), Member(native, "b", 9_000)])
    with pytest.raises(ConfigError, match="no member that is on"):
        FallbackChain([Member(chat, "a", 9_000, on=False)])
    with pytest.raises(ConfigError, match="two members"):
        FallbackChain([Member(chat, "a", 9_000), Member(chat, "a", 9_000)])
    assert FallbackChain([Member(chat, "a", 9_000), Member(native, "b", 9_000, on=False)]).active == ""
    chat.close()
    native.close()


@requirement("M-8")
def test_the_same_for_asyncio() -> None:
    async def asked(url: str) -> str:
        async with Client("openai-chat", url=f"{url}/v1", retries=Retries(tries=1)) as client:
            chain = FallbackChain([Member(client, name, WINDOWS[name], name=name) for name in ("small", "large")])
            return (await chain.send_async(long(20_000))).member

    with provider(answering(lambda model, body: OVERLOADED if model == "small" else None)) as told:
        assert asyncio.run(asked(told.url)) == "large"
