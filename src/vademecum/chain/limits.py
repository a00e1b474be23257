"""What is known of the members' limits: what was given, what servers said, what errors taught (M-2, M-3, M-6)."""

from __future__ import annotations

from collections.abc import Callable

from vademecum.archive import Session
from vademecum.chain.member import Member
from vademecum.compactor.running import Found, RunningModel
from vademecum.core.budget import Window
from vademecum.models.endpoint import own_url


class Limits:
    """The members' limits, by endpoint and model: another chain, the proxy and a later process know them too.

    Args:
        session: The session of whose archive they are.
        now: Seconds since the epoch.
    """

    def __init__(self, session: Session, now: Callable[[], float]) -> None:
        self._archive = session.archive
        self._now = now
        self._running: dict[str, RunningModel] = {}

    def window(self, member: Member) -> Window:
        """A member's window: what its errors taught caps what was given."""
        return self._found(member).window

    def most_output(self, member: Member) -> int | None:
        """The most that a member writes for one request; None where nobody says."""
        return self._found(member).most_output

    def learned_output(self, member: Member) -> int | None:
        """The most that it writes, where its errors said so."""
        return self._found(member).output_cap

    def learn_window(self, member: Member, tokens: int) -> None:
        """Keeps the window that an error named."""
        self._of(member).learn_limits(tokens)

    def learn_output(self, member: Member, tokens: int) -> None:
        """Keeps the output limit that an error named."""
        self._of(member).learn_limits(None, tokens)

    def _found(self, member: Member) -> Found:
        return self._of(member).found(self._archive)

    def _of(self, member: Member) -> RunningModel:
        running = self._running.get(member.called)
        if running is None:
            url = member.client.url
            running = RunningModel(
                member.window,
                member.model,
                endpoint=url or own_url(member.client.format),
                asks=bool(url),
                now=self._now,
            )
            running.first(self._archive)
            self._running[member.called] = running
        return running
