"""The clients that can be told of the server: a table as data."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from vademecum.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Machine:
    """Where files are looked for.

    Attributes:
        home: The user's home folder.
        environ: The environment.
        platform: As Python calls it: `linux`, `darwin`, `win32`.
        folder: The folder of the project.
    """

    home: Path
    environ: Mapping[str, str]
    platform: str
    folder: Path


@dataclass(frozen=True, slots=True)
class Client:
    """How one client wants to be told of a server; `clients.toml` says what the fields are."""

    name: str
    title: str
    style: Literal["json", "toml"]
    under: str
    shape: Literal["command", "list"]
    path: str | Mapping[str, str]
    project: str = ""
    folder_of: str = ""
    more: Mapping[str, Any] | None = None

    def file(self, machine: Machine, *, project: bool = False) -> Path:
        """Its file of servers.

        Raises:
            ConfigError: There is none for projects.
        """
        if project:
            if not self.project:
                raise ConfigError(f"{self.title} has no file of servers for a project", hint="leave --project away")
            return machine.folder / self.project
        path = self.path
        if not isinstance(path, str):
            path = path.get(machine.platform, path["linux"])
        moved = machine.environ.get(self.folder_of, "") if self.folder_of else ""
        if moved:
            return Path(moved) / Path(path).name
        return machine.home / path.removeprefix("~/")

    def entry(self, words: Sequence[str]) -> dict[str, Any]:
        """What stands in its file for a command."""
        more = dict(self.more or {})
        kind = {"type": more.pop("type")} if "type" in more else {}
        if self.shape == "list":
            return {**kind, "command": list(words), **more}
        return {**kind, "command": words[0], "args": list(words[1:]), **more}


@cache
def clients() -> Mapping[str, Client]:
    """All clients by name."""
    table = tomllib.loads(files("vademecum.mcp").joinpath("clients.toml").read_text("utf-8"))
    return {name: Client(name, **row) for name, row in table.items()}


def client(name: str) -> Client:
    """The client of that name.

    Raises:
        ConfigError: There is none.
    """
    found = clients().get(name.lower())
    if found is None:
        near = difflib.get_close_matches(name.lower(), clients(), n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(clients())}; others: --print"
        raise ConfigError(f"no client {name!r} is known", hint=hint)
    return found
