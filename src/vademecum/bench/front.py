"""The Pareto front of recall against tokens kept: more tokens must buy recall, and the interval must say so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from vademecum.bench.arms.table import CHEATS
from vademecum.bench.statistics import Interval

Asked = TypeVar("Asked")
#: (questions, points of each) → the headline with its interval.
Drawn = Callable[[Sequence[Asked], Callable[[Asked], float]], Interval]


def front(
    arms: Sequence[Mapping[str, Any]],
    mode: str,
    points: Mapping[str, Mapping[Asked, float]],
    drawn: Drawn[Asked],
) -> list[str]:
    """The arms that no other one beats, from few tokens to many.

    An arm is on it when it recalls more, beyond the interval of the paired difference, than every arm on it that
    keeps fewer tokens. Arms that cheat or do not fit the window are left out.

    Args:
        arms: The scorecard's arms.
        mode: `closed` or `search`.
        points: Arm → question → what it got for it.
        drawn: Makes an interval.
    """
    kept: list[str] = []
    cheats = {row.name for row in CHEATS}
    shown = [arm for arm in arms if mode in arm and arm.get("fits", True) and arm["arm"] not in cheats]
    for arm in sorted(shown, key=lambda arm: (arm["tokens"], -arm[mode]["overall"]["value"], arm["arm"])):
        mine = points[arm["arm"]]
        if all(_better(mine, points[other], drawn) for other in kept):
            kept.append(arm["arm"])
    return kept


def _better(mine: Mapping[Asked, float], theirs: Mapping[Asked, float], drawn: Drawn[Asked]) -> bool:
    both = [one for one in mine if one in theirs]
    return bool(both) and drawn(both, lambda one: mine[one] - theirs[one]).low > 0
