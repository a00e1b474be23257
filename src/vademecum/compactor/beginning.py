"""The session that a compactor works on: the one it was given, or one of its own at the first request."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.archive import Archive, Session
from vademecum.compactor.once import session_name
from vademecum.compactor.removed import there
from vademecum.core.messages import Wire
from vademecum.errors import ConfigError
from vademecum.wire import dialect
from vademecum.wire.detect import detect


def session_of(held: Session | None, messages: Sequence[Wire], system: object, format: str | None) -> Session:
    """The session for a request; a new one in memory where there is none yet.

    Args:
        held: The session so far.
        messages: The transcript.
        system: The system text where it stands outside the messages.
        format: The wire format that the caller names.

    Raises:
        ConfigError: The session has another format.
    """
    if held is None:
        name = format or detect(messages)
        loaded = [dialect(name).load(wire, index) for index, wire in enumerate(messages[:64])]
        held = Archive.memory().session(session_name(loaded, system), format=name)
    session = there(held)
    if format is not None and format != session.dialect.name:
        raise ConfigError(f"session {session.id!r} has the format {session.dialect.name}, not {format}")
    return session
