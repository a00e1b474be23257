"""The gauge: what fills a context, as its model reads it."""

from typing import Any

import pytest

from requirement import requirement
from vademecum import Archive, Compactor
from vademecum.compactor.filling import Filling, filling, stored_context
from vademecum.core.budget import Window, budget
from vademecum.core.tokens import TokenCounter
from vademecum.models.tokenizer import count_tokens
from vademecum.presets import preset
from vademecum.testing import sample

COUNTER = TokenCounter(count_tokens)
BUDGET = budget(preset("half"), window=Window(200_000))
TOOLS = [{"type": "function", "function": {"name": "t", "description": "word " * 400}}]


def gauge(archive: Archive, model: str = "") -> Filling:
    return filling(stored_context(archive, "s", COUNTER, model), BUDGET, COUNTER)


@pytest.fixture
def archive() -> Archive:
    return Archive.memory()


@pytest.fixture
def compactor(archive: Archive) -> Compactor:
    held = archive.session("s", format="openai-chat")
    return Compactor(window=200_000, trigger=12_000, model="acme", session=held)


def fit(compactor: Compactor, turns: int, report: float = 0.0) -> Any:
    done = compactor.fit([dict(row) for row in sample(turns=turns)], tools=TOOLS)
    if report:
        compactor.observe({"usage": {"prompt_tokens": round(report * done.size.counted)}})
    return done.receipt


@requirement("C-8", "C-10", "C-13")
def test_the_gauge_shows_what_was_reported_and_an_estimate_after_a_compaction(
    archive: Archive, compactor: Compactor
) -> None:
    fit(compactor, 3, report=1.4)
    before = gauge(archive)
    assert before.origin == "reported"
    assert (
        before.measured == sum(before.categories.values()) == compactor.fit(sample(turns=3), tools=TOOLS).size.tokens
    )
    assert before.overhead > 400 * 1.3  # tools that no envelope has are known from the request
    receipt = fit(compactor, 12)
    assert receipt.outcome == "compacted"
    after = gauge(archive)
    assert (after.origin, receipt.origin) == ("estimated", "estimated")
    assert after.measured == pytest.approx(receipt.tokens_after, rel=0.02)
    assert after.measured < before.measured + 8_000 < BUDGET.trigger_tokens
    assert after.floor == pytest.approx(receipt.tokens_after, rel=0.02)
    fit(compactor, 12, report=1.4)
    assert gauge(archive).origin == "reported"


@requirement("C-8", "C-12")
def test_a_gauge_for_another_model_is_an_estimate_of_its_own(archive: Archive, compactor: Compactor) -> None:
    fit(compactor, 3, report=1.0)
    assert gauge(archive, "acme").origin == "reported"
    other = gauge(archive, "gpt-4o")
    assert (other.origin, other.measured) == ("counted", compactor.fit(sample(turns=3), tools=TOOLS).size.counted)
    assert gauge(archive, "claude-opus-4-8").measured == round(1.25 * other.measured)
