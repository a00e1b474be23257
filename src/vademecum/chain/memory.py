"""What a chain remembers with its session: who failed and cools down, who answered what, what was decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from vademecum.archive import Session
from vademecum.chain.reply import Decision
from vademecum.core.messages import Wire

_KEY = "chain"
#: Decisions that are kept with the session.
_MOST = 200
#: A member that fails time and again is not left alone longer than so many times the cool-down.
_LONGEST = 16


@dataclass(slots=True)
class Memory:
    """A chain's memory.

    Attributes:
        active: The member that answered last; empty before the first.
        failures: By member, how often in a row it failed.
        until: By member, until when it is left alone, in seconds since the epoch.
        answered: From which position of the transcript on which member answered, in order.
        decisions: The newest decisions.
    """

    active: str = ""
    failures: dict[str, int] = field(default_factory=dict[str, int])
    until: dict[str, float] = field(default_factory=dict[str, float])
    answered: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    decisions: list[Decision] = field(default_factory=list[Decision])

    @classmethod
    def of(cls, session: Session) -> Memory:
        """What is remembered with a session."""
        held: dict[str, Any] | None = session.recall_state(_KEY)
        if held is None:
            return cls()
        answered = [(int(position), str(name)) for position, name in held["answered"]]
        decisions = [Decision(**row) for row in held["decisions"]]
        return cls(held["active"], held["failures"], held["until"], answered, decisions)

    def keep(self, session: Session) -> None:
        """Keeps it with the session."""
        self.decisions = self.decisions[-_MOST:]
        session.remember_state(_KEY, asdict(self))

    def failed(self, name: str, now: float, cooldown: float, asked: float) -> float:
        """Takes down that a member failed.

        Args:
            name: The member.
            now: Seconds since the epoch.
            cooldown: Seconds that it is left alone for the first time; each time in a row twice as long.
            asked: Seconds that it asked for itself.

        Returns:
            The seconds that it is left alone.
        """
        times = self.failures.get(name, 0)
        self.failures[name] = times + 1
        wait = max(asked, cooldown * min(2**times, _LONGEST))
        self.until[name] = now + wait
        return wait

    def served(self, name: str, position: int) -> None:
        """Takes down that a member answered a transcript of so many messages."""
        self.failures.pop(name, None)
        self.until.pop(name, None)
        self.active = name
        self.answered = [(at, by) for at, by in self.answered if at < position]
        if not self.answered or self.answered[-1][1] != name:
            self.answered.append((position, name))

    def own(self, name: str, messages: Sequence[Wire]) -> list[Wire] | None:
        """The messages that a member may have written; None where nobody else wrote any."""
        if all(by == name for _, by in self.answered):
            return None
        ends = [at for at, _ in self.answered[1:]] + [len(messages)]
        first = self.answered[0][0]
        own = list(messages[:first])
        for (start, by), end in zip(self.answered, ends, strict=True):
            if by == name:
                own += messages[start:end]
        return own
