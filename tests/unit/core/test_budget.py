"""The budget: the published table, what really acts, the target, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from requirement import requirement
from vademecum.core.budget import Budget, Window, budget, margin, usable
from vademecum.errors import ConfigError
from vademecum.presets import preset

HALF = preset("half")
OUTPUTS = (None, 8_000, 64_000, 256_000, 500_000)
#: Window → trigger with the output limit unset, and with any of the others.
TABLE = {
    4_000: (2_000, 2_000),
    4_096: (2_000, 2_048),
    8_000: (2_000, 4_000),
    8_192: (2_000, 4_096),
    16_000: (7_808, 8_000),
    32_000: (16_000, 16_000),
    128_000: (64_000, 64_000),
    131_072: (65_536, 65_536),
    196_608: (98_304, 98_304),
    200_000: (100_000, 100_000),
    256_000: (128_000, 128_000),
    262_144: (128_000, 128_000),
    272_000: (128_000, 128_000),
    512_000: (128_000, 128_000),
    1_000_000: (128_000, 128_000),
    1_048_576: (128_000, 128_000),
    2_000_000: (128_000, 128_000),
}


def half(window: int, max_output: int | None = None, **named: object) -> Budget:
    return budget(HALF, window=Window(window), max_output=max_output, **named)  # type: ignore[arg-type]


@requirement("C-1", "C-2")
@pytest.mark.parametrize("max_output", OUTPUTS)
@pytest.mark.parametrize("window", TABLE)
def test_the_published_table(window: int, max_output: int | None) -> None:
    unset, others = TABLE[window]
    assert half(window, max_output).trigger_tokens == (unset if max_output is None else others)


@requirement("C-2")
def test_an_output_limit_of_256k_does_not_pull_the_trigger_down_to_16k() -> None:
    made = half(272_000, 256_000)
    assert made.trigger_tokens == made.acting_trigger == 128_000
    assert made.binding == "fraction"


@requirement("C-1")
def test_the_trigger_is_strict() -> None:
    made = half(256_000)
    assert not made.due(128_000)
    assert made.due(128_001)


@requirement("C-1")
def test_no_output_limit_and_zero_are_the_same() -> None:
    assert half(16_000, 0) == half(16_000)


@requirement("C-3")
@pytest.mark.parametrize(("window", "acting"), [(2_000, 1_704), (2_048, 1_752), (1_000, 730), (128, 94)])
def test_a_tiny_window_keeps_the_published_number_and_acts_earlier(window: int, acting: int) -> None:
    made = half(window, 8_000)
    assert made.trigger_tokens == 2_000
    assert made.binding == "floor"
    assert made.acting_trigger == made.usable == acting < window
    assert made.target() < acting


@requirement("C-3")
@pytest.mark.parametrize(("window", "wanted"), [(4_000, 80), (50_000, 1_000), (200_000, 1_000), (128, 2)])
def test_the_margin_is_two_percent_or_a_thousand(window: int, wanted: int) -> None:
    assert margin(window) == wanted


@requirement("C-3", "I8")
@given(st.integers(128, 10_000_000), st.one_of(st.none(), st.integers(0, 10_000_000)))
def test_every_budget_leaves_room(window: int, max_output: int | None) -> None:
    made = half(window, max_output)
    assert made.trigger_tokens > 0
    assert made.trigger_tokens >= HALF.trigger.floor
    assert 0 < made.acting_trigger <= usable(window) < window
    assert 0 < made.target() <= made.acting_trigger
    reserve = min(max_output, window // 2) if max_output else HALF.trigger.reserve
    assert made.trigger_tokens <= window - reserve or made.binding == "floor"


@requirement("I8")
@given(st.integers(128, 3_000_000), st.integers(0, 3_000_000), st.one_of(st.none(), st.integers(1, 600_000)))
def test_a_larger_window_never_has_an_earlier_trigger(window: int, more: int, max_output: int | None) -> None:
    small, large = half(window, max_output), half(window + more, max_output)
    assert small.trigger_tokens <= large.trigger_tokens
    assert small.acting_trigger <= large.acting_trigger


@requirement("C-5")
@pytest.mark.parametrize(
    ("window", "max_output", "measured", "limit"),
    [
        (272_000, 256_000, 128_000, 143_000),
        (272_000, 8_000, 128_000, 8_000),
        (272_000, None, 128_000, None),
        (8_000, 64_000, 7_900, 0),
        (8_000, 64_000, 9_000, 0),
    ],
)
def test_the_output_limit_is_clamped_to_what_is_left(
    window: int, max_output: int | None, measured: int, limit: int | None
) -> None:
    assert half(window, max_output).output_limit(measured) == limit


@requirement("C-5")
@given(st.integers(128, 2_000_000), st.integers(1, 2_000_000), st.integers(0, 2_000_000))
def test_input_and_output_fit_together(window: int, max_output: int, measured: int) -> None:
    made = half(window, max_output)
    limit = made.output_limit(measured)
    assert limit is not None
    assert 0 <= limit <= max_output
    assert limit == 0 or measured + limit + made.margin <= window
    if not made.due(measured):
        assert limit >= min(max_output, 1)


@requirement("C-6")
@pytest.mark.parametrize(
    ("window", "overhead", "target"),
    [
        (256_000, 0, 40_000),
        (256_000, 28_000, 68_000),
        (200_000, 0, 40_000),
        (128_000, 4_000, 28_000),
        (32_000, 6_000, 10_000),
    ],
)
def test_the_target_lies_well_below_the_trigger(window: int, overhead: int, target: int) -> None:
    assert half(window).target(overhead) == target


@requirement("C-6")
@given(st.integers(1_000, 2_000_000), st.integers(0, 300_000))
def test_the_target_holds_the_overhead(window: int, overhead: int) -> None:
    made = half(window)
    if overhead < made.acting_trigger:
        assert overhead <= made.target(overhead) <= made.trigger_with(overhead)
        assert made.target(overhead) - overhead <= 40_000


@requirement("C-7")
@pytest.mark.parametrize(("overhead", "trigger"), [(0, 16_000), (14_999, 16_000), (15_000, 31_104), (40_000, 31_104)])
def test_an_overhead_that_fills_the_trigger_leaves_only_what_cannot_be_sent(overhead: int, trigger: int) -> None:
    made = half(32_000)
    assert made.trigger_with(overhead) == trigger
    assert not made.due(trigger, overhead)
    assert made.due(trigger + 1, overhead)


@requirement("C-6")
def test_an_explicit_target_counts_the_whole_context() -> None:
    assert half(256_000, target=50_000).target(30_000) == 50_000
    assert half(256_000, target=0.25).target(30_000) == 32_000


@requirement("C-4")
def test_an_absolute_trigger_overrides() -> None:
    made = half(256_000, trigger=30_000)
    assert (made.trigger_tokens, made.binding) == (30_000, "override")
    assert not made.due(30_000)
    assert made.due(30_001)


@requirement("C-1")
@pytest.mark.parametrize(
    "wrong",
    [
        {"target": 0.0},
        {"target": 1.5},
        {"target": -0.1},
        {"target": 0},
        {"target": -5},
        {"target": 128_001},
        {"target": True},
        {"target": float("nan")},
        {"trigger": 0},
        {"trigger": 300_000},
        {"trigger": 0.5},
        {"trigger": True},
        {"max_output": -1},
        {"max_output": 1.5},
        {"max_output": False},
        {"max_output": 10_000_001},
    ],
    ids=str,
)
def test_what_is_no_token_count_or_fraction_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        half(256_000, **wrong)  # type: ignore[arg-type]


@requirement("C-1")
@pytest.mark.parametrize("window", [0, -1, 127, 10_000_001, 1.5, True, "4000", None])
def test_a_window_out_of_range_is_refused(window: object) -> None:
    with pytest.raises(ConfigError):
        half(window)  # type: ignore[arg-type]
