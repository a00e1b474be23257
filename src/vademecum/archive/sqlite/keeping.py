"""Keeping an archive in order; see `upkeep` for how."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from vademecum.archive.sqlite import backup
from vademecum.archive.sqlite.directory import Directory
from vademecum.archive.sqlite.places import session_row
from vademecum.archive.sqlite.upkeep import erasing
from vademecum.archive.sqlite.upkeep.reindexing import reindex
from vademecum.archive.sqlite.upkeep.removal import remove
from vademecum.archive.sqlite.upkeep.retention import evict, outdated, used_bytes
from vademecum.archive.sqlite.upkeep.status import Status, status
from vademecum.archive.sqlite.upkeep.verify import MOST, Fault, faults
from vademecum.archive.values import Removed
from vademecum.errors import ConfigError, SessionNotFound


class Keeping(Directory):
    """What is done to an archive as a whole, whoever its sessions belong to."""

    def status(self) -> Status:
        """What the archive holds and how large it is."""
        with self.connection.reading() as db:
            return status(db, self.connection.path)

    def verify(self) -> list[Fault]:
        """What is wrong with the archive: nothing, for one that is whole."""
        with self.connection.rehearsal():  # the word index checks itself by a statement that writes
            return list(islice(faults(self.connection.db), MOST))

    def backup(self, path: str | Path, *, force: bool = False) -> int:
        """Copies the archive as it is at this moment into a private file; others may go on writing.

        Args:
            path: The new file.
            force: Whether a file that is there already may be replaced.

        Returns:
            The copy's size in bytes.

        Raises:
            ConfigError: The file is there already, or cannot be.
            ArchiveError: The archive cannot be read.
        """
        if self.connection.path is None:
            raise ConfigError("an archive in memory has no file to copy", hint="open one with Archive.open")
        with self.connection.errors():
            return backup.copy(self.connection.path, Path(path).expanduser(), replace=force)

    def vacuum(self) -> int:
        """Finishes removals that were interrupted and writes the file anew without what is free in it.

        Returns:
            The bytes that the file has lost.

        Raises:
            ArchiveBusy: Another process writes for too long.
        """
        erasing.finish(self.connection)
        before = self._bytes()
        self._cleared(vacuum=True)
        return before - self._bytes()

    def reindex(self) -> int:
        """Makes the word index anew, in one transaction; returns how many passages it has."""
        erasing.finish(self.connection)
        with self.connection.transaction(durable=True) as db:
            return reindex(db)

    def remove(self, *ids: str, vacuum: bool = True) -> Removed:
        """Removes sessions for good; what other sessions go on from stays.

        A crash leaves each session there or gone; what is left to erase then is erased by the next removal or
        `vacuum`.

        Args:
            ids: The sessions.
            vacuum: Write the file anew, so that no trace of them is left in it.

        Raises:
            SessionNotFound: There is no such session; none is removed.
            ArchiveBusy: Another process writes for too long.
        """
        count = 0
        with self.connection.transaction(durable=True) as db:
            for id in dict.fromkeys(ids):
                if session_row(db, self.owner, id) is None:
                    raise SessionNotFound(id)
            for id in dict.fromkeys(ids):
                count += remove(db, self.owner, id)
        erasing.finish(self.connection)
        return Removed(tuple(dict.fromkeys(ids)), count, self._cleared(vacuum=vacuum and bool(ids)))

    def outdated(self, before: float) -> list[str]:
        """The sessions that were used last before a moment; those that a younger one continues are not among them."""
        with self.connection.reading() as db:
            return outdated(db, self.owner, before)

    def in_use(self) -> int:
        """Bytes of the file that are in use."""
        with self.connection.reading() as db:
            return used_bytes(db)

    def evict(self, most_bytes: int) -> tuple[int, int]:
        """Makes room: of the oldest large strings that stand in no context only their ends are kept.

        Args:
            most_bytes: What the archive may have in use.

        Returns:
            How many strings that were, and the bytes that they had.
        """
        return evict(self.connection, most_bytes, self._now())

    @contextmanager
    def rehearsal(self) -> Generator[None]:
        """Everything that is done inside is taken back at its end."""
        with self.connection.rehearsal():
            yield

    def _cleared(self, *, vacuum: bool) -> bool:
        """Leaves no trace of what was removed; False where a process that reads holds on to the log."""
        if vacuum:
            self.connection.outside("VACUUM")
        return erasing.empty_log(self.connection)

    def _bytes(self) -> int:
        with self.connection.reading() as db:
            return _pages(db) * db.execute("PRAGMA page_size").fetchone()[0]


def _pages(db: sqlite3.Connection) -> int:
    return db.execute("PRAGMA page_count").fetchone()[0]
