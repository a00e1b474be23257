"""The named policies."""

import pytest

from requirement import requirement
from vademecum.core.budget import Window, budget
from vademecum.core.carry import SECTIONS
from vademecum.core.tiers import LADDER
from vademecum.errors import ConfigError
from vademecum.presets import NAMES, preset


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_names_what_exists(name: str) -> None:
    chosen = preset(name)
    assert chosen.name == name
    assert set(chosen.ladder) <= {tier for tier, _ in LADDER}
    assert {section for section, _ in chosen.carry.shares} == set(SECTIONS)
    assert sum(share for _, share in chosen.carry.shares) == pytest.approx(1.0)
    assert 0 < chosen.carry.least < 1


@requirement("C-20", "C-21")
@pytest.mark.parametrize("name", NAMES)
def test_the_structural_tiers_are_in_every_preset(name: str) -> None:
    ladder = preset(name).ladder
    assert {"local_summary", "prune"} <= set(ladder)
    # Hermes folds all that is before the tail at once; results and images alone never leave there.
    assert ({"tool_results", "images"} <= set(ladder)) is (name != "hermes")


def test_an_unknown_preset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigError) as caught:
        preset("quarter")
    assert all(name in caught.value.hint for name in NAMES)


@requirement("C-4")
@pytest.mark.parametrize(
    ("window", "max_output", "trigger"),
    [
        (1_000_000, None, 256_000),  # never more than 256,000
        (512_000, None, 256_000),  # a half from 512K on
        (511_999, None, 256_000),
        (300_000, None, 225_000),  # three quarters below
        (200_000, None, 150_000),
        (200_000, 64_000, 102_000),  # of what the output leaves
        (128_000, None, 96_000),
        (85_000, None, 64_000),  # at least 64,000
        (70_000, None, 59_500),  # unless that is more than 85 % of the window: 85 % of it
        (32_000, None, 27_200),
    ],
)
def test_the_rule_of_hermes(window: int, max_output: int | None, trigger: int) -> None:
    assert budget(preset("hermes"), window=Window(window), max_output=max_output).trigger_tokens == trigger


@requirement("C-4")
@pytest.mark.parametrize("name", ["agent", "hermes"])
def test_the_reference_arms_have_no_target(name: str) -> None:
    made = budget(preset(name), window=Window(200_000))
    assert made.target(10_000) == made.acting_trigger


@requirement("C-4", "C-1")
@pytest.mark.parametrize("window", [4_096, 16_000, 272_000])
def test_the_agent_preset_has_the_published_trigger(window: int) -> None:
    found = [budget(preset(name), window=Window(window), max_output=64_000) for name in ("agent", "half")]
    assert found[0].trigger_tokens == found[1].trigger_tokens
