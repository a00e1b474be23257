"""The desk that all tools work at: the archive, opened when there is one, and what the server was told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from vademecum.archive import Archive, Session
from vademecum.archive.sqlite.connection import Connection
from vademecum.errors import ConfigError
from vademecum.mcp.config import ServerConfig


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool says.

    Attributes:
        texts: Blocks of text, in order.
        failed: Whether it is an error, which the model may put right.
    """

    texts: tuple[str, ...]
    failed: bool = False


@dataclass
class Desk:
    """The archive and the settings, shared by all calls; calls of several threads wait for each other in the archive.

    Attributes:
        config: The settings.
        now: Seconds since the epoch.
    """

    config: ServerConfig
    now: Callable[[], float] = time.time
    _archive: Archive | None = field(default=None, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def archive(self) -> Archive:
        """The archive; opened with the first call that finds its file, since an agent may start before it is made.

        Raises:
            ConfigError: There is no file yet.
            ArchiveError: It cannot be opened.
        """
        with self._lock:
            if self._archive is None:
                self._archive = self.another()
            return self._archive

    def another(self) -> Archive:
        """A connection of its own to the archive, for what takes long."""
        path = self.config.db
        if not path.exists():
            raise ConfigError(
                f"there is no archive at {path} yet",
                hint="vademecum import, compact and proxy make one; the server may go on running meanwhile",
            )
        return Archive(Connection(path, self.config.patience), self.config.owner)

    def session(self, archive: Archive, given: str | None) -> Session:
        """The session that a call means: the one it names, the server's own, or the one used last.

        Raises:
            SessionNotFound: There is none of that name.
            ConfigError: There is no session at all.
        """
        name = given or self.config.session
        if not name:
            newest = archive.sessions(limit=1)
            if not newest:
                raise ConfigError("the archive has no session yet", hint="vademecum import FILE makes one")
            name = newest[0].id
        return archive.existing(name)

    def scope(self, given: str | None, *, everywhere: bool = False) -> str | None:
        """The session to search in: the one that is named, else the server's own unless everything is wanted."""
        return given or (None if everywhere else self.config.session or None)

    def close(self) -> None:
        """Closes the archive."""
        with self._lock:
            if self._archive is not None:
                self._archive.close()
                self._archive = None
