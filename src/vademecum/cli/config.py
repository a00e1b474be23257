"""`vademecum config`: every setting with its origin, and writing one down."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from vademecum.cli.inputs import write_output
from vademecum.cli.output import emit, table
from vademecum.cli.policy import settings
from vademecum.cli.verb import Common, Verb, Verbs, common
from vademecum.config import Setting, env_name
from vademecum.config.table import BY_NAME
from vademecum.config.writing import Scope, place_to_write, places, with_setting
from vademecum.errors import ConfigError
from vademecum.paths import make_private


@click.group(
    cls=Verbs,
    invoke_without_command=True,
    examples=(
        ("vademecum config", "every setting, its value and where that comes from"),
        ("vademecum config set window 200K", "write one down"),
        ("vademecum config path", "the files that are looked at"),
    ),
)
@common
def command(shared: Common) -> int:
    """Shows the settings and where they come from; sets them."""
    return 0 if click.get_current_context().invoked_subcommand else _show(shared, None)


@command.command(
    "show",
    cls=Verb,
    examples=(
        ("vademecum config show", "every setting, its value and where that comes from"),
        ("vademecum config show window", "one of them"),
        ("vademecum config show --json", "for a program"),
    ),
)
@click.argument("key", required=False)
@common
def show_command(shared: Common, *, key: str | None) -> int:
    """Shows every setting, or one, with its origin."""
    return _show(shared, key)


@command.command(
    "path",
    cls=Verb,
    examples=(
        ("vademecum config path", "the files that settings are looked for in"),
        ("vademecum config path --json", "for a program"),
        ("vademecum config path -q", "the same, and nothing on stderr"),
    ),
)
@common
def path_command(shared: Common) -> int:
    """Lists the files that settings are looked for in; the first has the say."""
    looked_at = places(environ=os.environ, cwd=Path.cwd())
    rows: list[dict[str, Any]] = [
        {"origin": place.origin, "path": str(place.path), "exists": place.exists, "used": place.sets}
        for place in looked_at
    ]
    if shared.json:
        emit("config_path/1", {"files": rows})
        return 0
    table([(_state(row), row["origin"].replace("_", " "), row["path"]) for row in rows])
    return 0


@command.command(
    "set",
    cls=Verb,
    examples=(
        ("vademecum config set window 200K", "in the project's file where there is one, else in yours"),
        ("vademecum config set compression.threshold 0.6 --user", "in yours"),
        ("vademecum config set keep_tools Read,Grep --project", "in the project's; vademecum.toml here if none"),
    ),
)
@click.argument("key")
@click.argument("value")
@click.option("--user", "scope", flag_value="user", help="Your own file.")
@click.option("--project", "scope", flag_value="project", help="The project's file.")
@common
def set_command(shared: Common, *, key: str, value: str, scope: Scope | None) -> int:
    """Writes a setting into a TOML file, whose comments and order stay. A value that does not fit is refused."""
    cwd = Path.cwd()
    place = place_to_write(scope, environ=os.environ, cwd=cwd)
    text = with_setting(place, key, value, environ=os.environ, cwd=cwd)
    if not place.exists:
        try:
            make_private(place.path.parent)
        except OSError as error:
            raise ConfigError(f"cannot make the folder {place.path.parent}: {error.strerror}") from error
    write_output(str(place.path), text.encode())
    now = settings({})[key]
    if now.origin != place.origin:
        shared.say(f"{now.source} has the say over it: {key} is {_spelled(now)}")
    if shared.json:
        emit("config_set/1", {"path": str(place.path), "setting": _fields(now)})
    else:
        click.echo(f"{place.path}: {key} = {_spelled(now)}" if now.origin == place.origin else str(place.path))
    return 0


def _show(shared: Common, key: str | None) -> int:
    config = settings(shared.flags())
    found = list(config) if key is None else [config[key]]
    if shared.json:
        emit("config/1", {"settings": [_fields(setting) for setting in found]})
        return 0
    rows = [(setting.name, _spelled(setting), setting.where or setting.origin) for setting in found]
    table([("setting", "value", "from"), *rows])
    return 0


def _fields(setting: Setting) -> dict[str, Any]:
    value = setting.value
    return {
        "name": setting.name,
        "value": list(value) if isinstance(value, tuple) else str(value) if isinstance(value, Path) else value,
        "origin": setting.origin,
        "where": setting.where,
        "variable": env_name(setting.name),
        "doc": BY_NAME[setting.name].doc,
    }


def _spelled(setting: Setting) -> str:
    match setting.value:
        case None | ():
            return "-"
        case bool(value):
            return str(value).lower()
        case tuple(names):
            return ", ".join(names)
        case value:
            return str(value)


def _state(row: dict[str, Any]) -> str:
    return "read" if row["used"] else "not for us" if row["exists"] else "absent"
