"""However often a provider says that it is too much: what is sent again, and what summaries cost, is bounded (I6)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from faults.talk import GOOD, tokens_of, user, worked
from night import often
from provider import Provider, Said, provider
from requirement import requirement
from vademecum import Client, Compactor, FallbackChain, Member
from vademecum.errors import CannotFitError, ContextOverflow, ModelError
from vademecum.models.clients.retrying import Retries
from vademecum.models.model import Reply
from vademecum.models.tokenizer import count_tokens
from vademecum.testing import ScriptedModel

MANY = settings(
    max_examples=often(12),
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
#: A request is sent, and sent again smaller three times at most (C-33).
MOST_SENT = 4
#: Summaries read each record once for each of three attempts, beside their prompts.
FACTOR, PROMPTS = 3, 6_000
REFUSALS = (
    "prompt is too long",
    "prompt is too long: {asked} tokens > {limit} maximum",
    "This model's maximum context length is {limit} tokens. However, your messages resulted in {asked} tokens.",
)
#: What a summary model may do: a good summary, none, one that was cut off, a refusal, an error.
LINES = st.sampled_from(
    [GOOD, Reply("", "stop"), Reply(GOOD, "length"), "I cannot help with that.", ModelError("it is down")]
)


@pytest.fixture(scope="module")
def refusing() -> Iterator[tuple[Client, Provider, list[str]]]:
    """A provider that finds every request too large, in the words that stand in the list."""
    words = [""]

    def answer(_: str, body: Any) -> Said:
        asked = sum(count_tokens([str(message.get("content") or "") for message in body["messages"]]))
        text = words[0].format(asked=asked + 1_100, limit=max(1_100, asked - 1))
        return Said({"error": {"message": text, "type": "invalid_request_error"}}, 400)

    with (
        provider(answer) as told,
        Client("openai-chat", url=f"{told.url}/v1", timeout=5, retries=Retries(tries=1)) as client,
    ):
        yield client, told, words


@requirement("I6", "C-33", "M-7")
@MANY
@given(st.integers(1, 30), st.sampled_from([8_000, 32_000, 128_000]), st.integers(1, 3), st.sampled_from(REFUSALS))
def test_a_request_that_is_refused_for_ever_is_sent_a_bounded_number_of_times(
    refusing: tuple[Client, Provider, list[str]], rounds: int, window: int, times: int, words: str
) -> None:
    client, told, refusal = refusing
    refusal[0] = words
    rows = [user("Port the module."), *worked(rounds, chars=1_500), user("Go on.")]
    chain = FallbackChain([Member(client, "m", window)])
    for _ in range(times):
        told.requests.clear()
        with pytest.raises((ContextOverflow, CannotFitError)):
            chain.send(rows)
        sizes = [len(str(body["messages"])) for body in told.bodies]
        assert len(sizes) <= MOST_SENT
        assert all(later < earlier for earlier, later in itertools.pairwise(sizes))


@requirement("I6", "C-33")
@MANY
@given(
    st.integers(1, 60),
    st.integers(200, 3_000),
    st.sampled_from([8_000, 32_000, 128_000]),
    st.integers(1, 5),
    st.lists(LINES, min_size=1, max_size=4),
)
def test_what_summaries_read_is_bounded_by_what_left(
    rounds: int, chars: int, window: int, times: int, script: list[Any]
) -> None:
    """The same request is refused again and again, whatever becomes of its summaries."""
    model = ScriptedModel(script, window=64_000)
    compactor = Compactor(window=window, summarizer=model)
    rows = [user("Port the module."), *worked(rounds, chars=chars)]
    sizes = [tokens_of(rows)]
    for _ in range(times):
        try:
            sizes.append(compactor.fit(rows, forced=True).receipt.tokens_after)
        except CannotFitError:
            break
    read = sum(sum(count_tokens([prompt.system, prompt.user])) for prompt in model.prompts)
    assert read <= FACTOR * (sizes[0] - min(sizes)) + PROMPTS * (len(sizes) - 1), (sizes, len(model.prompts))
