"""Two real llama.cpp servers, windows of 8K and 1K, as a chain in both directions; the model summarises, badly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from e2e.llama import Llama, llama
from requirement import requirement
from vademecum import Client, FallbackChain, Member, compact
from vademecum.core.facts import names_in
from vademecum.errors import Unavailable
from vademecum.models.clients import ClientModel
from vademecum.models.clients.retrying import Retries
from vademecum.models.model import Prompt, Reply, Ride

LARGE, SMALL = 8_192, 1_024
RULE = "Never write to the folder /srv/golden."
#: Words that the model writes at most, and summaries that it is asked for: it is slow on a busy machine.
WORDS, CALLS = 4, 2
OPTIONS = {"temperature": 0}


@pytest.fixture(scope="module")
def servers() -> Iterator[dict[str, Llama]]:
    with llama(LARGE) as large, llama(SMALL) as small:
        yield {"large": large, "small": small}


class Clock:
    """A clock that only a test moves."""

    def __init__(self) -> None:
        self.time = 1_000.0

    def __call__(self) -> float:
        return self.time


class Bounded(ClientModel):
    """The real model, asked a few times and for little."""

    def __init__(self, client: Client, window: int) -> None:
        super().__init__(client, "smollm2", window, options=OPTIONS)
        self.replies: list[Reply] = []

    def complete(self, prompt: Prompt) -> Reply:
        return self._bounded(lambda: super(Bounded, self).complete(replace(prompt, max_tokens=48)))

    def ride(self, ride: Ride) -> Reply:
        return self._bounded(lambda: super(Bounded, self).ride(replace(ride, max_tokens=48)))

    def _bounded(self, ask: Any) -> Reply:
        if len(self.replies) >= CALLS:
            raise Unavailable("asked often enough")
        self.replies.append(ask())
        return replace(self.replies[-1], finish="stop")  # cut off by us and not by itself


def talk(turns: int) -> list[dict[str, Any]]:
    """About sixty tokens a turn."""
    rows: list[dict[str, Any]] = [{"role": "user", "content": f"{RULE} Tell me of each report whether it is good."}]
    for at in range(turns):
        rows.append(
            {"role": "assistant", "content": f"Report run_{at}.log has {at * 7 + 3} lines and port {8_000 + at}."}
        )
        rows.append(
            {"role": "user", "content": f"Next is run_{at + 1}.log of the service svc-{at + 1}: all is well there."}
        )
    return rows


@requirement("M-8", "C-15", "C-17", "C-34")
@pytest.mark.parametrize("first", ["large", "small"])
def test_each_server_gets_a_context_that_fits_it(servers: dict[str, Llama], first: str) -> None:
    """The first is away for one request and comes back; each context fits by the count of its reader."""
    second = "small" if first == "large" else "large"
    windows = {"large": LARGE, "small": SMALL}
    rows, clock, gone = talk(24), Clock(), "http://127.0.0.1:9/v1"
    once = Retries(tries=1)
    with (
        Client("openai-chat", url=f"{servers[first].url}/v1", retries=once) as one,
        Client("openai-chat", url=f"{servers[second].url}/v1", retries=once) as other,
        Client("openai-chat", url=gone, retries=once) as nowhere,
        Client("openai-chat", url=f"{servers['large'].url}/v1", retries=once) as author,
    ):
        writer = Bounded(author, LARGE)

        def chain(client: Client, session: Any = None) -> FallbackChain:
            members = [
                Member(client, "smollm2", windows[first], OPTIONS, name=first),
                Member(other, "smollm2", windows[second], OPTIONS, name=second),
            ]
            given = {} if session is None else {"session": session}
            return FallbackChain(
                members, now=clock, cooldown=30, summarizer=writer, max_output=WORDS, whole=False, **given
            )

        here = chain(one)
        before = here.send(rows)
        assert before.member == first
        away = chain(nowhere, here.session).send(rows)  # its place is empty now
        assert away.member == second
        clock.time += 1_000
        back = chain(one, here.session).send(rows)
        assert back.member == first
        for reply in (before, away, back):
            assert reply.answer.usage is not None
            assert reply.answer.usage.prompt_tokens + WORDS <= windows[reply.member]
        assert back.receipt.cycle == before.receipt.cycle
    told = before if first == "small" else away
    assert told.receipt.outcome == "compacted"
    assert writer.replies, "the model was asked for a summary"
    assert told.receipt.summary_ways
    assert "/srv/golden" in str(here.session.context("main" if first == "large" else f"window-{SMALL}"))


@requirement("C-17", "C-20")
def test_the_weak_summary_costs_no_name_that_is_kept_without_it(servers: dict[str, Llama]) -> None:
    budget: dict[str, Any] = {"window": LARGE, "trigger": 1_200, "target": 900}
    plain = compact(talk(40), **budget)
    with Client("openai-chat", url=f"{servers['large'].url}/v1", retries=Retries(tries=1)) as client:
        writer = Bounded(client, LARGE)
        done = compact(talk(40), **budget, summarizer=writer)
    assert writer.replies
    assert set(names_in(str(done.messages))) >= set(names_in(str(plain.messages)))
    assert done.receipt.tokens_after <= plain.receipt.trigger_tokens
