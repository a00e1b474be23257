"""Phases: when compactions come ever sooner, or leave ever more behind, the session has had its time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

#: Cycles that are looked at; fewer say nothing.
CYCLES = 4
#: The share of the earlier rows below which the newest stretch is short.
_FEWER = 0.6
#: How much the floor must have risen over the cycles looked at.
_HIGHER = 1.25
#: Floors that differ by less than this share are the same.
_EVEN = 0.02


class PastCycle(Protocol):
    """A compaction that stands."""

    @property
    def covered(self) -> int:
        """Messages of the session when it was made."""
        ...

    @property
    def tokens(self) -> int:
        """Tokens of the context right after it: the floor."""
        ...


def phase_advice(cycles: Sequence[PastCycle], session: str) -> str:
    """What to tell where it is time for a new phase; empty where it is not.

    Args:
        cycles: The newest compactions, oldest first.
        session: The session's id.
    """
    last = cycles[-CYCLES:]
    if len(last) < CYCLES:
        return ""
    rows = [after.covered - before.covered for before, after in pairwise(last)]
    floors = [cycle.tokens for cycle in last]
    remedy = f"it is time for a new phase: vademecum sessions continue {session}"
    if all(later < earlier for earlier, later in pairwise(rows)) and rows[-1] <= _FEWER * rows[0]:
        return f"compactions come sooner and sooner ({', '.join(f'{n:,}' for n in rows)} messages apart); {remedy}"
    rises = all(after >= before * (1 - _EVEN) for before, after in pairwise(floors))
    if rises and floors[-1] >= _HIGHER * floors[0]:
        return f"each compaction leaves more behind ({' → '.join(f'{n:,}' for n in floors)} tokens); {remedy}"
    return ""
