"""What the page shows at once: the scorecard, its Pareto front and the cycles, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from vademecum.bench.report.cycles import cycles_in
from vademecum.bench.scorecard import MODES, scorecard

REPORT = "vademecum.bench.report/1"


def summary(run: Path, cycles: Path | None = None) -> dict[str, Any]:
    """The data of a report, without its single probes.

    Args:
        run: A run's folder.
        cycles: A simulation's folder.

    Returns:
        JSON data with the schema `vademecum.bench.report/1`.
    """
    card = scorecard(run)
    return {
        "schema": REPORT,
        "card": card,
        "front": {mode: front_of(card, mode) for mode in MODES},
        "cycles": [] if cycles is None else cycles_in(cycles),
    }


def front_of(card: Mapping[str, Any], mode: str) -> list[str]:
    """The scorecard's own Pareto front, else the arms that no other beats at their size or below it."""
    told: Mapping[str, list[str]] = card.get("front") or {}
    return list(told[mode]) if mode in told else _front(card["arms"], mode)


def _front(arms: Sequence[Mapping[str, Any]], mode: str) -> list[str]:
    best, kept = 0.0, list[str]()
    shown = [(arm["tokens"], -arm[mode]["overall"]["value"], arm["arm"]) for arm in arms if mode in arm]
    for _, below, name in sorted(shown):
        if -below > best:
            best = -below
            kept.append(name)
    return kept
