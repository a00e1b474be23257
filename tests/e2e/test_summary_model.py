"""A real model that summarises badly, SmolLM2 of 135M by llama.cpp: the context is no worse than without it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from e2e.llama import Llama, llama
from requirement import requirement
from vademecum import Compaction, compact
from vademecum.core.facts import names_in
from vademecum.core.requests import Summarize, SummaryReply
from vademecum.core.summary_check import SECTIONS
from vademecum.core.tokens import TokenCounter
from vademecum.errors import Unavailable
from vademecum.models.local_server import LocalServer
from vademecum.models.model import Prompt, Reply
from vademecum.models.tokenizer import count_tokens
from vademecum.summarizers import StructuredSummarizer
from vademecum.testing import ScriptedModel, sample
from vademecum.wire import dialect

ROWS = sample(turns=8, rounds=1, chars=500)
#: So little that one input holds all.
WINDOW, BUDGET = 4_096, {"window": 8_000, "trigger": 1_600, "target": 1_200}
MOST = 60


@pytest.fixture(scope="module")
def server() -> Iterator[Llama]:
    with llama(WINDOW) as started:
        yield started


def names(done: Compaction) -> set[str]:
    assert done.plan is not None
    assert done.plan.carry is not None
    return set(names_in(done.plan.carry.text))


class Bounded:
    """The server's model, asked once and for little: on a busy machine it writes a few tokens a second."""

    def __init__(self, model: LocalServer) -> None:
        self.name, self.window = model.name, model.window
        self._model = model
        self.replies: list[Reply] = []

    def complete(self, prompt: Prompt) -> Reply:
        if self.replies:
            raise Unavailable("asked often enough")
        self.replies.append(self._model.complete(replace(prompt, max_tokens=MOST)))
        # Cut off by us and not by itself: its text is judged as one that is whole.
        return replace(self.replies[0], finish="stop")


@requirement("C-17", "C-20", "C-34")
def test_a_real_weak_model_costs_no_name(server: Llama) -> None:
    plain = compact(ROWS, **BUDGET)
    model = Bounded(LocalServer(server.url))
    done = compact(ROWS, **BUDGET, summarizer=model)
    (reply,) = model.replies
    assert done.receipt.summary_tokens == (reply.input_tokens, reply.output_tokens)
    assert reply.input_tokens > 500
    assert done.receipt.outcome == plain.receipt.outcome == "compacted"
    assert done.plan is not None
    if done.receipt.summary_model:
        said = " ".join(str(row) for row in ROWS)
        assert all(name in said for name in names_in(done.plan.narrative))
    else:
        assert done.receipt.tiers[0].outcome.startswith("failed: ")
    assert names(done) >= names(plain)


@requirement("C-16", "C-20")
def test_inputs_fit_the_server_s_window_by_its_own_tokenizer(server: Llama) -> None:
    """A region of three times the window is folded with none of it left out, by another count than the server's."""
    window = LocalServer(server.url).window
    assert window < WINDOW
    notes = "\n".join(f"## {section}\nThe report is done." for section in SECTIONS)
    model = ScriptedModel([notes], window=window)
    rows = sample(turns=30, rounds=2, chars=900)
    messages = tuple(dialect("openai-chat").load(row, at) for at, row in enumerate(rows))
    counter = TokenCounter(count_tokens)
    assert sum(counter.messages(messages)) > 3 * window
    made = StructuredSummarizer(model, counter.texts)(Summarize("local", messages, "", "", 300))
    assert isinstance(made, SummaryReply)
    assert (made.text, made.covered) == (notes, len(rows))
    for asked in model.prompts:
        sent = [{"role": "system", "content": asked.system}, {"role": "user", "content": asked.user}]
        assert server.tokens(sent) + asked.max_tokens <= WINDOW
    sent_all = "\n".join(asked.user for asked in model.prompts)
    assert all(f"call_{at}" in sent_all or f"Turn {at}" in sent_all for at in range(30))
