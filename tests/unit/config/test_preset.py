"""Keys that belong to one preset select it or contradict another."""

from itertools import product

import pytest

from vademecum.errors import ConfigError

HERMES = {"compression.threshold": 0.6, "compression.tail_mode": "lean"}
OTHERS = {"compaction_fraction": 0.6, "compaction_window_cap": 100_000, "compaction_floor": 4_000}


@pytest.mark.parametrize("name", HERMES)
def test_a_compression_key_selects_hermes(place, name) -> None:
    preset = place.load_flags({name: HERMES[name]})["preset"]
    flag = "--" + name.replace("_", "-")
    assert (preset.value, preset.origin, preset.where) == ("hermes", "flag", f"selected by {name} ({flag})")


def test_the_default_value_written_out_selects_too(place) -> None:
    path = place.write_user("[compression]\nthreshold = 0.5\n")
    preset = place.load()["preset"]
    assert (preset.value, preset.origin) == ("hermes", "user_file")
    assert preset.where == f"selected by compression.threshold ({path})"


def test_an_empty_table_selects_nothing(place) -> None:
    place.write_project("[compression]\n")
    assert place.load().preset == "half"


@pytest.mark.parametrize(("hermes", "other"), list(product(HERMES, OTHERS)))
def test_both_kinds_together_are_an_error(place, hermes, other) -> None:
    with pytest.raises(ConfigError) as caught:
        place.load_flags({hermes: HERMES[hermes], other: OTHERS[other]})
    assert hermes in str(caught.value)
    assert other in str(caught.value)
    assert "contradict" in str(caught.value)


def test_both_kinds_in_different_layers_are_named_with_their_places(place) -> None:
    path = place.write_user("compaction_floor = 4000")
    place.environ["VADEMECUM_COMPRESSION_THRESHOLD"] = "0.6"
    with pytest.raises(ConfigError) as caught:
        place.load()
    assert "compression.threshold = 0.6 (VADEMECUM_COMPRESSION_THRESHOLD)" in str(caught.value)
    assert f"compaction_floor = 4000 ({path})" in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize(("preset", "name"), list(product(["half", "agent"], HERMES)))
def test_an_explicit_preset_that_contradicts(place, preset, name) -> None:
    with pytest.raises(ConfigError, match="belongs to the preset hermes alone"):
        place.load_flags({"preset": preset, name: HERMES[name]})


@pytest.mark.parametrize("name", OTHERS)
def test_hermes_has_no_use_for_the_keys_of_the_others(place, name) -> None:
    with pytest.raises(ConfigError, match="has no meaning in the preset hermes"):
        place.load_flags({"preset": "hermes", name: OTHERS[name]})


def test_hermes_said_outright_keeps_its_own_origin(place) -> None:
    place.environ["VADEMECUM_PRESET"] = "hermes"
    place.write_project("[compression]\nthreshold = 0.6\n")
    preset = place.load()["preset"]
    assert (preset.value, preset.origin, preset.where) == ("hermes", "environment", "VADEMECUM_PRESET")


@pytest.mark.parametrize(("preset", "name"), list(product(["half", "agent"], OTHERS)))
def test_the_other_presets_take_their_keys(place, preset, name) -> None:
    settings = place.load_flags({"preset": preset, name: OTHERS[name]})
    assert settings.preset == preset
    assert settings[name].value == OTHERS[name]


def test_token_compression_is_of_neither_kind(place) -> None:
    assert place.load_flags({**HERMES, "token_compression": False}).preset == "hermes"
