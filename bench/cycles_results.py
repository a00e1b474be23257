"""The files `results/cycles/SETTING.json`: lineage → its setting and its arms, a line for each compaction."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from vademecum.bench.report.cycles import CYCLES_OF_SETTING
from vademecum.bench.simulation.floor import CATEGORIES

RESULTS = Path(__file__).resolve().parent / "results/cycles"
#: Figures of each compaction, in this order. `floor` is tokens by category; recall is null where nothing was asked;
#: `again` are the questions of the first compaction, the same each time.
COLUMNS = (
    "cycle",
    "before",
    "after",
    "floor",
    "rows",
    "requests",
    "billed_per_request",
    "asked",
    "closed",
    "search",
    "found",
    "full",
    "again_asked",
    "again_closed",
    "again_search",
    "again_found",
    "again_full",
    "settings",
    "settings_right",
    "stale",
)
Held = dict[str, dict[str, Any]]


def figures(cycle: dict[str, Any]) -> list[Any]:
    """One compaction by the columns."""
    recall, stale = cycle["recall"] or {}, cycle["stale"] or {}
    again = recall.get("again", {})
    more = {
        "floor": [cycle["floor"][name] for name in CATEGORIES],
        **{name: recall.get(name) for name in ("asked", "closed", "search", "found", "full")},
        **{f"again_{name}": again.get(name) for name in ("asked", "closed", "search", "found", "full")},
        "settings": stale.get("asked"),
        "settings_right": stale.get("right"),
        "stale": stale.get("stale"),
    }
    row = [more[name] if name in more else cycle[name] for name in COLUMNS]
    while row[-1] is None:  # nothing was asked
        row.pop()
    return row


def read(folder: Path, setting: str) -> Held:
    """Lineage → setting and arms; empty where nothing was measured."""
    path = folder / f"{setting}.json"
    if not path.exists():
        return {}
    data = json.loads(path.read_text("utf-8"))
    return data["lineages"] if data.get("schema") == CYCLES_OF_SETTING and data["columns"] == [*COLUMNS] else {}


def write(folder: Path, setting: str, lineages: Held) -> None:
    """Puts a file in the place of the old one, a line for each compaction."""
    head = {"schema": CYCLES_OF_SETTING, "columns": COLUMNS, "categories": CATEGORIES}
    lines = [json.dumps(head)[:-1] + ',\n"lineages": {']
    for at, (lineage, held) in enumerate(lineages.items()):
        lines.append(f'{json.dumps(lineage)}: {{"setting": {json.dumps(held["setting"])},\n"arms": {{')
        for number, (arm, found) in enumerate(held["arms"].items()):
            rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in found["cycles"])
            comma = "," if number < len(held["arms"]) - 1 else ""
            lines.append(f'{json.dumps(arm)}: {{"end": {json.dumps(found["end"])},\n"cycles": [\n{rows}\n]}}{comma}')
        lines.append("}}" + ("," if at < len(lineages) - 1 else ""))
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f"{setting}.part"
    part.write_text("\n".join((*lines, "}}")) + "\n", "utf-8")
    part.replace(folder / f"{setting}.json")
