"""Candidates: the passages of a scope that have a query's terms, scored by how rare those are in it.

The index's own ranking reads every posting of a common word; instead each term's rows are read within
the scope's ranges, newest first and capped, and a term's weight follows from how few of the scope's
passages have it. What a cap cuts off is looked up again where it matters: beside the rarer terms, and
where terms meet (`meetings`).
"""

from __future__ import annotations

import math
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence

from vademecum.archive.sqlite.meetings import Meeting, meetings
from vademecum.archive.sqlite.postings import Held, Postings, Scope
from vademecum.archive.sqlite.query import Term
from vademecum.archive.sqlite.window import Weighed, weighed

#: Rows that are read for a query: the newest, shared by its terms, but a fifth of them for each at least.
MOST_ROWS = 5_000
#: Factor on the weight of terms that stand close together.
_NEAR = 1.0


class Admission:
    """Whether messages pass a scope's filters, each looked at once and without reading its text."""

    def __init__(self, db: sqlite3.Connection, scope: Scope) -> None:
        self._db = db
        self._scope = scope
        self._open = scope.role is None and scope.tool is None and scope.since is None
        self._known: dict[int, bool] = {}

    def __call__(self, row: int) -> bool:
        """Whether the message of a row passes."""
        if self._open:
            return True
        held = self._known.get(row)
        if held is None:
            held = self._known[row] = self._admits(row)
        return held

    def _admits(self, row: int) -> bool:
        found = self._db.execute("SELECT role, tool, ts FROM messages WHERE id = ?", (row,)).fetchone()
        if found is None:
            return False
        role, tools, ts = found
        scope = self._scope
        if scope.role is not None and role != scope.role:
            return False
        if scope.tool is not None and scope.tool.lower() not in tools.lower().split("\n"):
            return False
        return scope.since is None or (ts is not None and ts >= scope.since)


def scored(
    db: sqlite3.Connection, wanted: Sequence[Term], scope: Scope, enough: int
) -> tuple[list[Weighed], Iterator[tuple[int, float]]]:
    """The terms that the scope has, with their weights, and its passages by the terms in them, best first.

    Args:
        db: A connection.
        wanted: What is looked up.
        scope: Where to search.
        enough: Passages that will be looked at; among fewer the order does not matter.

    Returns:
        The terms that there are, and (row, weight of its terms) of passages in the order in which to look at them.
    """
    postings = Postings(db, scope)
    cap = MOST_ROWS // min(5, len(wanted))
    found = [held for held in (postings.held(term, cap) for term in wanted) if held.rows]
    weights = [_weight(held, postings.total) for held in found]
    masks: dict[int, int] = defaultdict(int)
    for number, held in enumerate(found):
        for row in held.rows:
            masks[row] |= 1 << number
    met = list(meetings(postings, found, weights)) if len(masks) > enough else []
    for meeting in met:
        for row in meeting.rows:
            masks[row] |= meeting.mask
    return [weighed(held.term, weight) for held, weight in zip(found, weights, strict=True)], _best_first(
        masks, weights, met
    )


def _weight(held: Held, total: int) -> float:
    rarity = math.log(1 + max(0.0, total - held.frequency + 0.5) / (held.frequency + 0.5))
    return held.term.weight * max(rarity, 0.05)


def _best_first(
    masks: dict[int, int], weights: Sequence[float], met: Sequence[Meeting]
) -> Iterator[tuple[int, float]]:
    """The rows by the weights of their terms and how close these stand, newest first among equals."""
    worth = {mask: _sum(mask, weights) for mask in {*masks.values(), *(meeting.mask for meeting in met)}}
    near: dict[int, float] = {}
    for meeting in met:
        if meeting.near:
            gain = _NEAR * worth[meeting.mask]
            for row in meeting.rows:
                near[row] = max(gain, near.get(row, 0.0))
    by_score: dict[float, list[int]] = defaultdict(list)
    for row, mask in masks.items():
        by_score[worth[mask] + near.get(row, 0.0)].append(row)
    for score in sorted(by_score, reverse=True):
        for row in sorted(by_score[score], reverse=True):
            yield row, worth[masks[row]]


def _sum(mask: int, weights: Sequence[float]) -> float:
    return sum(weight for number, weight in enumerate(weights) if mask >> number & 1)
