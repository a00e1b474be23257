"""Which layer wins, and that every value says where it came from."""

from pathlib import Path

import pytest

from vademecum.config import SETTINGS, env_name
from vademecum.errors import ConfigError

# One value per setting, as a flag's text, and what it becomes; paths aside.
SAMPLES = {
    "preset": ("agent", "agent"),
    "window": ("200000", 200_000),
    "model": ("openai:gpt-4.1", "openai:gpt-4.1"),
    "max_output": ("8192", 8_192),
    "trigger": ("100000", 100_000),
    "target": ("0.4", 0.4),
    "compaction_fraction": ("0.6", 0.6),
    "compaction_window_cap": ("128000", 128_000),
    "compaction_floor": ("4000", 4_000),
    "token_compression": ("false", False),
    "summary.by": ("local", "local"),
    "keep_tools": ("plan, goal", ("plan", "goal")),
    "upstreams": ("http://a:1#m?key=K, http://b:2", ("http://a:1#m?key=K", "http://b:2")),
    "pin_cap": ("2000", 2_000),
    "redact_index": ("false", False),
    "archive.max_size": ("2G", 2 << 30),
    "compression.threshold": ("0.7", 0.7),
    "compression.tail_mode": ("lean", "lean"),
}
DEFAULTS = {
    "preset": "half",
    "window": None,
    "model": None,
    "catalog": None,
    "errors": None,
    "max_output": None,
    "trigger": None,
    "target": None,
    "compaction_fraction": 0.5,
    "compaction_window_cap": 256_000,
    "compaction_floor": 2_000,
    "token_compression": True,
    "summary.by": "off",
    "keep_tools": (),
    "upstreams": (),
    "pin_cap": 4_000,
    "redact_index": True,
    "workspace": None,
    "archive.retention": None,
    "archive.max_size": None,
    "compression.threshold": 0.5,
    "compression.tail_mode": "lean",
}


def toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return str(list(value))
    return repr(value)


@pytest.mark.parametrize("name", DEFAULTS)
def test_defaults(place, name) -> None:
    setting = place.load()[name]
    assert (setting.value, setting.origin, setting.where) == (DEFAULTS[name], "default", "")
    assert not setting.given


def test_the_default_archive_is_in_the_data_folder(place) -> None:
    setting = place.load()["db"]
    assert setting.value == place.home / ".local/share/vademecum/archive.db"
    assert setting.origin == "default"


def test_samples_and_defaults_cover_the_table() -> None:
    names = {spec.name for spec in SETTINGS}
    assert (
        names
        == SAMPLES.keys() | {"db", "catalog", "errors", "workspace", "archive.retention"}
        == DEFAULTS.keys() | {"db"}
    )


@pytest.mark.parametrize("name", SAMPLES)
def test_flag(place, name) -> None:
    text, value = SAMPLES[name]
    setting = place.load_flags({name: text})[name]
    flag = "--" + name.replace("_", "-")
    assert (setting.value, setting.origin, setting.where) == (value, "flag", flag)
    assert type(setting.value) is type(value)


@pytest.mark.parametrize("name", SAMPLES)
def test_flag_with_a_typed_value(place, name) -> None:
    value = SAMPLES[name][1]
    assert place.load_flags({name: value})[name].value == value


@pytest.mark.parametrize("name", SAMPLES)
def test_environment(place, name) -> None:
    text, value = SAMPLES[name]
    place.environ[env_name(name)] = text
    setting = place.load()[name]
    assert (setting.value, setting.origin, setting.where) == (value, "environment", env_name(name))


@pytest.mark.parametrize("name", SAMPLES)
def test_project_file(place, name) -> None:
    value = SAMPLES[name][1]
    path = place.write_project(f"{name} = {toml(value)}\n")
    setting = place.load()[name]
    assert (setting.value, setting.origin, setting.where) == (value, "project_file", str(path))


@pytest.mark.parametrize("name", SAMPLES)
def test_user_file(place, name) -> None:
    value = SAMPLES[name][1]
    path = place.write_user(f"{name} = {toml(value)}\n")
    setting = place.load()[name]
    assert (setting.value, setting.origin, setting.where) == (value, "user_file", str(path))


def test_each_layer_wins_over_those_below(place) -> None:
    place.write_user("window = 1\nmax_output = 1\ntrigger = 1\ncompaction_floor = 1\n")
    place.write_project("window = 2\nmax_output = 2\ntrigger = 2\n")
    place.environ |= {"VADEMECUM_WINDOW": "3", "VADEMECUM_MAX_OUTPUT": "3"}
    settings = place.load(window="4")
    assert [settings[name].value for name in ("window", "max_output", "trigger", "compaction_floor")] == [
        4,
        3,
        2,
        1,
    ]
    origins = [settings[name].origin for name in ("window", "max_output", "trigger", "compaction_floor")]
    assert origins == ["flag", "environment", "project_file", "user_file"]


def test_a_flag_of_none_is_not_given(place) -> None:
    place.environ["VADEMECUM_WINDOW"] = "3"
    assert place.load(window=None)["window"].origin == "environment"


@pytest.mark.parametrize("empty", ["", "  "])
def test_an_empty_variable_is_not_set(place, empty) -> None:
    place.environ["VADEMECUM_WINDOW"] = empty
    assert place.load()["window"].origin == "default"


def test_a_falsy_value_is_given(place) -> None:
    place.write_project("token_compression = true")
    settings = place.load(token_compression=False, keep_tools=[])
    assert settings["token_compression"].value is False
    assert settings["keep_tools"].origin == "flag"


def test_a_value_that_is_overridden_is_checked_all_the_same(place) -> None:
    path = place.write_project('window = "big"')
    with pytest.raises(ConfigError, match="window is 'big'") as caught:
        place.load(window=5)
    assert str(path) in str(caught.value)


def test_settings_keep_the_order_of_the_table(place) -> None:
    assert [setting.name for setting in place.load()] == [spec.name for spec in SETTINGS]


def test_the_process_environment_is_not_looked_at(place, monkeypatch) -> None:
    monkeypatch.setenv("VADEMECUM_WINDOW", "77")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place.home / "elsewhere"))
    assert place.load()["window"].value is None


def test_every_setting_has_a_typed_accessor(place) -> None:
    settings = place.load()
    for spec in SETTINGS:
        assert getattr(settings, spec.name.replace(".", "_")) == settings[spec.name].value


def test_an_unknown_name_asked_for_is_an_error(place) -> None:
    with pytest.raises(ConfigError, match="no setting 'windw'") as caught:
        place.load()["windw"]
    assert caught.value.hint == "did you mean window?"


def test_settings_are_values(place) -> None:
    assert place.load(window=5) == place.load(window=5)
    with pytest.raises(AttributeError):
        place.load()["window"].value = 3


def test_every_setting_is_documented_in_one_line() -> None:
    for spec in SETTINGS:
        assert spec.doc
        assert "\n" not in spec.doc
        assert len(spec.doc) < 100


def test_a_relative_folder_to_start_from(place, monkeypatch) -> None:
    place.write_project("window = 9")
    monkeypatch.chdir(place.project)
    assert place.load(Path())["window"].value == 9


@pytest.mark.parametrize(("text", "days"), [("90d", 90), ("12W", 84), ("2y", 730), (" 1d ", 1)])
def test_ages(place, text: str, days: int) -> None:
    assert place.load_flags({"archive.retention": text}).archive_retention == days * 86_400


@pytest.mark.parametrize("wrong", ["", "90", "0d", "d", "-1d", "1.5d", "90 d", "soon", 90, 90.0, True])
def test_what_is_no_age(place, wrong: object) -> None:
    with pytest.raises(ConfigError, match="90d"):
        place.load_flags({"archive.retention": wrong})


@pytest.mark.parametrize(("text", "size"), [("500M", 500 << 20), ("2GiB", 2 << 30), ("1.5k", 1536), ("4096", 4096)])
def test_sizes(place, text: str, size: int) -> None:
    assert place.load_flags({"archive.max_size": text}).archive_max_size == size


@pytest.mark.parametrize("wrong", ["", "G", "0M", "-1", "2X", 0, True, 1.5])
def test_what_is_no_size(place, wrong: object) -> None:
    with pytest.raises(ConfigError, match="500M"):
        place.load_flags({"archive.max_size": wrong})
