"""Writes the numbers of `results/slice.json` into README.md, between its markers (`--check` only compares)."""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
RESULTS = ROOT / "bench/results/slice.json"
START, END = "<!-- numbers: written by bench/readme.py -->", "<!-- end of numbers -->"


def main() -> None:
    """Renews the numbers, or says that they are not current."""
    text = README.read_text("utf-8")
    current = renewed(text, json.loads(RESULTS.read_text("utf-8")))
    if "--check" in sys.argv:
        sys.exit(0 if current == text else "README.md does not have the newest numbers; run bench/readme.py")
    README.write_text(current, "utf-8")


def renewed(text: str, results: dict[str, Any]) -> str:
    """The text with the numbers between its markers."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n{numbers(results)}\n{END}{after}"


def numbers(results: dict[str, Any]) -> str:
    """A table with one row for each lineage, and a line on the install."""
    setting = results["setting"]
    lines = [
        "| real session | tokens | after | parts archived | found by one search | whole run | again, unchanged |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, row in results["lineages"].items():
        search = row["search"]
        lines.append(
            f"| {name} | {row['tokens_before']:,} | {row['tokens_after']:,} | {row['parts_removed']:,} "
            f"| {search['found']} of {search['asked']} | {row['wall_ms'] / 1000:.1f} s "
            f"| {row['again_ms'] / 1000:.1f} s |"
        )
    install, imported = results["install"], results["import"]
    slowest = max(row["search"]["p95_ms"] for row in results["lineages"].values())
    note = (
        f"Window {setting['window']:,}, target {setting['target']:,}, no model; times are those of the whole "
        f"command, the median of {setting['runs']}. *Found*: {setting['questions']} rare names of what left, each "
        f"asked for with ordinary words of its sentence; {setting['hits']} hits, "
        f"95 % of the searches within {slowest:.0f} ms. "
        f"Base install: {install['distributions']} packages, {install['bytes'] / 1e6:.0f} MB; `import vademecum` "
        f"takes {imported['median_ms']:.0f} ms."
    )
    lines += ["", textwrap.fill(note, 118)]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
