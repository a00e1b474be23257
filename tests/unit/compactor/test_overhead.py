"""System text and tools that fill the window: one clear outcome, no loop, no call of a model."""

import pytest

from requirement import requirement
from unit.core.cases import COUNTER
from vademecum import Archive, compact
from vademecum.errors import CannotFitError
from vademecum.summarizers import StructuredSummarizer
from vademecum.testing import ScriptedModel, sample

TOOLS = [{"name": f"tool_{n}", "description": "does something useful " * 20} for n in range(200)]  # about 14K tokens


def tools(tokens: int) -> list[dict[str, str]]:
    """Schemas of about so many tokens."""
    return [{"name": f"tool_{n}", "description": "word " * 90} for n in range(tokens // 100)]


@requirement("C-7")
def test_overhead_above_the_trigger_is_said_once_and_nothing_is_done() -> None:  # fault 30
    model = ScriptedModel(["never asked"])
    session = Archive.memory().session("heavy", format="openai-chat")
    rows = sample(turns=3)
    for _ in range(3):
        done = compact(
            rows,
            window=32_768,
            tools=tools(20_000),
            session=session,
            summarizer=StructuredSummarizer(model, COUNTER.texts),
        )
        assert done.receipt.outcome == "nothing_compactable"
        assert list(done.messages) == rows
        assert done.receipt.cycle == 0
        rows = [*rows, {"role": "user", "content": "go on"}]
    assert model.prompts == []
    assert f"{done.receipt.overhead_tokens:,}" in done.receipt.failure
    assert f"{done.receipt.trigger_tokens:,}" in done.receipt.failure


@requirement("C-7", "C-21")
def test_above_the_window_it_is_compacted_all_the_same() -> None:
    done = compact(sample(turns=60), window=32_768, tools=tools(20_000))
    assert done.receipt.tokens_before > 32_768
    assert done.plan is not None
    assert done.plan.applies
    assert done.receipt.tokens_after < 32_768


@requirement("C-7")
def test_only_a_floor_above_the_window_cannot_fit() -> None:
    with pytest.raises(CannotFitError) as caught:
        compact(sample(turns=3), window=16_000, tools=tools(20_000))
    assert caught.value.floor > 16_000


@requirement("C-7")
def test_no_messages_at_all_are_no_loop() -> None:
    done = compact([], window=32_768, tools=tools(20_000), format="openai-chat")
    assert done.receipt.outcome == "nothing_compactable"
    assert list(done.messages) == []
