"""What a scorecard says about a run's summary model."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from vademecum.bench.calls.store import Answers
from vademecum.bench.summaries.plan import PREFIX, Plan


def summaries_in(folder: Path) -> dict[str, Any] | None:
    """The plan of a run's summaries, how many calls are answered, by whom, and what went wrong; None without any.

    Args:
        folder: The run.
    """
    plan = Plan.of(folder)
    if plan is None:
        return None
    answers = Answers(folder, PREFIX)
    return {
        **asdict(plan),
        "calls": len(answers),
        "answered_by": answers.models().get("summarizer", []),
        "faults": answers.faults(),
    }
