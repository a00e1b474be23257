"""What a simulation's folder holds, or a file of results: for each arm its compactions, and how it ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from vademecum.errors import ConfigError

_CYCLE, _END = "vademecum.bench.cycle/", "vademecum.bench.end_state/"
#: A file that `bench/cycles.py` wrote: one setting, its lineages and arms, the figures of each compaction in a row.
CYCLES_OF_SETTING = "vademecum.bench.cycles_of_setting/1"
_TOOLS = ("call", "result")
_MODES = ("asked", "closed", "search", "found", "full")


def cycles_in(path: Path) -> list[dict[str, Any]]:
    """The arms of a simulation, each with its cycles and its end.

    Args:
        path: The folder where `vademecum simulate -o` wrote `ARM.jsonl` for each arm; or a file of results, of
            which the first lineage is taken.

    Raises:
        ConfigError: There is no simulation.
    """
    if path.is_file():
        arms = _of_results(path)
    else:
        found = [_arm(file) for file in sorted(path.glob("*.jsonl"))]
        arms = [arm for arm in found if arm is not None]
    if not arms:
        raise ConfigError(
            f"{path} holds no simulation", hint="vademecum simulate FILE -o FOLDER makes one; name its folder"
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


def _of_results(path: Path) -> list[dict[str, Any]]:
    try:
        data: Any = json.loads(path.read_text("utf-8"))
    except ValueError:
        return []
    if not isinstance(data, dict):
        return []
    results = cast("dict[str, Any]", data)
    if results.get("schema") != CYCLES_OF_SETTING or not results["lineages"]:
        return []
    columns: list[str] = results["columns"]
    categories: list[str] = results["categories"]
    arms: dict[str, dict[str, Any]] = next(iter(results["lineages"].values()))["arms"]
    return [
        {
            "arm": arm,
            "end": {"arm": arm, **held["end"]},
            "cycles": [_cycle(arm, columns, row, categories) for row in held["cycles"]],
        }
        for arm, held in arms.items()
    ]


def _cycle(arm: str, columns: list[str], row: list[Any], categories: list[str]) -> dict[str, Any]:
    """A row of figures as `vademecum simulate` gives it; what was not asked is left out at its end."""
    figures: dict[str, Any] = {"arm": arm, **dict.fromkeys(columns), **dict(zip(columns, row, strict=False))}
    floor = dict(zip(categories, figures["floor"], strict=True))
    floor["text_floor"] = sum(size for name, size in floor.items() if name not in _TOOLS)
    asked = figures["asked"] is not None
    recall = {mode: figures[mode] for mode in _MODES}
    recall["again"] = {mode: figures[f"again_{mode}"] for mode in _MODES}
    stale = {"asked": figures["settings"], "right": figures["settings_right"], "stale": figures["stale"]}
    return {
        "arm": arm,
        **{name: figures[name] for name in ("cycle", "before", "after", "rows", "requests", "billed_per_request")},
        "freed_ratio": round(1 - figures["after"] / figures["before"], 4) if figures["before"] else 0.0,
        "floor": floor,
        "recall": recall if asked else None,
        "stale": stale if asked else None,
    }
