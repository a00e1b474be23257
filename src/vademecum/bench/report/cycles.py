"""What a simulation's folder holds: for each arm its compactions, and how it ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from vademecum.errors import ConfigError

_CYCLE, _END = "vademecum.bench.cycle/", "vademecum.bench.end_state/"


def cycles_in(folder: Path) -> list[dict[str, Any]]:
    """The arms of a simulation, each with its cycles and its end.

    Args:
        folder: Where `vademecum simulate -o` wrote `ARM.jsonl` for each arm.

    Raises:
        ConfigError: There is no simulation.
    """
    found = [_arm(path) for path in sorted(folder.glob("*.jsonl"))]
    arms = [arm for arm in found if arm is not None]
    if not arms:
        raise ConfigError(
            f"{folder} holds no simulation", hint="vademecum simulate FILE -o FOLDER makes one; name its folder"
        )
    return arms


def _arm(path: Path) -> dict[str, Any] | None:
    cycles: list[dict[str, Any]] = []
    end: dict[str, Any] | None = None
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        schema = str(row.get("schema", ""))
        if schema.startswith(_CYCLE):
            cycles.append(row)
        elif schema.startswith(_END):
            end = row
    return {"arm": end["arm"], "cycles": cycles, "end": end} if end is not None else None
