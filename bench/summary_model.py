r"""What a real small model adds as summariser: runs of `vademecum bench run` as `results/summary_model.json`.

    llama-server -m SmolLM2-135M-Instruct.gguf --port 8080 -c 8192 -t 1 -np 1 --jinja -fa off --seed 7
    vademecum bench run LINEAGE… -o at-32000 --window 32000 --target 6400 --tokens 100000 --probes 400 \
        --arm vademecum --arm vademecum-local --arm vademecum-active --arm summary-only --jobs 1 \
        --summary-model http://127.0.0.1:8080/v1#SmolLM2-135M --summary-window 6500 \
        --summary-output 384 --max-calls 60
    .venv/bin/python bench/summary_model.py at-32000 at-128000

The window of 128,000 has `--target 25600 --tokens 200000 --probes 600`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from vademecum.bench.scorecard import scorecard

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench/results/summary_model.json"


def main() -> None:
    """Writes the results of the runs that are named."""
    runs = [figures(Path(folder)) for folder in sys.argv[1:]]
    if not runs:
        sys.exit("name the folders of the runs")
    RESULTS.write_text(
        json.dumps({"schema": "vademecum.bench.summary_model/1", "runs": runs}, indent=1) + "\n", "utf-8"
    )
    for run in runs:
        for row in run["results"]:
            print(run["setting"]["window"], row["lineage"], row["arm"], row["tokens"], row["reader"], *row["tiers"])


def figures(folder: Path) -> dict[str, Any]:
    """The setting of a run, and each result that is done."""
    card = scorecard(folder)
    plan = json.loads((folder / "summary_plan.json").read_text("utf-8"))
    return {
        "model": plan["model"],
        "setting": card["setting"],
        "results": [told(path) for path in sorted(folder.glob("*/*.json")) if not path.name.endswith("timing.json")],
    }


def told(path: Path) -> dict[str, Any]:
    """One arm on one lineage."""
    result = json.loads(path.read_text("utf-8"))
    details = result.get("details", {})
    return {
        "lineage": result["lineage"],
        "arm": result["arm"],
        "tokens": result["tokens"],
        **share(result),
        "tiers": details.get("tiers", []),
        "usage": details.get("usage", {}),
    }


def share(result: dict[str, Any]) -> dict[str, float]:
    """Right answers of the reader, and answers that stand in what was kept, closed book, in per cent."""
    closed = [answer["closed"] for answer in result["answers"]]
    right, present = (sum(bool(one[key]) for one in closed) / len(closed) for key in ("points", "present"))
    return {"reader": round(100 * right, 1), "present": round(100 * present, 1)}


if __name__ == "__main__":
    main()
