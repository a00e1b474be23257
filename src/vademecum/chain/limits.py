"""What is known of the members' limits: what was given, what servers said, what errors taught (M-2, M-6)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from vademecum.archive import Session
from vademecum.archive.sqlite.windows import StoredWindow
from vademecum.chain.member import Member
from vademecum.core.budget import Window
from vademecum.core.windows import Sources, Told, endpoint_of
from vademecum.errors import ArchiveError
from vademecum.models.endpoint import own_url

_SOURCE = "an error of the endpoint"


class Limits:
    """The members' limits, by endpoint and model: another chain, the proxy and a later process know them too.

    Args:
        session: The session of whose archive they are.
        now: Seconds since the epoch.
    """

    def __init__(self, session: Session, now: Callable[[], float]) -> None:
        self._windows = session.archive.windows
        self._now = now
        self._held: dict[tuple[str, str], StoredWindow] = {}

    def window(self, member: Member) -> Window:
        """A member's window: what its errors taught caps what was given."""
        return self._sources(member).window

    def most_output(self, member: Member) -> int | None:
        """The most that a member writes for one request; None where nobody says."""
        return self._sources(member).max_output

    def learned_output(self, member: Member) -> int | None:
        """The most that it writes, where its errors said so."""
        learned = self._of(member).learned
        return None if learned is None else learned.max_output

    def learn_window(self, member: Member, tokens: int) -> None:
        """Keeps the window that an error named."""
        self._keep(member, self._sources(member).learning(tokens, source=_SOURCE, at=self._now()))

    def learn_output(self, member: Member, tokens: int) -> None:
        """Keeps the output limit that an error named."""
        known = self._of(member).learned or Told(None, "learned", _SOURCE)
        self._keep(member, replace(known, max_output=tokens, source=_SOURCE, at=self._now()))

    def _sources(self, member: Member) -> Sources:
        held, limit = self._of(member), member.limit
        if limit.origin == "user":
            return Sources(limit.tokens, held.probed, held.learned, Told(None, "announced", max_output=member.cap))
        announced = Told(limit.tokens, "announced", limit.origin, max_output=member.cap)
        return Sources(None, held.probed, held.learned, announced)

    def _of(self, member: Member) -> StoredWindow:
        key = _key(member)
        if key not in self._held:
            self._held[key] = StoredWindow(*key)
            with suppress(ArchiveError):
                self._held[key] = self._windows.of(*key)
        return self._held[key]

    def _keep(self, member: Member, told: Told) -> None:
        key = _key(member)
        self._held[key] = replace(self._of(member), learned=told)
        with suppress(ArchiveError):  # it counts for this request all the same
            self._held[key] = self._windows.remember(*key, told)


def _key(member: Member) -> tuple[str, str]:
    return endpoint_of(member.client.url or own_url(member.client.format)), member.model
