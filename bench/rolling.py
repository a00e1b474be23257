"""Rolling use: whole lineages row by row through `fit`; writes `results/rolling.json`.

    .venv/bin/python bench/rolling.py [DATA] [NAME...]

DATA is the folder with `lineages/`; by default `../shared/data` beside the project, which is optional. Rows of
compactions that happened then are left out. `fit` is called before each row of the assistant. With names, only those
of the results are measured anew: a lineage with its window (`entire-statemachine@32000`), or `chained@200000`.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from e2e.lineages import BENCH, rows_of  # noqa: E402
from e2e.rolling import Roller  # noqa: E402
from vademecum import Archive  # noqa: E402

RESULTS = ROOT / "bench/results/rolling.json"
WINDOWS = (32_000, 128_000, 200_000, 1_000_000)
CHAIN = (
    "entire-statemachine",
    "entire-explain",
    "entire-attribution",
    "entire-shadow",
    "entire-onetoone",
)
CHAIN_WINDOW = 200_000


def main() -> None:
    """Measures everything, or what is named, and writes the results."""
    words = sys.argv[1:]
    data = Path(words.pop(0)) if words and Path(words[0]).is_dir() else ROOT / "../shared/data"
    if not (data / "lineages").is_dir():
        sys.exit(f"there is no {data / 'lineages'}: the bench needs the lineages")
    jobs = {f"{name}@{window}": ((name,), window) for name in BENCH for window in WINDOWS}
    jobs[f"chained@{CHAIN_WINDOW}"] = (CHAIN, CHAIN_WINDOW)
    results: dict[str, Any] = json.loads(RESULTS.read_text("utf-8")) if words and RESULTS.exists() else {}
    for name in words or jobs:
        results[name] = measured(data, *jobs[name])
        found = results[name]
        print(f"{name}: {found}", flush=True)
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", "utf-8")


def measured(data: Path, names: tuple[str, ...], window: int) -> dict[str, Any]:
    """One lineage, or several as one, at one window; the archive is a file."""
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, Archive.open(Path(folder, "rolling.db")) as archive:
        roller = Roller(window, archive, time.perf_counter)
        for name in names:
            roller.roll(rows_of(data, name))
        found = roller.found.as_dict()
    for problem in (roller.found.invalid + roller.found.failures)[:5]:
        print(f"  {problem}")
    return {**found, "seconds": round(time.perf_counter() - started)}


if __name__ == "__main__":
    main()
