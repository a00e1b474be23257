"""The workspace: the one folder whose files may be read, and how carefully."""

from __future__ import annotations

import os
import stat
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from pathlib import Path

from vademecum.core.requests import FileContent, Unavailable
from vademecum.errors import ConfigError

#: Bytes of a file that are read at most; far more than a carry shows.
MOST_BYTES = 128 << 10
_GONE = "no longer there"


class Workspace:
    """Reads files inside one folder; a path that leads out of it, by whatever way, is not followed.

    Args:
        root: The folder.

    Raises:
        ConfigError: There is no such folder.
    """

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise ConfigError(f"the workspace {root} is no folder", hint="name the folder that the agent works in")
        self.root = root.resolve()

    def read(self, path: str) -> FileContent | Unavailable:
        """A file's text; or why it cannot be shown.

        Args:
            path: Absolute, or relative to the workspace.
        """
        try:
            resolved = (self.root / path).resolve()
            inside = resolved.relative_to(self.root)
        except ValueError:
            return Unavailable("outside the workspace, not read")
        except (OSError, RuntimeError):  # a loop of links
            return Unavailable("unreadable")
        if is_secret(Path(path)) or is_secret(inside):
            return Unavailable("may hold secrets, not read")
        try:
            return _content(self.root, inside)
        except FileNotFoundError:
            return Unavailable(_GONE)
        except NotADirectoryError:
            return Unavailable(_GONE)
        except OSError as error:
            return Unavailable(f"unreadable ({error.strerror})")


def _content(root: Path, inside: Path) -> FileContent | Unavailable:
    handle = _opened(root, inside)
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            return Unavailable("not a regular file, not read")
        if (root / inside).resolve() != root / inside:  # it has become a link meanwhile
            return Unavailable("outside the workspace, not read")
        with os.fdopen(handle, "rb", closefd=False) as file:
            data = file.read(MOST_BYTES + 1)
    finally:
        os.close(handle)
    whole = len(data) <= MOST_BYTES
    kept = data[:MOST_BYTES]
    if b"\0" in kept:
        return Unavailable(f"binary, {found.st_size:,} bytes")
    try:
        text = kept.decode("utf-8")
    except UnicodeDecodeError as error:
        if whole or error.start < len(kept) - 4:
            return Unavailable(f"no UTF-8 text, {found.st_size:,} bytes")
        text = kept[: error.start].decode("utf-8")
    return FileContent(text, found.st_size, whole)


def _opened(root: Path, inside: Path) -> int:
    """Opens a file whose path has no links: one that was put there since is not followed.

    Where the system can, each folder is opened in the one above it, so that there is no moment between look and read.
    A pipe that nobody writes to does not hold this up.
    """
    link, folder = getattr(os, "O_NOFOLLOW", 0), getattr(os, "O_DIRECTORY", 0)
    flags = os.O_RDONLY | link | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if os.open not in os.supports_dir_fd:
        return os.open(root / inside, flags)
    held = os.open(root, os.O_RDONLY | folder)
    try:
        for name in inside.parts[:-1]:
            below = os.open(name, os.O_RDONLY | link | folder, dir_fd=held)
            os.close(held)
            held = below
        return os.open(inside.parts[-1] if inside.parts else ".", flags, dir_fd=held)
    finally:
        os.close(held)


def is_secret(path: Path) -> bool:
    """Whether a file's name, or that of a folder above it, is one of those that hold keys and passwords."""
    names = [part.lower() for part in path.parts]
    open_ones = [pattern[1:] for pattern in _patterns() if pattern.startswith("!")]
    if names and any(fnmatchcase(names[-1], pattern) for pattern in open_ones):
        return False
    return any(fnmatchcase(name, pattern) for name in names for pattern in _patterns())


@cache
def _patterns() -> tuple[str, ...]:
    text = files("vademecum.compactor").joinpath("secret_files.txt").read_text("utf-8")
    return tuple(line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))
