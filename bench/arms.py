"""Every arm on the three bench lineages, without a model; writes `results/arms.json` and the table of its page.

    .venv/bin/python bench/arms.py [DATA] [FOLDER]

DATA is the folder with `lineages/`; by default `../shared/data` beside the project, which is optional. The run,
with every question and answer, stays in FOLDER (by default a temporary one); an interrupted run goes on there. The
results have figures only, no texts of the lineages.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from cycles_page import kept
from vademecum.bench.arms.table import chosen
from vademecum.bench.run import Run, run
from vademecum.bench.scorecard import scorecard
from vademecum.bench.setting import Setting

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench/results/arms.json"
PAGE = ROOT / "docs/reference/results.md"
LINEAGES = ("entire-statemachine", "agentv-dashboard", "cipherbox-sharing")


def main() -> None:
    """Runs what is missing and writes the results."""
    data = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "../shared/data")
    if not (data / "lineages").is_dir():
        sys.exit(f"there is no {data / 'lineages'}: the bench needs the lineages")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(sys.argv[2] if len(sys.argv) > 2 else made)
        files = {name: data / f"lineages/{name}.jsonl.gz" for name in LINEAGES}
        started = time.perf_counter()
        run(Run(folder, files, Setting(), chosen(cheats=True)), jobs=os.cpu_count() or 1, note=_note)
        card = scorecard(folder)
    figures = {key: value for key, value in card.items() if key not in ("schema", "differences")}
    for arm in figures["arms"]:
        arm.pop("details", None)
    RESULTS.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    PAGE.write_text(page(card) + kept(PAGE.read_text("utf-8")), "utf-8")
    print(f"wrote {RESULTS.relative_to(ROOT)} and {PAGE.relative_to(ROOT)}, {time.perf_counter() - started:.0f} s")


def _note(what: str, done: int, total: int) -> None:
    print(f"{done}/{total} {what}", flush=True)


def page(card: dict[str, Any]) -> str:
    """The arm table as a page."""
    setting = card["setting"]
    said = (
        f"Prefixes of {setting['tokens']:,} tokens (characters / 4), window {setting['window']:,}, target "
        f"{setting['target']:,}, seed {setting['seed']}; no model anywhere."
    )
    head = "arm | tokens | reader, closed book | of full | with one search | of full | present | stale | holdout gap"
    lines = [
        "# Results: every arm on three real lineages",
        "",
        "Written by `bench/arms.py` from `bench/results/arms.json`; [how to read it](../how-to/read-a-scorecard.md).",
        said,
        "",
        f"| {head} |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for arm in card["arms"]:
        closed, search = arm["closed"], arm.get("search")
        lines.append(
            f"| {arm['arm']}{'' if arm['fits'] else ' (does not fit)'} | {arm['tokens']:,} | {_share(closed)} | "
            f"{_of(closed)} | {_share(search)} | {_of(search)} | {100 * closed['present']['value']:.0f} % | "
            f"{closed['kinds'].get('latest', {}).get('stale', 0)} | {100 * closed['holdout_gap']:+.0f} |"
        )
    counted = ", ".join(f"{name} {sum(kinds.values()):,}" for name, kinds in card["probes"].items())
    same = "; ".join(" = ".join(arms) for arms in card["identical"]) or "none"
    lines += ["", f"Probes: {counted}. Arms with identical output: {same}.", ""]
    return "\n".join(lines)


def _share(mode: dict[str, Any] | None) -> str:
    if mode is None:
        return "–"
    figure = mode["overall"]
    return f"{100 * figure['value']:.1f} % [{100 * figure['low']:.0f}–{100 * figure['high']:.0f}]"


def _of(mode: dict[str, Any] | None) -> str:
    return "–" if mode is None or mode.get("relative") is None else f"{100 * mode['relative']:.0f} %"


if __name__ == "__main__":
    main()
