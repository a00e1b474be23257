"""What arms made of a run's lineages, as its folder holds it; replicates of a summary model's arm are one result."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vademecum.bench.interview.desk import fact_answers
from vademecum.bench.run import REPLICATES

MODES = ("closed", "search")


def results_in(folder: Path, names: Sequence[str], *, merge: bool = True) -> dict[str, list[dict[str, Any]]]:
    """Arm → its results, one for each lineage that is done.

    Args:
        folder: The run.
        names: Its lineages.
        merge: Whether the points of a question are the mean of an arm's replicates; else they are the first one's.
    """
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for name in names:
        facts = fact_answers(folder / name)
        for path in sorted((folder / name).glob("*.json")):
            if not path.name.endswith(".timing.json"):
                row = _row(path)
                others = [_row(other) for other in _replicates(path)] if merge else []
                row = _merged([row, *others]) if others else row
                row["answers"] += facts.get(row["arm"], [])
                found[row["arm"]].append(row)
    return dict(sorted(found.items()))


def _row(path: Path) -> dict[str, Any]:
    row = json.loads(path.read_text("utf-8"))
    timing = path.with_suffix(".timing.json")
    row["seconds"] = json.loads(timing.read_text("utf-8"))["seconds"] if timing.exists() else None
    return row


def _replicates(path: Path) -> list[Path]:
    """The further results of an arm, in their order."""
    found: list[Path] = []
    while (other := path.parent / REPLICATES / f"{path.stem}.{len(found) + 2}.json").exists():
        found.append(other)
    return found


def _merged(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Replicates as one result: the means of points, tokens and seconds; all else is the first one's."""
    first = rows[0]
    seconds = [row["seconds"] for row in rows if row["seconds"] is not None]
    return {
        **first,
        "tokens": round(sum(row["tokens"] for row in rows) / len(rows)),
        "seconds": sum(seconds) / len(seconds) if seconds else None,
        "answers": [_mean(answers) for answers in zip(*(row["answers"] for row in rows), strict=True)],
        "replicates": [row["answers"] for row in rows],
    }


def _mean(answers: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One probe's answers as one."""
    merged = dict(answers[0])
    for mode in MODES:
        if mode in merged:
            points = sum(answer[mode]["points"] for answer in answers) / len(answers)
            merged[mode] = {**merged[mode], "points": points}
    return merged
