"""A session log's bytes: read line by line or as one document, never more in memory than that needs."""

from __future__ import annotations

import gzip
import io
import json
import os
import stat
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any, Self, cast

from vademecum.errors import ConfigError, WireError
from vademecum.sessions.salvage import salvaged
from vademecum.wire.zipped import most_unzipped, too_expanded

_GZIP = b"\x1f\x8b"
_BLANK = b" \t\r\n\0"
_CHUNK = 1 << 20
_LOOKED_AT = 400


@dataclass(frozen=True, slots=True)
class Row:
    """A line that is a JSON object: its number from 1, where it stands, and what it says."""

    line: int
    offset: int
    size: int
    value: dict[str, Any]


class Source:
    """The bytes of one log, unzipped.

    Attributes:
        path: The file or folder; None for bytes from elsewhere.
        torn: Where the document ends before its time, in words; empty when it is whole.
    """

    def __init__(self, file: IO[bytes], path: Path | None = None) -> None:
        self._file = file
        self.path = path
        self.torn = ""

    @classmethod
    def of(cls, data: bytes) -> Source:
        """A log whose bytes are at hand.

        Raises:
            WireError: It is gzip data that is damaged from its beginning.
        """
        return cls(_unzipped(io.BytesIO(data)))

    @classmethod
    def open(cls, path: Path) -> Source:
        """A log in a file, or in a folder of files (then there is nothing to read but its path).

        Raises:
            ConfigError: It cannot be read.
            WireError: It is gzip data that is damaged from its beginning.
        """
        if path.is_dir():
            return cls(io.BytesIO(), path)
        try:
            return cls(_unzipped(_opened(path)), path)
        except FileNotFoundError as error:
            raise ConfigError(f"no file {path}", hint="use - for standard input") from error
        except OSError as error:
            raise ConfigError(f"cannot read {path}: {error.strerror}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def is_folder(self) -> bool:
        """Whether the log is a folder of files."""
        return self.path is not None and self.path.is_dir()

    def head(self, size: int) -> bytes:
        """The first bytes."""
        self._file.seek(0)
        return self._file.read(size)

    def data(self) -> bytes:
        """All bytes."""
        self._file.seek(0)
        return self._file.read()

    def file(self) -> IO[bytes]:
        """The open file, at its beginning."""
        self._file.seek(0)
        return self._file

    def rows(self, skipped: list[tuple[int, str]] | None = None, having: bytes = b"") -> Iterator[Row]:
        """The lines that are JSON objects, in order.

        Args:
            skipped: Where to note those that are not, with the reason.
            having: Lines without these bytes are passed over unread.
        """
        offset = 0
        number = 0
        self._file.seek(0)
        while line := self._file.readline():
            number += 1
            here, offset = offset, offset + len(line)
            if having not in line:
                continue
            value = parsed(line)
            if isinstance(value, str):
                if value and skipped is not None:
                    skipped.append((number, value))
            else:
                yield Row(number, here, len(line), value)
            if self._file.tell() != offset:  # somebody else read in between
                self._file.seek(offset)

    def bytes(self, row: Row) -> bytes:
        """The bytes of a row's line."""
        self._file.seek(row.offset)
        return self._file.read(row.size)

    def row(self, offset: int, size: int) -> dict[str, Any]:
        """The row at a place; an empty one when the file has changed meanwhile."""
        self._file.seek(offset)
        value = parsed(self._file.read(size))
        return {} if isinstance(value, str) else value

    def is_lines(self) -> bool:
        """Whether it is JSON Lines, not one document; a single line that is an object could be both."""
        rows, tried = 0, False
        for line in islice(self.file(), _LOOKED_AT):
            value = parsed(line)
            if value == "":
                continue
            if isinstance(value, str):
                # The last element of a document may be a line of its own: only the beginning tells.
                if rows == 0 and not tried and self._is_document():
                    return False
                tried = True
                continue
            rows += 1
            if rows > 1:
                return True
        return rows == 1

    def only(self) -> dict[str, Any] | None:
        """The object that is all there is, on one line; None where there is more."""
        rows = list(islice(self.rows(broken := []), 2))
        return rows[0].value if len(rows) == 1 and not broken else None

    def _is_document(self) -> bool:
        here = self._file.tell()
        try:
            json.loads(self.text().strip(" \t\r\n\0"))
        except (ValueError, RecursionError):
            return False
        finally:
            self._file.seek(here)
        return True

    def text(self) -> str:
        """All of it as text; bytes that are no UTF-8 stay as they are."""
        return self.data().decode("utf-8-sig", "surrogateescape")

    def document(self) -> Any:
        """The one JSON document that it is; of one that breaks off, the elements before that (see `torn`).

        Raises:
            WireError: It is no JSON.
        """
        text = self.text().strip(" \t\r\n\0")
        try:
            return json.loads(text)
        except RecursionError as error:
            raise WireError(-1, "is nested too deeply", hint="is it a session log?") from error
        except ValueError as error:
            at = getattr(error, "pos", 0)
            found = salvaged(text, at)
            if found is None:
                raise WireError(-1, f"is not JSON: {error}", hint="is it a session log?") from error
            self.torn = f"is not JSON from character {at} on"
            return found


def parsed(line: bytes) -> dict[str, Any] | str:
    """The object that a line is, or why it is none; an empty text for a blank line."""
    stripped = line.strip(_BLANK).removeprefix(b"\xef\xbb\xbf")
    if not stripped:
        return ""
    try:
        value: object = json.loads(stripped.decode("utf-8", "surrogateescape"))
    except RecursionError:
        return "is nested too deeply"
    except json.JSONDecodeError as error:
        return f"is not JSON: {error.msg} at character {error.pos}"
    except ValueError as error:
        return str(error) or "is not JSON"
    return cast("dict[str, Any]", value) if isinstance(value, dict) else f"is {type(value).__name__}, not an object"


def read_file(path: Path) -> bytes:
    """The bytes of a regular file.

    Raises:
        ConfigError: It is a pipe, a device or a socket.
        OSError: It cannot be read.
    """
    with _opened(path) as file:
        return file.read()


def _opened(path: Path) -> IO[bytes]:
    """Opens a regular file. A pipe would hold this up for ever, and a device need not end."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise ConfigError(f"{path} is no regular file, and not read", hint="pipe it in, and name - in its place")
    return os.fdopen(handle, "rb")


def _unzipped(file: IO[bytes]) -> IO[bytes]:
    start = file.read(2)
    file.seek(0)
    if start != _GZIP:
        return file
    most = most_unzipped(file.seek(0, os.SEEK_END))
    file.seek(0)
    out: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # it goes away with its last handle
    with file, suppress(OSError, EOFError, zlib.error), gzip.open(file) as inside:
        while (piece := inside.read(_CHUNK)) and out.tell() <= most:
            out.write(piece)
    if out.tell() > most:
        out.close()
        raise too_expanded(most)
    if out.tell() == 0:
        out.close()
        raise WireError(-1, "the gzip data is damaged", hint="copy the file again")
    out.seek(0)
    return out
