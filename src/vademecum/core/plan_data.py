"""A plan as JSON data: to be shown, compared with another, and kept as a golden file."""

from __future__ import annotations

from typing import Any

from vademecum.core.plan import Plan


def plan_data(plan: Plan) -> dict[str, Any]:
    """The plan without the messages that it leaves alone; indexes count the live messages from 0."""
    return {
        "outcome": plan.outcome,
        "first_position": plan.first,
        "fold": plan.fold,
        "cut": plan.cut,
        "live_messages": plan.count,
        "tokens_before": plan.tokens_before,
        "tokens_after": plan.tokens_after,
        "tiers": [
            {"name": rung.name, "outcome": rung.outcome, "tokens_after": rung.tokens_after} for rung in plan.rungs
        ],
        "edits": [
            {"message": index, "part": part, "kind": edit.kind, "text": edit.text}
            for (index, part), edit in sorted(plan.edits.items())
            if index >= plan.fold
        ],
        "carry": None if plan.carry is None else plan.carry.text,
        "requests": [] if plan.carry is None else list(plan.carry.requests),
        "sections": {} if plan.carry is None else dict(plan.carry.sections),
        "removed": list(plan.removed),
        "problems": list(plan.problems),
    }
