"""What each kind of setting accepts, and what is said of the rest."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.config import SETTINGS, load
from vademecum.errors import ConfigError

TOKENS = [spec.name for spec in SETTINGS if spec.kind == "tokens"]
FRACTIONS = [spec.name for spec in SETTINGS if spec.kind == "fraction"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("200000", 200_000),
        ("200_000", 200_000),
        (" 200000 ", 200_000),
        ("200K", 200_000),
        ("200k", 200_000),
        ("1M", 1_000_000),
        ("1.5M", 1_500_000),
        ("1.048576M", 1_048_576),
        ("0.5K", 500),
        ("007", 7),
    ],
)
def test_token_counts_as_text(place, text, value) -> None:
    assert place.load(window=text).window == value


@pytest.mark.parametrize(
    "text",
    [
        "0",
        "-1",
        "+1",
        "1.5",
        "1.0",
        "1e5",
        "200KB",
        "K",
        "1_",
        "_1",
        "1__0",
        "0.0001K",
        "٣",
        "0x10",
        "many",
        "1,000",
    ],
)
def test_texts_that_are_no_token_count(place, text) -> None:
    with pytest.raises(ConfigError, match=r"--window is .* expected a token count"):
        place.load(window=text)


@pytest.mark.parametrize("name", TOKENS)
@pytest.mark.parametrize("value", [0, -5, True, False, 1.0, 0.5, "1", [1], {"a": 1}, 10**13, float("nan")])
def test_values_that_are_no_token_count(place, name, value) -> None:
    if value == "1":
        place.write_project(f'{name} = "1"')
        flags = {}
    else:
        flags = {name: value}
    with pytest.raises(ConfigError, match="expected a token count"):
        place.load_flags(flags)


def test_digits_by_the_thousand(place) -> None:
    with pytest.raises(ConfigError, match=r"'9{50,}\.\.\., expected a token count"):
        place.load(window="9" * 10_000)


@pytest.mark.parametrize(("text", "value"), [("0.5", 0.5), (".5", 0.5), ("1.0", 1.0), ("1.", 1.0), ("0.001", 0.001)])
def test_fractions_as_text(place, text, value) -> None:
    assert place.load(compaction_fraction=text).compaction_fraction == value


@pytest.mark.parametrize("name", FRACTIONS)
@pytest.mark.parametrize("value", [0.0, 1.01, 50.0, -0.5, 1, 0, True, float("nan"), float("inf"), [0.5]])
def test_values_that_are_no_fraction(place, name, value) -> None:
    with pytest.raises(ConfigError, match="expected a fraction"):
        place.load_flags({name: value})


@pytest.mark.parametrize("text", ["1", "50", "50%", "0", "0.0", ".", "1.1", "half", "nan", "5e-1", "-0.5", "0,5"])
def test_texts_that_are_no_fraction(place, text) -> None:
    with pytest.raises(ConfigError, match=r"--compaction-fraction is .* expected a fraction"):
        place.load(compaction_fraction=text)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("0.4", 0.4),
        ("1.0", 1.0),
        ("40000", 40_000),
        ("40K", 40_000),
        ("1.5K", 1_500),
        (0.4, 0.4),
        (1, 1),
        (1.0, 1.0),
    ],
)
def test_a_target_with_a_dot_is_a_fraction(place, raw, value) -> None:
    found = place.load(target=raw).target
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("raw", ["0", "0.0", "1.5", 2.5, 0, 0.0, -1, True, "x", [0.4]])
def test_what_is_no_target(place, raw) -> None:
    with pytest.raises(ConfigError, match="expected a fraction of the trigger with a dot"):
        place.load(target=raw)


@pytest.mark.parametrize("text", ["true", "TRUE", "yes", "on", "1", " On "])
def test_switched_on(place, text) -> None:
    place.environ["VADEMECUM_TOKEN_COMPRESSION"] = text
    assert place.load().token_compression is True


@pytest.mark.parametrize("text", ["false", "No", "off", "0"])
def test_switched_off(place, text) -> None:
    place.environ["VADEMECUM_TOKEN_COMPRESSION"] = text
    assert place.load().token_compression is False


@pytest.mark.parametrize("raw", ["maybe", "2", 1, 0, 1.0, [True]])
def test_what_is_no_switch(place, raw) -> None:
    with pytest.raises(ConfigError, match="expected true or false"):
        place.load(token_compression=raw)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("plan", ("plan",)),
        ("plan,goal,", ("plan", "goal")),
        (["plan", "mcp__db__query"], ("plan", "mcp__db__query")),
        (("plan", "plan"), ("plan",)),
        ([], ()),
    ],
)
def test_names(place, raw, value) -> None:
    assert place.load(keep_tools=raw).keep_tools == value


@pytest.mark.parametrize("raw", [3, [3], [""], [None], {"a": "b"}, True])
def test_what_are_no_names(place, raw) -> None:
    with pytest.raises(ConfigError, match="expected a list of tool names"):
        place.load(keep_tools=raw)


@pytest.mark.parametrize("raw", ["Half", "full", 3, True, ["half"]])
def test_what_is_no_choice(place, raw) -> None:
    with pytest.raises(ConfigError, match="expected one of half, agent, hermes"):
        place.load(preset=raw)


def test_relative_paths_start_where_they_were_written(place) -> None:
    deep = place.project / "deep"
    deep.mkdir()
    place.write_project('workspace = "src"')
    place.write_user('db = "mine.db"')
    settings = place.load(deep)
    assert settings.workspace == place.project / "src"
    assert settings.db == place.home / ".config/vademecum/mine.db"
    assert place.load(deep, db="x.db").db == deep / "x.db"
    assert place.load(deep, db=Path("x.db")).db == deep / "x.db"


@pytest.mark.parametrize("folder", ["..", "/", "~", "link"])
def test_a_project_names_no_workspace_outside_of_it(place, folder: str) -> None:
    """Whoever writes a project's files could have any file read and sent."""
    (place.project / "link").symlink_to(place.home)
    place.write_project(f'workspace = "{folder}"')
    with pytest.raises(ConfigError, match="outside of the project"):
        place.load()
    place.write_project('workspace = "."')
    assert place.load().workspace == place.project
    assert place.load(workspace=folder if folder != "link" else "..").workspace is not None


def test_absolute_paths_and_homes(place) -> None:
    assert place.load(db="/srv/a.db").db == Path("/srv/a.db")
    assert place.load(db="~/a.db").db == place.home / "a.db"
    assert place.load(workspace="~").workspace == place.home
    assert place.load(db="~no-such-user-here/a.db").db == place.project / "~no-such-user-here/a.db"


@pytest.mark.parametrize("raw", ["", " ", "a\0b", 3, True, ["a"]])
@pytest.mark.parametrize("name", ["db", "workspace"])
def test_what_is_no_path(place, name, raw) -> None:
    with pytest.raises(ConfigError, match=r"expected .*path"):
        place.load_flags({name: raw})


def test_a_server_is_no_archive_yet(place) -> None:
    with pytest.raises(ConfigError, match="expected the path of a file") as caught:
        place.load(db="postgresql://localhost/x")
    assert "servers are not supported" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "raw", "hint"),
    [
        ("compaction_fraction", 1, "for the whole, write 1.0"),
        ("compaction_fraction", 75, "for 75 percent, write 0.75"),
        ("compaction_fraction", "50", "for 50 percent, write 0.5"),
        ("window", 200_000.0, "write 200000, without a dot"),
        ("window", True, ""),
        ("window", "big", ""),
    ],
)
def test_the_likeliest_cause_is_the_hint(place, name, raw, hint) -> None:
    with pytest.raises(ConfigError) as caught:
        place.load_flags({name: raw})
    assert caught.value.hint == hint


def test_an_error_says_which_value_from_where_and_what_is_expected(place) -> None:
    place.environ["VADEMECUM_WINDOW"] = "large"
    with pytest.raises(ConfigError) as caught:
        place.load()
    expected = "a token count: a whole number from 1 up, such as 200_000"
    assert str(caught.value) == f"VADEMECUM_WINDOW is 'large', expected {expected}"
    del place.environ["VADEMECUM_WINDOW"]
    path = place.write_project("window = 0.5")
    with pytest.raises(ConfigError) as caught:
        place.load()
    assert str(caught.value) == f"{path}: window is 0.5, expected {expected}"


@given(name=st.sampled_from([spec.name for spec in SETTINGS]), text=st.text(max_size=30))
def test_any_text_is_a_value_or_a_config_error(name: str, text: str) -> None:
    environ = {"HOME": "/nowhere", "XDG_CONFIG_HOME": "/nowhere", "XDG_DATA_HOME": "/nowhere"}
    try:
        setting = load({name: text}, environ=environ, cwd=Path("/nowhere"))[name]
    except ConfigError as error:
        assert "expected" in str(error)  # noqa: PT017
    else:
        assert setting.origin == "flag"


@given(st.integers(1, 10**12))
def test_every_count_is_read_as_written(count: int) -> None:
    environ = {"HOME": "/nowhere", "XDG_CONFIG_HOME": "/nowhere", "VADEMECUM_WINDOW": f"{count:_}"}
    assert load({"trigger": str(count)}, environ=environ, cwd=Path("/nowhere")).window == count
