"""Usage that providers reported, call by call, and what the compactions of a session have saved."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from vademecum.archive.sqlite import compactions
from vademecum.archive.sqlite.lineage import clipped
from vademecum.archive.sqlite.rows import MOST_POSITIONS, Range
from vademecum.archive.values import ModelUsage, Savings
from vademecum.wire.usage import Usage


def record(
    db: sqlite3.Connection, owner: str, session: str, usage: Usage, *, cycle: int, kind: str, at: float
) -> None:
    """Notes what was reported for one call."""
    db.execute(
        "INSERT INTO usage SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM usage "
        "WHERE owner = ? AND session = ?",
        (
            owner,
            session,
            at,
            kind,
            usage.model,
            cycle,
            usage.prompt_tokens,
            usage.cached_tokens,
            usage.written_tokens,
            usage.output_tokens,
            usage.reasoning_tokens,
            owner,
            session,
        ),
    )


def totals(db: sqlite3.Connection, owner: str, session: str) -> tuple[ModelUsage, ...]:
    """What was reported for a session's calls, by model and kind; replies first, then by calls."""
    rows = db.execute(
        "SELECT model, count(*), sum(prompt), sum(cached), sum(written), sum(output), sum(reasoning), kind "
        "FROM usage WHERE owner = ? AND session = ? GROUP BY model, kind ORDER BY kind, count(*) DESC, model",
        (owner, session),
    )
    return tuple(ModelUsage(*row) for row in rows)


def savings(db: sqlite3.Connection, ranges: Sequence[Range], view: str = "main") -> Savings:
    """What the compactions that a view stands on have saved so far; see `Savings` for the formula."""
    row = compactions.head_row(db, ranges, view)
    steps: list[tuple[int, int]] = []
    while row:
        covered, parent, receipt = db.execute(
            "SELECT covered, parent, receipt FROM compactions WHERE id = ?", (row,)
        ).fetchone()
        told = json.loads(receipt)
        steps.append((covered, told.get("tokens_before", 0) - told.get("tokens_after", 0)))
        row = parent
    if not steps:
        return Savings(0, 0)
    steps.reverse()
    calls = saved = less = 0
    before = ""
    upcoming = 0
    for position, role in _roles(db, ranges, steps[0][0]):
        while upcoming < len(steps) and position >= steps[upcoming][0]:
            less += steps[upcoming][1]
            upcoming += 1
        if role == "assistant" and before != "assistant":
            calls += 1
            saved += less
        before = role
    return Savings(calls, saved)


def _roles(db: sqlite3.Connection, ranges: Sequence[Range], start: int) -> Sequence[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    for part in clipped(ranges, start, MOST_POSITIONS):
        sql = "SELECT role FROM messages WHERE id BETWEEN ? AND ? ORDER BY id"
        found += [(part.start + at, role) for at, (role,) in enumerate(db.execute(sql, part.messages))]
    return found
