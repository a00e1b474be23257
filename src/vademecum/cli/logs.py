"""Opening session logs that are named on the command line, of whichever sort they are."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from vademecum.errors import ConfigError
from vademecum.sessions import Log, Reading, Source, readings

#: Session ids that are shown of a log that has several.
_SHOWN = 3


@contextmanager
def opened(name: str) -> Generator[Source]:
    """The log in a file, in a folder, or on standard input for `-`."""
    with Source.of(sys.stdin.buffer.read()) if name == "-" else Source.open(Path(name)) as source:
        yield source


def read_log(name: str, format: str | None = None, session: str | None = None) -> Log:
    """A log that is to have one session.

    Args:
        name: The file.
        format: The wire format of a plain chat log; recognised by default.
        session: Which one is meant, where there are several; sub-agents of the first do not count.

    Raises:
        ConfigError: It has several sessions, and none of them is of that id.
    """
    with opened(name) as source:
        found = list(readings(source, format=format))
        return _chosen(name, found, session).log()


def _chosen(name: str, found: list[Reading], session: str | None) -> Reading:
    main = [one for one in found if not one.session.startswith(f"{found[0].session or 'session'}/agent-")]
    if len(main) == 1:
        return next((one for one in found if session and one.session == session), main[0])
    named = [one for one in main if one.session == session]
    if not named:
        ids = ", ".join(one.session for one in main[:_SHOWN])
        raise ConfigError(
            f"{name} has {len(main)} sessions: {ids}, …", hint="say which with --session ID, or `vademecum import` it"
        )
    return named[0]
