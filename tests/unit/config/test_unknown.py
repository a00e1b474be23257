"""Unknown keys are errors, wherever they stand, and name what was probably meant."""

import pytest

from vademecum.errors import ConfigError


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("windw", "window"),
        ("max-output", "max_output"),
        ("MAX_OUTPUT", "max_output"),
        ("compaction_fracton", "compaction_fraction"),
        ("compression.treshold", "compression.threshold"),
        ("threshold", "compression.threshold"),
        ("tail_mode", "compression.tail_mode"),
        ("keep_tool", "keep_tools"),
    ],
)
def test_a_key_of_a_file(place, wrong, meant) -> None:
    path = place.write_project(f"{wrong} = 1\n")
    with pytest.raises(ConfigError) as caught:
        place.load()
    assert str(caught.value) == f"{path}: there is no setting {wrong!r}"
    assert caught.value.hint == f"did you mean {meant}?"


def test_a_key_of_the_users_file(place) -> None:
    path = place.write_user("windw = 1")
    with pytest.raises(ConfigError, match="no setting 'windw'") as caught:
        place.load()
    assert str(path) in str(caught.value)


def test_a_key_of_pyproject(place) -> None:
    (place.project / "pyproject.toml").write_text("[tool.vademecum]\nwindw = 1\n")
    with pytest.raises(ConfigError, match=r"\[tool\.vademecum\]: there is no setting 'windw'"):
        place.load()


def test_a_key_that_resembles_nothing(place) -> None:
    place.write_project("zzz = 1")
    with pytest.raises(ConfigError) as caught:
        place.load()
    assert caught.value.hint == "`vademecum config show` lists every setting"


@pytest.mark.parametrize("text", ["[archive]\npath = 1\n", "[compression]\nthreshold = 0.5\nextra = 1\n", '"" = 1\n'])
def test_a_table_or_a_key_in_one(place, text) -> None:
    place.write_project(text)
    with pytest.raises(ConfigError, match="there is no setting"):
        place.load()


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("VADEMECUM_WINDOWS", "VADEMECUM_WINDOW"),
        ("VADEMECUM_COMPRESSION_TRESHOLD", "VADEMECUM_COMPRESSION_THRESHOLD"),
        ("VADEMECUM_window", "VADEMECUM_WINDOW"),
    ],
)
def test_a_variable(place, wrong, meant) -> None:
    place.environ[wrong] = "1"
    with pytest.raises(ConfigError, match=f"the environment variable {wrong} is no setting") as caught:
        place.load()
    assert caught.value.hint == f"did you mean {meant}?"


def test_an_unknown_variable_is_an_error_even_when_empty(place) -> None:
    place.environ["VADEMECUM_WINDOWS"] = ""
    with pytest.raises(ConfigError):
        place.load()


def test_other_variables_are_no_concern(place) -> None:
    place.environ |= {"VADEMECUMX": "1", "MY_VADEMECUM_WINDOW": "1", "vademecum_window": "1"}
    assert place.load().window is None


def test_a_flag(place) -> None:
    with pytest.raises(ConfigError, match="there is no setting 'windw'") as caught:
        place.load(windw=None)
    assert caught.value.hint == "did you mean window?"
