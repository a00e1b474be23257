"""Compaction repeated over a chain of lineages; writes `results/cycles/*.json`.

    .venv/bin/python bench/cycles.py [DATA] [NAME...]

DATA is the folder with `lineages/`; by default `../shared/data` beside the project, which is optional. The chain is
five lineages of one program; the triggers 160,000 and 500,000 are the published ones. With names, only those are
measured anew: `trigger-160000`, `window-32000`. Figures only, no texts.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from vademecum.bench.arms.table import chosen
from vademecum.bench.lineage import build
from vademecum.bench.simulation.pool import Pool, pool_of
from vademecum.bench.simulation.setting import Setting
from vademecum.bench.simulation.simulate import simulate

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench/results/cycles"
CHAIN = ("entire-statemachine", "entire-explain", "entire-attribution", "entire-shadow", "entire-onetoone")
ARMS = ("vademecum", "drop-results", "recency", "agent", "hermes")
SEED = 1
SETTINGS = {
    "trigger-160000": Setting(trigger=160_000, probes=120, every=10, seed=SEED),
    "trigger-500000": Setting(trigger=500_000, seed=SEED),
    # So small a window has many hundreds of cycles on this chain; 120 show what becomes of them.
    "window-32000": Setting(window=32_000, cycles=120, seed=SEED),
    "window-128000": Setting(window=128_000, seed=SEED),
    "window-200000": Setting(window=200_000, seed=SEED),
    "window-1000000": Setting(window=1_000_000, seed=SEED),
}
#: Figures of each cycle, in this order.
COLUMNS = ("cycle", "before", "after", "text_floor", "rows", "billed_per_request", "closed", "search", "stale")


def main() -> None:
    """Measures everything, or what is named, and writes the results."""
    words = sys.argv[1:]
    data = Path(words.pop(0)) if words and Path(words[0]).is_dir() else ROOT / "../shared/data"
    if not (data / "lineages").is_dir():
        sys.exit(f"there is no {data / 'lineages'}: the bench needs the lineages")
    chain = build([data / f"lineages/{name}.jsonl.gz" for name in CHAIN], name="chain")
    RESULTS.mkdir(parents=True, exist_ok=True)
    for name in words or SETTINGS:
        pool = pool_of(chain, SEED) if SETTINGS[name].probes else Pool(chain)
        arms: dict[str, Any] = {}
        for row in chosen(ARMS):
            arms[row.name] = measured(pool, row.name, SETTINGS[name])
            end = arms[row.name]["end"]
            print(f"{name} {row.name}: {end['end_state']} after {end['cycles']} cycles", flush=True)
            write(RESULTS / f"{name}.json", {"setting": SETTINGS[name].as_dict(), "columns": COLUMNS, "arms": arms})


def measured(pool: Pool, arm: str, setting: Setting) -> dict[str, Any]:
    """One arm: how it ended, and a row of figures for each cycle."""
    *cycles, end = simulate(pool, *chosen([arm]), setting)
    return {
        "end": {key: value for key, value in end.items() if key not in ("schema", "arm")},
        "cycles": [*map(figures, cycles)],
    }


def figures(cycle: dict[str, Any]) -> list[float | int | None]:
    """One cycle by the columns; what was not asked is null."""
    recall, stale = cycle["recall"] or {}, cycle["stale"] or {}
    more = {
        "text_floor": cycle["floor"]["text_floor"],
        "closed": recall.get("closed"),
        "search": recall.get("search"),
        "stale": stale.get("stale"),
    }
    return [more[name] if name in more else cycle[name] for name in COLUMNS]


def write(path: Path, value: dict[str, Any]) -> None:
    """JSON with a line for each cycle."""
    arms = value["arms"]
    lines = [
        f'{{"setting": {json.dumps(value["setting"])},',
        f'"columns": {json.dumps(value["columns"])},',
        '"arms": {',
    ]
    for number, (arm, found) in enumerate(arms.items()):
        rows = ",\n".join(json.dumps(row) for row in found["cycles"])
        comma = "" if number == len(arms) - 1 else ","
        lines.append(f'"{arm}": {{"end": {json.dumps(found["end"])},\n"cycles": [\n{rows}\n]}}{comma}')
    path.write_text("\n".join((*lines, "}}")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
