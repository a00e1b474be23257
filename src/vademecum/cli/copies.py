"""Copies of the archive: backups, and what migrating left beside it. A removal reaches those that are named."""

from __future__ import annotations

import glob
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import click

from vademecum.archive import Archive
from vademecum.errors import ArchiveError, ConfigError

Done = TypeVar("Done")

also_option = click.option(
    "--also", metavar="FILE", multiple=True, help="A copy of the archive, such as a backup, that it goes from, too."
)


def checked(names: Sequence[str], db: Path) -> list[Path]:
    """The copies that are named, before anything is removed.

    Args:
        names: Their files.
        db: The archive's own file.

    Raises:
        ConfigError: One is not there, or is the archive itself.
    """
    paths = [Path(name).expanduser() for name in names]
    for path in paths:
        if not path.is_file():
            raise ConfigError(f"--also {path}: there is no such file", hint="nothing was removed")
        if not path.stat().st_size:
            raise ConfigError(f"--also {path}: the file is empty, so it is no archive", hint="nothing was removed")
        if path.samefile(db):
            raise ConfigError(f"--also {path} is the archive itself", hint="name a copy of it, or leave it away")
    return paths


def from_copies(
    paths: Sequence[Path], owner: str, remove: Callable[[Archive], Done]
) -> tuple[list[tuple[Path, Done]], list[str]]:
    """Removes something from all copies; one that cannot be read does not keep it in the others.

    Args:
        paths: The copies.
        owner: Whose sessions are meant.
        remove: What removes it.

    Returns:
        What was done to each, and why it could not be done to the others.
    """
    done: list[tuple[Path, Done]] = []
    failed: list[str] = []
    for path in paths:
        try:
            done.append((path, from_copy(path, owner, remove)))
        except ArchiveError as error:
            failed.append(f"{path}: {error}")
    return done, failed


def from_copy(path: Path, owner: str, remove: Callable[[Archive], Done]) -> Done:
    """Removes something from a copy, which is one file again afterwards.

    Args:
        path: The copy.
        owner: Whose sessions are meant.
        remove: What removes it.
    """
    with Archive.open(path, owner=owner) as archive:
        done = remove(archive)
        archive.connection.outside("PRAGMA journal_mode = DELETE")
        older = archive.connection.migrated
    if older:  # bringing it up has left a copy of the copy, with all that was removed
        path.with_name(f"{path.name}.schema-{older}").unlink(missing_ok=True)
    return done


def untouched(db: Path, also: Sequence[Path]) -> list[str]:
    """The copies that migrating has left beside the archive and that were not named."""
    beside = sorted(db.parent.glob(f"{glob.escape(db.name)}.schema-*"))
    return [str(path) for path in beside if not any(path.samefile(named) for named in also)]


def check_done(failed: Sequence[str]) -> None:
    """Says which copies still have it.

    Raises:
        ArchiveError: Some have.
    """
    if failed:
        raise ArchiveError(
            f"these copies still have it: {'; '.join(failed)}",
            hint="it is gone from the archive and the other copies; mend or delete those files",
        )


def told(left: Sequence[str]) -> str:
    """What is to be said of copies that still have it."""
    if left:
        return f"copies that still have it: {', '.join(left)}, and backups made before; give them with --also FILE"
    return "backups made before still have it: give them with --also FILE"
