"""What models make of a run: recall of each arm with intervals, beside how its questions came about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from vademecum.bench.interview.asking import MODES, Cell, Grade
from vademecum.bench.interview.desk import about_facts
from vademecum.bench.interview.interview import Interview
from vademecum.bench.judging import RIGHT, by_rule, judged_by_rule
from vademecum.bench.statistics import Interval, clustered, needed, wilson

Graded = tuple[Cell, Grade]
#: The margin that the number of needed questions is stated for.
MARGIN = 0.05
_VIEWS: dict[str, Callable[[Cell], str]] = {
    "lineages": lambda cell: cell.lineage,
    "shapes": lambda cell: cell.probe.shape,
    "where": lambda cell: cell.probe.where,
    "about": lambda cell: cell.probe.about,
    "third": lambda cell: cell.probe.third,
}


def figures(folder: Path, seed: int) -> tuple[dict[str, Any], dict[str, dict[str, dict[str, Any]]]] | None:
    """What a scorecard says about models.

    Args:
        folder: The run.
        seed: Of the bootstrap.

    Returns:
        What holds for the whole run; arm → mode → its figures. None where no model is asked anything.
    """
    if not (folder / "interview.json").exists():
        return None
    with Interview(folder) as interview:
        cells: dict[tuple[str, str], list[tuple[Cell, Grade | None]]] = defaultdict(list)
        for cell, grade in interview.grades():
            cells[cell.arm, cell.mode].append((cell, grade))
        plan = interview.plan
        whole = {
            "facts": plan.facts,
            "replicates": plan.replicates,
            "models": interview.answers.models(),
            "faults": interview.answers.faults(),
            "questions": {name: _about(folder / name) for name in interview.desks},
        }
    arms: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
    for arm in plan.arms:
        for mode in MODES:
            if (arm, mode) in cells:
                arms[arm][mode] = _mode(cells[arm, mode], seed)
    return whole, dict(arms)


def _about(folder: Path) -> dict[str, Any] | None:
    told = about_facts(folder)
    return told and {key: value for key, value in told.items() if key not in ("schema", "lineage")}


def _mode(cells: Sequence[tuple[Cell, Grade | None]], seed: int) -> dict[str, Any]:
    came = [(cell, grade) for cell, grade in cells if grade is not None]
    judged = [(cell, grade) for cell, grade in came if grade.points is not None]
    asked = [(cell, grade) for cell, grade in judged if cell.probe.kind == "fact"]
    silent = [(cell, grade) for cell, grade in judged if cell.probe.kind == "abstention"]
    recall = overall(asked, seed)
    return {
        "overall": recall.as_dict(),
        "asked": len(asked),
        "pending": len(cells) - len(came),
        "parse_failures": len(came) - len(judged),
        "partly": sum(grade.points == 1 for _, grade in asked),
        "by_rule": sum(grade.judge == "rule" for _, grade in asked),
        "replicates": _replicates(asked),
        "abstention": _share(silent),
        "permuted": _permuted(asked),
        "needed": needed(recall.value, MARGIN),
        **{view: _view(asked, of) for view, of in _VIEWS.items()},
    }


def overall(asked: Sequence[Graded], seed: int) -> Interval:
    """Recall over all questions, each alike, with an interval over the messages that they are about."""
    return mean_over_messages([((cell.lineage, cell.probe.message), _points(grade)) for cell, grade in asked], seed)


def mean_over_messages(points: Sequence[tuple[tuple[str, int], float]], seed: int) -> Interval:
    """A plain mean with an interval for which whole messages are drawn.

    Args:
        points: (lineage, message) that a question is about, and what it got.
        seed: Of the bootstrap.
    """
    if not points:
        return Interval(0.0, 0.0, 1.0)
    numbers: dict[tuple[str, int], int] = {}
    for place, _ in points:
        numbers.setdefault(place, len(numbers))
    sums, counts = np.zeros((len(numbers), 1)), np.zeros((len(numbers), 1))
    for place, got in points:
        sums[numbers[place]] += got
        counts[numbers[place]] += 1
    return clustered(sums, counts, np.ones(1), seed)


def _view(asked: Sequence[Graded], of: Callable[[Cell], str]) -> dict[str, Any]:
    groups: dict[str, list[Graded]] = defaultdict(list)
    for cell, grade in asked:
        groups[of(cell)].append((cell, grade))
    return {name: _share(groups[name]) for name in sorted(groups)}


def _share(asked: Sequence[Graded]) -> dict[str, Any]:
    """Recall with Wilson's interval; replicates of a question are one question."""
    per: dict[tuple[str, str], list[float]] = defaultdict(list)
    for cell, grade in asked:
        per[cell.lineage, cell.probe.id].append(_points(grade))
    hits = sum(sum(points) / len(points) for points in per.values())
    return {"asked": len(per), **wilson(hits, len(per)).as_dict()}


def _replicates(asked: Sequence[Graded]) -> list[float]:
    """The recall of each replicate, in their order: how far chance alone moves it."""
    per: dict[int, list[float]] = defaultdict(list)
    for cell, grade in asked:
        per[cell.replicate].append(_points(grade))
    return [round(sum(points) / len(points), 4) for _, points in sorted(per.items())]


def _permuted(asked: Sequence[Graded]) -> dict[str, Any]:
    """A control: the same answers held against the gold of the next question of the same shape."""
    groups: dict[tuple[str, str], list[Graded]] = defaultdict(list)
    for cell, grade in asked:
        if cell.replicate == 0 and judged_by_rule(cell.probe):
            groups[cell.lineage, cell.probe.shape].append((cell, grade))
    right = total = 0
    for ones in groups.values():
        for (_, grade), (other, _) in zip(ones, ones[1:] + ones[:1], strict=True):
            if len(ones) > 1:
                total += 1
                right += by_rule(other.probe, grade.answer) == RIGHT
    return {"asked": total, **wilson(right, total).as_dict()}


def _points(grade: Grade) -> float:
    return (grade.points or 0) / 2
