"""Writing one setting into a TOML file: comments and order stay, and nothing is written that would not load."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, cast

from vademecum.config import sources
from vademecum.config.kinds import Unfit, expected, from_text, read
from vademecum.config.resolve import settled
from vademecum.config.sources import Place
from vademecum.config.table import BY_NAME, SettingSpec, did_you_mean
from vademecum.errors import ConfigError
from vademecum.paths import user_config_path

Scope = Literal["user", "project"]


def places(*, environ: Mapping[str, str], cwd: Path) -> tuple[Place, ...]:
    """Every file that settings are looked for in, the one that wins first."""
    return (*sources.project_places(cwd.absolute()), sources.user_place(user_config_path(environ)))


def place_to_write(scope: Scope | None, *, environ: Mapping[str, str], cwd: Path) -> Place:
    """The file that a setting is written to.

    Args:
        scope: `user`, `project`, or None for the project's file where there is one, else the user's.
        environ: The process environment.
        cwd: The folder that the search for a project's file starts from, and that a new one is made in.
    """
    cwd = cwd.absolute()
    project = next((place for place in sources.project_places(cwd) if place.sets), None)
    if scope == "user" or (scope is None and project is None):
        return sources.user_place(user_config_path(environ))
    return project or Place("project_file", cwd / sources.PROJECT_FILE, exists=False, sets=False)


def with_setting(place: Place, name: str, text: str, *, environ: Mapping[str, str], cwd: Path) -> str:
    """The file's text with a setting in it.

    Args:
        place: The file; it need not exist.
        name: The setting's name, with dots for tables.
        text: Its value as a flag would spell it; a relative path starts at `cwd`.
        environ: The process environment.
        cwd: The working folder.

    Raises:
        ConfigError: There is no such setting, the value does not fit it, the file is not TOML, or settings would
            contradict each other.
    """
    spec = BY_NAME.get(name)
    if spec is None:
        raise ConfigError(f"there is no setting {name!r}", hint=did_you_mean(name, BY_NAME))
    value = _written(spec, text, place, environ, cwd)
    before = sources.read_text(place.path) if place.exists else ""
    after = _edited(place, before, name.split("."), value)
    changed = sources.from_text_of(place, after)
    variables = sources.from_environ(environ, cwd.absolute())
    if place.origin == "user_file":
        settled((variables, sources.from_project(cwd.absolute()), changed), environ)
    else:
        settled((variables, changed, sources.from_user(user_config_path(environ))), environ)
    return after


def _written(spec: SettingSpec, text: str, place: Place, environ: Mapping[str, str], cwd: Path) -> object:
    """The value as TOML has it, once it is known to fit."""
    raw = from_text(spec, text)
    try:
        value = read(spec, raw, base=cwd.absolute(), environ=environ)
    except Unfit:
        raise ConfigError(f"{spec.name} {text!r}: expected {expected(spec)}") from None
    if not isinstance(value, Path):
        return raw
    folder = place.path.parent
    return str(value.relative_to(folder)) if value.is_relative_to(folder) else str(value)


def _edited(place: Place, text: str, keys: list[str], value: object) -> str:
    import tomlkit  # 25 ms, and needed here only
    from tomlkit.exceptions import TOMLKitError

    sources.from_text_of(place, text)  # its faults are told in the words of every other verb
    try:
        document = tomlkit.parse(text)
        table = cast("dict[str, Any]", document)
        for key in (*place.table, *keys[:-1]):
            if key not in table:
                table[key] = tomlkit.table()
            table = table[key]
        table[keys[-1]] = value
        return tomlkit.dumps(document)  # pyright: ignore[reportUnknownMemberType]
    except TOMLKitError as error:
        raise ConfigError(f"{place.path} cannot be edited: {error}", hint="write the key by hand") from error
