"""Reading what the user names: a file, or `-` for standard input; writing files in one step."""

from __future__ import annotations

import gzip
import os
import stat
import tempfile
from pathlib import Path

from vademecum.errors import ConfigError


def source_name(name: str) -> str:
    """A file's name as text that can be stored: bytes of it that are no UTF-8 are spelled out."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def check_output(name: str, *, source: str = "") -> None:
    """Refuses a place that cannot be written to, before any work is done.

    Raises:
        ConfigError: It is the input, a folder, or in a folder that does not exist.
    """
    path = Path(name)
    if source and source != "-" and path.exists() and Path(source).exists() and path.samefile(source):
        raise ConfigError(f"{name} is the transcript itself", hint="write to another file with -o")
    if path.is_dir():
        raise ConfigError(f"{name} is a folder", hint="name a file in it")
    if not path.parent.is_dir():
        raise ConfigError(f"cannot write {name}: there is no folder {path.parent}", hint="make it first")


def write_output(name: str, data: bytes) -> None:
    """Writes a file in one step: it has the old bytes or the new ones, never a part. `.gz` is compressed.

    A new file is for its owner alone, since it holds a transcript; an old one keeps its mode.

    Raises:
        ConfigError: It cannot be written.
    """
    path = Path(name)
    if path.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    if path.exists() and not path.is_file():  # a pipe or a device is written to, never replaced
        path.write_bytes(data)
        return
    path = path.resolve()
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise ConfigError(f"cannot write {name}: {error.strerror}", hint="does the folder exist?") from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if path.exists():
            Path(temporary).chmod(stat.S_IMODE(path.stat().st_mode))
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
