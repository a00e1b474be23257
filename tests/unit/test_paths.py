"""Where files are kept when nobody says where."""

import sys
from pathlib import Path

import platformdirs
import pytest

from vademecum.paths import default_archive_path, default_data_dir, expand_home, user_config_path


def test_xdg_variables_win() -> None:
    environ = {"HOME": "/h", "XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "/conf"}
    assert default_data_dir(environ) == Path("/data/vademecum")
    assert default_archive_path(environ) == Path("/data/vademecum/archive.db")
    assert user_config_path(environ) == Path("/conf/vademecum/config.toml")


@pytest.mark.parametrize("value", ["", "relative/data", "."])
def test_a_relative_xdg_variable_does_not_count(value, monkeypatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    environ = {"HOME": "/h", "XDG_DATA_HOME": value, "XDG_CONFIG_HOME": value}
    assert default_data_dir(environ) == Path("/h/.local/share/vademecum")
    assert user_config_path(environ) == Path("/h/.config/vademecum/config.toml")


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_platforms_have_their_own_convention(platform, monkeypatch) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(platformdirs, "user_data_path", lambda app, appauthor: Path("/own/data", app))
    monkeypatch.setattr(platformdirs, "user_config_path", lambda app, appauthor: Path("/own/conf", app))
    assert default_archive_path({"HOME": "/h"}) == Path("/own/data/vademecum/archive.db")
    assert user_config_path({"HOME": "/h"}) == Path("/own/conf/vademecum/config.toml")


def test_without_a_home_the_platform_is_asked(monkeypatch) -> None:
    monkeypatch.setattr(platformdirs, "user_data_path", lambda app, appauthor: Path("/asked", app))
    assert default_data_dir({}) == Path("/asked/vademecum")


def test_it_agrees_with_the_platform_on_the_platform(monkeypatch, tmp_path) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    environ = {"HOME": str(tmp_path)}
    assert default_data_dir(environ) == platformdirs.user_data_path("vademecum", appauthor=False)
    assert user_config_path(environ).parent == platformdirs.user_config_path("vademecum", appauthor=False)


@pytest.mark.parametrize(
    ("path", "expanded"),
    [
        ("~", "/h"),
        ("~/a/b", "/h/a/b"),
        ("/a", "/a"),
        ("a/~", "a/~"),
        ("~nobody-of-that-name/x", "~nobody-of-that-name/x"),
    ],
)
def test_home(path, expanded) -> None:
    assert expand_home(path, {"HOME": "/h"}) == Path(expanded)


def test_home_of_the_process_when_the_environment_has_none(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert expand_home("~/x", {}) == tmp_path / "x"
