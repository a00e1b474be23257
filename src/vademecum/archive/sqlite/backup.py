"""Copying an archive while it is in use: consistent, private, and there at once or not at all."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from pathlib import Path

from vademecum.errors import ConfigError


def copy(source: Path, target: Path, *, replace: bool = False) -> int:
    """Copies an archive as it is at this moment; others may go on writing to it.

    Args:
        source: The archive's file.
        target: The new file, mode 0600.
        replace: Whether a file that is there already may be replaced.

    Returns:
        The copy's size in bytes.

    Raises:
        ConfigError: The target is there already, or in no folder, or is the archive itself.
        sqlite3.Error: The archive cannot be read.
    """
    if not target.parent.is_dir():
        raise ConfigError(f"cannot write {target}: there is no folder {target.parent}", hint="make it first")
    if target.is_dir() or (target.exists() and target.samefile(source)):
        raise ConfigError(
            f"{target} is {'a folder' if target.is_dir() else 'the archive itself'}", hint="name a file"
        )
    if target.exists() and not replace:
        raise _there_already(target)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")  # mode 0600
    os.close(handle)
    temporary = Path(name)
    try:
        _copied(source, temporary)
        size = temporary.stat().st_size
        if replace:
            temporary.replace(target)
        else:
            _linked(temporary, target)
        _settled(target.parent)
    finally:
        for beside in ("", "-journal", "-wal", "-shm"):
            Path(name + beside).unlink(missing_ok=True)
    return size


def _copied(source: Path, target: Path) -> None:
    # A connection of its own: it sees what is committed, also while another one is inside a transaction.
    held, made = sqlite3.connect(source, timeout=30), sqlite3.connect(target)
    try:
        held.backup(made)
        made.execute("PRAGMA journal_mode = DELETE")  # one file, without others beside it
    finally:
        made.close()
        held.close()
    with target.open("rb") as file:
        os.fsync(file.fileno())


def _linked(temporary: Path, target: Path) -> None:
    """Puts a file in its place if nobody else has put one there meanwhile."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise _there_already(target) from None
    except OSError:  # a file system without links
        temporary.replace(target)


def _settled(folder: Path) -> None:
    """Waits until the disk has the folder's new entry."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _there_already(target: Path) -> ConfigError:
    return ConfigError(f"{target} is there already", hint="name another file, or replace it with --force")
