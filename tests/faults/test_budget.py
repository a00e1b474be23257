"""Windows, reserves and triggers: numbers that must never come out absurd."""

import pytest

from fault import fault
from faults.talk import GOOD, said, tiers, user, worked
from vademecum import Archive, Compactor, compact
from vademecum.core.budget import Window, budget
from vademecum.presets import preset
from vademecum.testing import ScriptedModel, sample

HALF = preset("half")


@fault(1)
def test_a_compaction_that_does_not_help_is_not_repeated() -> None:
    """Every result is larger than the trigger leaves room for: three attempts, then a pause."""
    compactor = Compactor(window=32_000)
    rows, outcomes = [user("Read the logs.")], []
    for at in range(14):
        rows += worked(1, chars=50_000, start=at)
        done = compactor.fit(rows)
        assert done.receipt.tokens_after <= 32_000
        outcomes.append(done.receipt.outcome)
    assert "failed" not in outcomes
    first = outcomes.index("breaker_open")
    assert outcomes[:first].count("crowded") == 3
    again = [compactor.fit(rows).receipt.outcome for _ in range(6)]  # nothing has changed since
    assert again.count("crowded") + again.count("above_trigger") <= 3
    assert again[-3:] == ["breaker_open"] * 3 or set(again) == {"nothing_needed"}


@fault(1)
def test_crowded_compactions_that_last_a_while_are_no_failures() -> None:
    """A large round does not fit beside what is kept, but small ones come between: there is no need for a pause."""
    compactor = Compactor(window=32_000)
    rows, outcomes = [{"role": "system", "content": "Rule of the house. " * 1_900}, user("Read the logs.")], []
    for at in range(24):
        rows += worked(1, chars=(24_000, 8_000)[at % 2], start=at)
        done = compactor.fit(rows)
        assert done.receipt.tokens_after <= 16_000
        outcomes.append(done.receipt.outcome)
    assert outcomes.count("crowded") >= 8
    assert "breaker_open" not in outcomes


@fault(10)
@pytest.mark.parametrize(
    ("window", "max_output"),
    [(262_144, 262_144), (272_000, 256_000), (8_192, 65_536), (20_000, 8_192), (40_960, 16_384)],
)
def test_the_reserve_leaves_room_for_input(window: int, max_output: int) -> None:
    found = budget(HALF, window=Window(window), max_output=max_output)
    assert 2_000 <= found.trigger_tokens <= window - min(max_output, window // 2)
    assert found.acting_trigger >= 2_000
    limit = found.output_limit(found.acting_trigger)
    assert limit is not None
    assert 0 < limit <= min(max_output, window - found.acting_trigger)
    assert found.output_limit(window) == 0  # never negative


@fault(10)
@pytest.mark.parametrize(("window", "max_output"), [(8_192, 65_536), (262_144, 262_144)])
def test_input_and_output_fit_on_the_wire(window: int, max_output: int) -> None:
    done = compact(sample(turns=80), window=window, max_output=max_output)
    (limit,) = done.limits.values()
    assert limit >= 256
    assert done.receipt.tokens_after + limit <= window


@fault(12)
@pytest.mark.parametrize(
    ("window", "trigger"), [(128_000, 64_000), (272_000, 128_000), (1_000_000, 128_000), (2_000_000, 128_000)]
)
def test_a_fraction_has_a_cap(window: int, trigger: int) -> None:
    assert budget(HALF, window=Window(window)).trigger_tokens == trigger


@fault(12)
def test_a_fraction_has_a_floor() -> None:
    assert budget(HALF, window=Window(3_000)).trigger_tokens == 2_000


@fault(94)
def test_one_message_that_a_member_cannot_hold_fits_the_larger_one_untouched() -> None:
    """The window is the request's own: the same session passes a larger member whole."""
    session = Archive.memory().session("s", format="openai-chat")
    rows = [user("Here is everything: " + "the words of a long book " * 30_000)]
    large = Compactor(window=1_000_000, trigger=900_000, session=session)
    assert list(large.fit(rows).messages) == rows
    small = Compactor(window=128_000, session=session).fit(rows)
    assert small.receipt.tokens_after < 128_000
    assert list(large.fit(rows).messages) == rows


@fault(92, 95)
def test_each_member_and_each_agent_has_its_own_window() -> None:
    """A smaller member gets a context that fits it; the larger one's is what it was."""
    session = Archive.memory().session("s", format="openai-chat")
    rows = sample(turns=300)
    parent = Compactor(window=1_000_000, trigger=400_000, session=session)
    before = list(parent.fit(rows).messages)
    for window in (131_072, 32_000, 8_000):
        done = Compactor(window=window, session=session).fit(rows)
        assert done.receipt.window.tokens == window
        assert done.receipt.tokens_after <= window
    assert list(parent.fit(rows).messages) == before


@fault(48)
def test_the_context_that_fits_is_sent_with_a_shorter_reply() -> None:
    rows = [user("Port the module."), *[said(f"Step {at} is done. " * 30) for at in range(60)], user("Go on.")]
    done = compact(rows, window=1_536, max_output=1_200, summarizer=ScriptedModel([GOOD]))
    assert done.receipt.outcome in ("compacted", "crowded", "above_trigger"), tiers(done)
    assert done.receipt.tokens_before > 1_536 > done.receipt.tokens_after
    (limit,) = done.limits.values()
    assert 0 < limit < 1_200
