"""A session that somebody removed while it goes on."""

from __future__ import annotations

from vademecum.archive import Session
from vademecum.errors import ArchiveError


def there(session: Session) -> Session:
    """The session; begun anew under its id where it was removed meanwhile: the caller has all of it, and goes on."""
    try:
        if session.archive.has(session.id):
            return session
        return session.archive.session(session.id, format=session.dialect.name)
    except ArchiveError:  # what is wrong is told by whatever needs the session next
        return session
