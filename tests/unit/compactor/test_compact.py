"""One call: a transcript in, a context that fits out."""

import pytest

from requirement import requirement
from vademecum import Archive, compact
from vademecum.errors import ConfigError, WireError
from vademecum.testing import sample

FORMATS = ("openai-chat", "anthropic")


@requirement("C-22")
@pytest.mark.parametrize("format", FORMATS)
def test_below_the_trigger_the_callers_list_comes_back(format: str) -> None:
    rows = sample(format, turns=2)
    done = compact(rows, window=200_000)
    assert done.messages is rows
    assert done.plan is None
    assert (done.receipt.outcome, done.receipt.cycle) == ("nothing_needed", 0)
    assert done.receipt.tokens_before == done.receipt.tokens_after > 0


@requirement("C-1")
def test_the_trigger_itself_is_allowed() -> None:
    rows = sample(turns=4)
    size = compact(rows, window=200_000).receipt.tokens_before
    assert compact(rows, window=200_000, trigger=size).receipt.outcome == "nothing_needed"
    assert compact(rows, window=200_000, trigger=size - 1).plan is not None


@requirement("C-5")
@pytest.mark.parametrize(("max_output", "limits"), [(None, {}), (1_000, {"max_tokens": 1_000})])
def test_the_output_limit_comes_with_it(max_output: int | None, limits: dict[str, int]) -> None:
    assert dict(compact(sample(turns=2), window=200_000, max_output=max_output).limits) == limits


@requirement("C-5")
def test_input_and_output_fit_after_a_compaction() -> None:
    done = compact(sample(turns=30), window=16_000, max_output=500_000)
    assert done.receipt.tokens_after + done.limits["max_tokens"] <= 16_000
    assert done.limits["max_tokens"] > 4_000


@requirement("C-36")
@pytest.mark.parametrize("format", FORMATS)
def test_the_receipt_says_what_was_done(format: str) -> None:
    done = compact(sample(format, turns=20), window=8_000, system="be brief", tools=[{"name": "f"}])
    receipt = done.receipt
    assert receipt.cycle == 1
    assert receipt.tokens_after < receipt.target_tokens * 1.1 < receipt.trigger_tokens < receipt.tokens_before
    assert receipt.window.tokens == 8_000
    assert receipt.overhead_tokens >= receipt.categories_after["tools"] > 0
    assert receipt.categories_after["carry"] > 0
    assert sum(receipt.categories_before.values()) == receipt.tokens_before
    assert sum(receipt.categories_after.values()) == receipt.tokens_after
    assert [tier.name for tier in receipt.tiers] == ["summary", "tool_results", "images", "local_summary", "prune"][
        : len(receipt.tiers)
    ]
    assert receipt.removed
    assert receipt.failure == ""


@requirement("C-30")
def test_what_is_kept_is_the_callers_own_object() -> None:
    rows = sample(turns=20)
    done = compact(rows, window=16_000)
    kept = [row for row in done.messages if any(row is own for own in rows)]
    assert len(kept) >= len(done.messages) - 10
    assert done.messages[0] is rows[0]


def test_equal_transcripts_continue_one_session() -> None:
    rows = sample(turns=20)
    assert compact(rows[:50], window=8_000).receipt.session == compact(rows, window=8_000).receipt.session
    other = compact(rows, window=8_000, system="another").receipt.session
    assert other != compact(rows, window=8_000).receipt.session


@pytest.mark.parametrize(
    "wrong",
    [
        {"window": 0},
        {"window": 1.5},
        {"preset": "none"},
        {"format": "none"},
        {"target": 2.0},
        {"trigger": 9_000},
        {"max_output": -1},
    ],
    ids=str,
)
def test_wrong_arguments_are_refused(wrong: dict) -> None:
    with pytest.raises(ConfigError):
        compact(sample(turns=1), **{"window": 8_000, **wrong})


def test_a_wrong_message_is_refused_with_its_place() -> None:
    with pytest.raises(WireError) as caught:
        compact([*sample(turns=1), {"role": "narrator", "content": "x"}], window=8_000, format="openai-chat")
    assert caught.value.index == len(sample(turns=1))


def test_a_session_of_another_format_is_refused() -> None:
    session = Archive.memory().session("chat", format="openai-chat")
    with pytest.raises(ConfigError):
        compact(sample("anthropic", turns=1), window=8_000, format="anthropic", session=session)


@requirement("C-6")
@pytest.mark.parametrize("target", [1_500, 0.5])
def test_an_explicit_target_is_met(target: int | float) -> None:
    done = compact(sample(turns=40), window=16_000, target=target)
    limit = target if isinstance(target, int) else int(target * done.receipt.trigger_tokens)
    assert done.receipt.target_tokens == limit
    assert done.receipt.tokens_after <= limit


def test_an_empty_transcript_is_no_error() -> None:
    done = compact([], window=8_000)
    assert list(done.messages) == []
    assert done.receipt.outcome == "nothing_needed"


@requirement("C-31")
@pytest.mark.parametrize("preset", ["half", "agent", "hermes"])
def test_every_preset_brings_it_under_its_trigger(preset: str) -> None:
    done = compact(sample(turns=60), window=32_000, preset=preset)
    assert done.receipt.tokens_after <= done.receipt.trigger_tokens
