"""What became of answers that were read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Taken:
    """What became of some answers.

    Attributes:
        taken: How many answered a call.
        known: How many answered a call that had an answer.
        unknown: How many answer nothing that this run asks.
        faults: Why → how many brought no text; these calls are asked again.
    """

    taken: int = 0
    known: int = 0
    unknown: int = 0
    faults: Counter[str] = field(default_factory=Counter[str])

    def add(self, other: Taken) -> None:
        """Adds what became of others."""
        self.taken += other.taken
        self.known += other.known
        self.unknown += other.unknown
        self.faults += other.faults
