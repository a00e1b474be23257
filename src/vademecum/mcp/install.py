"""Telling a client of the server: the change is worked out first, shown, and written whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from vademecum.errors import ConfigError
from vademecum.mcp import jsonc, toml_table
from vademecum.mcp.clients import Client

_BACKUP = ".vademecum-backup"


@dataclass(frozen=True, slots=True)
class Change:
    """What installing would do.

    Attributes:
        client: The client.
        file: Its file.
        entry: What will stand in it for the server.
        before: The file's bytes as they are; None where there is no file.
        after: The bytes as they will be.
        was: The entry of that name that is there already.
    """

    client: Client
    file: Path
    entry: Mapping[str, Any]
    before: bytes | None
    after: bytes
    was: Mapping[str, Any] | None = None

    @property
    def needed(self) -> bool:
        """Whether the file changes at all."""
        return self.before != self.after

    @property
    def backup(self) -> Path | None:
        """Where the file as it was will be kept; None where there is none."""
        return None if self.before is None else self.file.with_name(self.file.name + _BACKUP)


def planned(client: Client, file: Path, name: str, words: Sequence[str]) -> Change:
    """Works out the change of a client's file.

    Args:
        client: The client.
        file: Its file, which may not exist.
        name: The server's name.
        words: The command that starts it.

    Raises:
        ConfigError: The file cannot be read, is not what it should be, or cannot be changed safely.
    """
    file = file.resolve()  # a link to a folder of settings stays one
    before = _read(file)
    text = "" if before is None else _decoded(file, before)
    entry = client.entry(words)
    try:
        held = _held(_table(client, text).get(client.under), name)
        if _same(held, entry) and before is not None:
            return Change(client, file, entry, before, before, held)
        # What a user added to the entry stays.
        merged = {**(held or {}), **entry}
        after = _edited(client, text, name, merged)
        _check(client, text, after, name, merged)
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}", hint=error.hint) from error
    return Change(client, file, merged, before, after.encode("utf-8"), held)


def write(change: Change) -> None:
    """Writes a change: first the backup, then the new file in one step, with the old one's mode.

    Raises:
        ConfigError: The file has changed since the change was worked out, or cannot be written.
    """
    if _read(change.file) != change.before:
        raise ConfigError(f"{change.file} has changed meanwhile", hint="run it again")
    try:
        change.file.parent.mkdir(parents=True, exist_ok=True)
        if change.backup is not None:
            shutil.copy2(change.file, change.backup)
        _replace(change.file, change.after)
    except OSError as error:
        raise ConfigError(f"{change.file} cannot be written: {error.strerror or error}") from error


def _replace(file: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        if file.exists():
            shutil.copymode(file, name)
        Path(name).replace(file)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _edited(client: Client, text: str, name: str, entry: Mapping[str, Any]) -> str:
    if client.style == "toml":
        own = {key: value for key, value in entry.items() if not isinstance(value, dict)}  # subtables stay in place
        return toml_table.with_table(text, client.under, name, own)
    return jsonc.with_value(text, (client.under, name), dict(entry))


def _check(client: Client, text: str, after: str, name: str, entry: Mapping[str, Any]) -> None:
    """What the new text says is what the old one said, and the entry: no cleverness of ours may lose a setting."""
    expected = _table(client, text)
    servers = expected.get(client.under, {})
    if not isinstance(servers, dict):
        raise ConfigError(f"{client.under} is no table of servers", hint="put it right by hand")
    expected[client.under] = {**cast("dict[str, Any]", servers), name: dict(entry)}
    try:
        held = _table(client, after)
    except ConfigError:
        held = None
    if held != expected:
        raise ConfigError("it cannot be changed without touching the rest", hint="add the entry by hand: see --print")


def _table(client: Client, text: str) -> dict[str, Any]:
    data = toml_table.loaded(text) if client.style == "toml" else jsonc.loaded(text)
    if not isinstance(data, dict):
        raise ConfigError("it does not hold an object", hint="put it right by hand")
    return cast("dict[str, Any]", data)


def _held(servers: object, name: str) -> dict[str, Any] | None:
    """The entry of a name among the servers of a file."""
    found = cast("dict[str, object]", servers).get(name) if isinstance(servers, dict) else None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def _same(held: Mapping[str, Any] | None, entry: Mapping[str, Any]) -> bool:
    """Whether an entry says what it should; what a user added to it, such as `env`, does not matter."""
    return held is not None and all(held.get(key) == value for key, value in entry.items())


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror or error}") from error


def _decoded(file: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file} is not UTF-8", hint="save it as UTF-8, then try again") from error
