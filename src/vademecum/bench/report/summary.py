"""What the page shows at once: the scorecard, and the cycles, as data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vademecum.bench.arms.table import CHEATS
from vademecum.bench.price import Price
from vademecum.bench.report.cycles import cycles_in
from vademecum.bench.scorecard import scorecard

REPORT = "vademecum.bench.report/1"


def summary(run: Path, cycles: Path | None = None, price: Price | None = None) -> dict[str, Any]:
    """The data of a report, without its single probes.

    Args:
        run: A run's folder.
        cycles: A simulation's folder.
        price: What tokens cost; by default as the catalog has it for a common model.

    Returns:
        JSON data with the schema `vademecum.bench.report/1`.
    """
    return {
        "schema": REPORT,
        "card": scorecard(run, price=price),
        "cheats": [row.name for row in CHEATS],
        "cycles": [] if cycles is None else cycles_in(cycles),
    }
