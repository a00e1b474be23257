"""The connection: opening a file safely, short transactions, and SQLite's errors in our words."""

from __future__ import annotations

import os
import random
import sqlite3
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from vademecum.archive.sqlite.backup import copy
from vademecum.archive.sqlite.migrations import APPLICATION, SCHEMA, bring_up, make
from vademecum.errors import (
    ArchiveBusy,
    ArchiveCorrupt,
    ArchiveError,
    ArchiveFull,
    ArchiveReadOnly,
    SchemaTooNew,
)
from vademecum.paths import make_private

#: How long a writer waits for others before it gives up, in seconds.
PATIENCE_S = 30.0
#: How long SQLite itself waits for a lock, in milliseconds.
_BUSY_MS = 100
#: The smallest page that a database can have, in bytes.
_SHORTEST = 512
#: What SQLite calls it when a quota, or a limit on the size of files, lets it write no more.
_NO_ROOM = frozenset({"SQLITE_IOERR_WRITE", "SQLITE_IOERR_TRUNCATE", "SQLITE_IOERR_FSYNC", "SQLITE_IOERR_SHMSIZE"})


class Connection:
    """One SQLite connection, shared by the threads of a process one at a time.

    Args:
        path: The file; None keeps everything in memory.
        patience: How long it waits for a file that another process has locked, in seconds.

    Raises:
        ArchiveError: The file cannot be opened, is not an archive, or comes from a later version.
    """

    def __init__(self, path: Path | None, patience: float = PATIENCE_S) -> None:
        self.path = path
        self._patience = patience
        self.lock = threading.RLock()
        self._depth = 0
        #: The schema that the file had before this connection brought it up, 0 for none.
        self.migrated = 0
        name = ":memory:" if path is None else str(path)
        with self.errors():
            if path is not None:
                _make_private(path)
                # SQLite takes so short a file for an empty one and would write over it.
                if 0 < path.stat().st_size < _SHORTEST and path.is_file():
                    raise ArchiveCorrupt(f"{path} is too short for an archive", hint="name another file with --db")
            self.db = sqlite3.connect(name, timeout=_BUSY_MS / 1_000, isolation_level=None, check_same_thread=False)
        try:
            self._prepare()
        except BaseException:
            self.db.close()
            raise

    def _prepare(self) -> None:
        with self.errors():
            version = self._checked_version()
            self._patiently("PRAGMA journal_mode = WAL")
            self.db.execute("PRAGMA synchronous = NORMAL")
            self.db.execute("PRAGMA foreign_keys = OFF")
            # What is removed is overwritten, whatever the library was built with.
            self.db.execute("PRAGMA secure_delete = ON")
            self.db.execute("PRAGMA cache_size = -32000")
        if version < SCHEMA:
            self._bring_up()

    def _checked_version(self) -> int:
        """The file's schema, 0 for an empty file; all of it read at one moment, since another may be making it."""
        self._patiently("BEGIN")
        try:
            application = self._patiently("PRAGMA application_id").fetchone()[0]
            version = self.db.execute("PRAGMA user_version").fetchone()[0]
            (tables,) = self.db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        finally:
            if self.db.in_transaction:
                self.db.execute("COMMIT")
        if application != APPLICATION and (application or version or tables):
            raise ArchiveCorrupt(f"{self.path} is a database of another program", hint="name another file with --db")
        if version > SCHEMA:
            raise SchemaTooNew(str(self.path), version, SCHEMA)
        return version

    def _bring_up(self) -> None:
        """Makes the tables, or brings those of an older version to their newest form; a copy is kept before that."""
        with self.transaction(durable=True):
            # Another process may have done it while this one waited for the lock.
            version = self.db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                make(self.db)
            elif version < SCHEMA:
                if self.path is not None:
                    copy(self.path, self.path.with_name(f"{self.path.name}.schema-{version}"), replace=True)
                bring_up(self.db, version)
                self.migrated = version

    def _patiently(self, sql: str) -> sqlite3.Cursor:
        """Runs a statement that may find the file locked, waiting with jitter so that no writer starves.

        SQLite's own waits grow longer, which favours whoever has just come. Who has waited for long looks more often.
        """
        deadline = time.monotonic() + self._patience
        waited = False
        try:
            while True:
                try:
                    return self.db.execute(sql)
                except sqlite3.OperationalError as error:
                    if ("locked" not in str(error) and "busy" not in str(error)) or time.monotonic() > deadline:
                        raise
                    if not waited:
                        self.db.execute("PRAGMA busy_timeout = 0")
                        waited = True
                    time.sleep(random.uniform(0.0005, 0.002))  # noqa: S311  # jitter
        finally:
            if waited:
                self.db.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")

    @contextmanager
    def transaction(self, *, durable: bool = False) -> Generator[sqlite3.Connection]:
        """A write transaction; nested ones join the outer one.

        Args:
            durable: Wait until the disk has it (FULL); else it survives a crash of the process, and of
                the machine with the next durable one.
        """
        with self.lock, self.errors():
            if self._depth:
                yield self.db
                return
            if durable:
                self.db.execute("PRAGMA synchronous = FULL")
            self._patiently("BEGIN IMMEDIATE")
            self._depth = 1
            try:
                yield self.db
                self.db.execute("COMMIT")
            except BaseException:
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK")
                raise
            finally:
                self._depth = 0
                if durable:
                    self.db.execute("PRAGMA synchronous = NORMAL")

    def outside(self, sql: str) -> sqlite3.Cursor:
        """Runs a statement that stands in no transaction, waiting for others where it must."""
        with self.lock, self.errors():
            return self._patiently(sql)

    def let_pages_go(self) -> None:
        """Gives back the memory of pages that were written, but for those that are in use."""
        self.outside("PRAGMA shrink_memory")

    @contextmanager
    def rehearsal(self) -> Generator[None]:
        """A write transaction that is always taken back."""
        with self.lock, self.errors():
            self._patiently("BEGIN IMMEDIATE")
            self._depth = 1
            try:
                yield
            finally:
                self._depth = 0
                self.db.execute("ROLLBACK")

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """A consistent view of several reads."""
        with self.lock, self.errors():
            if self._depth:
                yield self.db
                return
            self._patiently("BEGIN")
            self._depth = 1
            try:
                yield self.db
            finally:
                self._depth = 0
                if self.db.in_transaction:
                    self.db.execute("COMMIT")

    @contextmanager
    def errors(self) -> Generator[None]:
        """Wraps SQLite's errors in ours."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._named(error) from error
        except UnicodeDecodeError as error:  # SQLite quotes what it found in a damaged file
            raise ArchiveCorrupt(
                f"{self.path or 'the archive'} is damaged: {error}", hint="restore it from a backup"
            ) from error
        except UnicodeEncodeError as error:
            raise ArchiveError(f"a name with lone surrogates cannot be stored: {error.object!r:.80}") from error
        except OSError as error:
            raise ArchiveReadOnly(
                f"cannot open {self.path}: {error.strerror or error}", hint="name a writable file with --db"
            ) from error

    def _named(self, error: sqlite3.Error) -> ArchiveError:
        text, name = str(error), self.path or "the archive in memory"
        if "locked" in text or "busy" in text:
            return ArchiveBusy(f"{name} is locked by another process: {text}", hint="try again in a moment")
        if "readonly" in text or "read-only" in text or "unable to open" in text:
            return ArchiveReadOnly(f"{name} cannot be written: {text}", hint="name a writable file with --db")
        code = getattr(error, "sqlite_errorname", "")
        if "full" in text or code in _NO_ROOM:
            return ArchiveFull(f"no room left for {name}: {text}", hint="free some space; nothing was lost")
        if isinstance(error, sqlite3.DatabaseError) and ("malformed" in text or "not a database" in text):
            return ArchiveCorrupt(f"{name} is damaged or not an archive: {text}", hint="restore it from a backup")
        return ArchiveError(f"{name}: {text}")

    def close(self) -> None:
        """Closes the connection."""
        with self.lock:
            self.db.close()


def _make_private(path: Path) -> None:
    """Creates the file with mode 0600 before SQLite would with another; its side files inherit the mode."""
    make_private(path.parent)
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
