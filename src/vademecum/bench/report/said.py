"""What models answered to single questions, for the page's drill-down."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from vademecum.bench.interview.interview import Interview

#: Stands for the points of an answer whose judgement could not be read.
UNREAD = -1


def said_in(
    run: Path, spots: Mapping[tuple[str, str], list[int]], number: Callable[[str], int]
) -> dict[str, dict[str, dict[int, list[Any]]]]:
    """Arm → mode → number of a probe → each replicate's `[points, judge, answer, query]`; empty without models.

    Args:
        run: A run's folder.
        spots: (lineage, probe id) → where the probe stands in the page.
        number: The number of a text in the page.
    """
    if not (run / "interview.json").exists():
        return {}
    found: dict[str, dict[str, dict[int, list[Any]]]] = defaultdict(lambda: defaultdict(dict))
    with Interview(run) as interview:
        for cell, grade in interview.grades():
            spot = spots.get((cell.lineage, cell.probe.id))
            if grade is None or not spot:
                continue
            points = UNREAD if grade.points is None else grade.points
            row = [points, grade.judge, number(grade.answer), number(grade.query)]
            found[cell.arm][cell.mode].setdefault(spot[0], []).append(row)
    return {arm: dict(modes) for arm, modes in sorted(found.items())}
