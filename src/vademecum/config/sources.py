"""The four places where a user may set something, each read into a `Source`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from vademecum.config.kinds import from_text
from vademecum.config.settings import Origin
from vademecum.config.table import BY_ENV_NAME, BY_NAME, ENV_KEYS, ENV_PREFIX, did_you_mean
from vademecum.errors import ConfigError

PROJECT_FILE = "vademecum.toml"
_LINE = re.compile(r"\(at line (\d+), column (\d+)\)")


@dataclass(frozen=True, slots=True)
class Found:
    """One value as it was written: `raw` has the type of its source, `where` names the place."""

    raw: object
    where: str


@dataclass(frozen=True, slots=True)
class Source:
    """One layer: what it sets, by the settings' names, and the folder its relative paths start from."""

    origin: Origin
    found: Mapping[str, Found]
    base: Path


def from_flags(flags: Mapping[str, object], cwd: Path) -> Source:
    """The flags of a command line or the arguments of a caller; None means not given."""
    found: dict[str, Found] = {}
    for name, raw in flags.items():
        spec = BY_NAME.get(name)
        if spec is None:
            raise ConfigError(f"there is no setting {name!r}", hint=did_you_mean(name, BY_NAME))
        if raw is None:
            continue
        typed = from_text(spec, raw) if isinstance(raw, str) else raw
        found[name] = Found(typed, "--" + name.replace("_", "-"))
    return Source("flag", found, cwd)


def from_environ(environ: Mapping[str, str], cwd: Path) -> Source:
    """The variables that begin with `VADEMECUM_`; an empty one counts as not set."""
    found: dict[str, Found] = {}
    for variable in sorted(environ):
        if not variable.startswith(ENV_PREFIX) or variable in ENV_KEYS:
            continue
        spec = BY_ENV_NAME.get(variable)
        if spec is None:
            hint = did_you_mean(variable, BY_ENV_NAME)
            raise ConfigError(f"the environment variable {variable} is no setting of vademecum", hint=hint)
        if environ[variable].strip():
            found[spec.name] = Found(from_text(spec, environ[variable]), variable)
    return Source("environment", found, cwd)


def from_project(cwd: Path) -> Source:
    """The nearest `vademecum.toml` or `[tool.vademecum]`, from `cwd` upwards; empty when there is none.

    In one folder `vademecum.toml` wins. Files are not merged: the nearest one is the project's.
    """
    for place in project_places(cwd):
        if place.sets:
            return from_text_of(place, read_text(place.path))
    return Source("project_file", {}, cwd)


def from_user(path: Path) -> Source:
    """The user's own file; empty when there is none."""
    if not _is_file(path):
        return Source("user_file", {}, path.parent)
    return from_text_of(Place("user_file", path, exists=True, sets=True), read_text(path))


@dataclass(frozen=True, slots=True)
class Place:
    """A file in which settings are looked for.

    Attributes:
        origin: The layer that it would be.
        path: The file.
        exists: Whether it is there.
        sets: Whether it is read: it is there and meant for us.
        table: The keys above ours in it: `("tool", "vademecum")` in a `pyproject.toml`.
    """

    origin: Origin
    path: Path
    exists: bool
    sets: bool
    table: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """The place in words."""
        return f"{self.path} [{'.'.join(self.table)}]" if self.table else str(self.path)


def project_places(cwd: Path) -> Iterator[Place]:
    """The files in which a project's settings are looked for, up to the one that is the project's."""
    for folder in (cwd, *cwd.parents):
        own = folder / PROJECT_FILE
        found = _is_file(own)
        yield Place("project_file", own, found, found)
        if found:
            return
        shared = folder / "pyproject.toml"
        found = _is_file(shared)
        sets = found and _tool_table(shared) is not None
        yield Place("project_file", shared, found, sets, ("tool", "vademecum"))
        if sets:
            return


def user_place(path: Path) -> Place:
    """The user's own file."""
    found = _is_file(path)
    return Place("user_file", path, found, found)


def from_text_of(place: Place, text: str) -> Source:
    """What a file with this text would set."""
    table = _parse(place.path, text)
    for key in place.table:
        table = cast("Mapping[str, object]", table.get(key, {}))
    return _file_source(place.origin, place.path, table, place.where)


def _tool_table(path: Path) -> Mapping[str, object] | None:
    text = read_text(path)
    if "vademecum" not in text:  # faults in other people's files are not for us to report
        return None
    tool = _parse(path, text).get("tool")
    table = cast("Mapping[str, object]", tool).get("vademecum") if isinstance(tool, dict) else None
    if table is None:
        return None
    if not isinstance(table, dict):
        raise ConfigError(f"{path}: tool.vademecum is not a table", hint="write [tool.vademecum] above its keys")
    return cast("Mapping[str, object]", table)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a folder on the way up that may not be looked into holds no file for us
        return False


def read_text(path: Path) -> str:
    """The text of a settings file.

    Raises:
        ConfigError: It cannot be read, or is not UTF-8.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}, line {line}: not UTF-8", hint="save the file as UTF-8") from error


def _parse(path: Path, text: str) -> Mapping[str, object]:
    import tomllib  # most runs have no file to parse

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason = str(error)
        at = _LINE.search(reason)
        line = int(at[1]) if at else text.count("\n") + 1  # the parser says "end of document" otherwise
        reason = reason[: at.start()].strip() if at else reason
        raise ConfigError(f"{path}, line {line}: not TOML: {reason}") from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, a thousand brackets
        raise ConfigError(f"{path}: not TOML: {error}") from error


def _file_source(origin: Origin, path: Path, table: Mapping[str, object], where: str) -> Source:
    found: dict[str, Found] = {}
    for name, raw in _flat(table, "", where):
        if name not in BY_NAME:
            raise ConfigError(f"{where}: there is no setting {name!r}", hint=did_you_mean(name, BY_NAME))
        found[name] = Found(raw, where)
    return Source(origin, found, path.parent)


def _flat(table: Mapping[str, object], prefix: str, where: str) -> Iterator[tuple[str, object]]:
    """The keys of nested tables with dots, as deep as the settings' own names go."""
    for key, raw in table.items():
        name = prefix + key
        is_group = any(known.startswith(name + ".") for known in BY_NAME)
        if is_group and isinstance(raw, dict):
            yield from _flat(cast("Mapping[str, object]", raw), name + ".", where)
        elif is_group:
            text = f"{where}: {name} = {raw!r} is not a table"
            raise ConfigError(text, hint=f"write [{name}] above its keys")
        else:
            yield name, raw
