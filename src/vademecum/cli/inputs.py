"""Reading what the user names: a file, or `-` for standard input; writing files in one step."""

from __future__ import annotations

import gzip
import os
import sys
import tempfile
from pathlib import Path

from vademecum.errors import ConfigError

#: Everything is read into memory; a file above this is surely not a session log.
MOST_BYTES = 4 << 30


def read_input(name: str) -> bytes:
    """The bytes of a file, or of standard input for `-`.

    Raises:
        ConfigError: There is no such file, it is a folder, or it is too large.
    """
    if name == "-":
        return sys.stdin.buffer.read()
    path = Path(name)
    if path.is_dir():
        raise ConfigError(f"{name} is a folder", hint="name a file")
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ConfigError(f"{name} has more than {MOST_BYTES >> 30} GiB", hint="split it")
        return path.read_bytes()
    except FileNotFoundError as error:
        raise ConfigError(f"no file {name}", hint="use - for standard input") from error
    except OSError as error:
        raise ConfigError(f"cannot read {name}: {error.strerror}") from error


def write_output(name: str, data: bytes, *, source: str = "") -> None:
    """Writes a file in one step: it has the old bytes or the new ones, never a part. `.gz` is compressed.

    Raises:
        ConfigError: The file is the input, or cannot be written.
    """
    path = Path(name)
    if source and source != "-" and path.exists() and path.samefile(source):
        raise ConfigError(f"{name} is the transcript itself", hint="write to another file with -o")
    if path.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise ConfigError(f"cannot write {name}: {error.strerror}", hint="does the folder exist?") from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
