"""The part of the results page on repeated compaction, from `results/cycles/*.json` (`--check` only compares)."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vademecum.bench.report.cycles import CYCLES_OF_SETTING

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench/results/cycles"
PAGE = ROOT / "docs/reference/results.md"
START, END = "<!-- cycles: written by bench/cycles_page.py -->", "<!-- end of cycles -->"
#: In the order in which they are shown.
SETTINGS = (
    "trigger-160000",
    "trigger-500000",
    "window-32000",
    "window-128000",
    "window-200000",
    "window-1000000",
)
_HEAD = (
    "lineage",
    "arm",
    "ends",
    "compactions",
    "floor: first, fifth, last",
    "freed: first, last three, least",
    "messages between",
    "input",
    "recall: first → last",
    "again",
    "stale",
)
_ABOUT = """\
## Compacted again and again

Written by `bench/cycles.py` from `bench/results/cycles/`; [what is measured](../how-to/see-what-repeating-does.md).
Tokens right after a compaction (*floor*), and the share that it *freed*. Recall is the reader's with one search, over
everything seen so far; in brackets what the same reader has with all of that before it, uncompacted. *Again* are the
questions of the first compaction, after the last one that was asked after. *Stale* are planted settings of which an
earlier value was given, closed book. *Input* is the mean of all requests, in tokens.
"""


def main() -> None:
    """Renews the part, or says that it is not current."""
    if "--check" in sys.argv:
        text = PAGE.read_text("utf-8")
        sys.exit(0 if renewed(text) == text else f"{PAGE.name} is not current; run bench/cycles_page.py")
    renew()


def renew() -> None:
    """Writes the part into the page."""
    PAGE.write_text(renewed(PAGE.read_text("utf-8")), "utf-8")


def renewed(text: str) -> str:
    """The page with the part between its markers, or at its end."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before.rstrip()}\n\n{START}\n{_part()}\n{END}\n{after.lstrip()}"


def kept(text: str) -> str:
    """The part as a page has it, for whoever writes the rest of that page anew."""
    _, start, rest = text.partition(START)
    return f"\n{start}{rest}" if start else ""


def _part() -> str:
    lines = [_ABOUT]
    for setting in SETTINGS:
        path = RESULTS / f"{setting}.json"
        data = json.loads(path.read_text("utf-8")) if path.exists() else {}
        if data.get("schema") == CYCLES_OF_SETTING:
            lines += _setting(setting, data)
    return "\n".join(lines)


def _setting(name: str, data: dict[str, Any]) -> Iterator[str]:
    yield f"### {name.replace('-', ' ')}\n"
    yield f"| {' | '.join(_HEAD)} |"
    yield "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    for lineage, held in data["lineages"].items():
        for arm, found in held["arms"].items():
            yield _row(lineage, arm, found["end"], [_named(data, row) for row in found["cycles"]])
    first, chain = next(iter(data["lineages"].items()), ("", {"arms": {}}))
    asked = {
        arm: [cycle for cycle in (_named(data, row) for row in found["cycles"]) if cycle["asked"]]
        for arm, found in chain["arms"].items()
    }
    numbers = sorted({cycle["cycle"] for cycles in asked.values() for cycle in cycles})
    if len(numbers) > 1:
        yield f"\nRecall with one search after each compaction that was asked after, {first}:\n"
        yield f"| arm | {' | '.join(map(str, numbers))} |\n|---|{'--:|' * len(numbers)}"
        for arm, cycles in asked.items():
            by_number = {cycle["cycle"]: _percent(cycle["search"]) for cycle in cycles}
            yield f"| {arm} | {' | '.join(by_number.get(number, '') for number in numbers)} |"
    yield ""


def _named(data: dict[str, Any], row: list[Any]) -> dict[str, Any]:
    return {**dict.fromkeys(data["columns"]), **dict(zip(data["columns"], row, strict=False))}


def _row(lineage: str, arm: str, end: dict[str, Any], cycles: list[dict[str, Any]]) -> str:
    floor, freed = end["floor"], end["freed"]
    asked = [cycle for cycle in cycles if cycle["asked"]]
    recall = again = stale = "–"
    if asked:
        first, last = asked[0], asked[-1]
        recall = f"{_of_full(first, '')} → {_of_full(last, '')}"
        again = _of_full(last, "again_")
        stale = f"{last['stale']} of {last['settings']}"
    between = round(sum(cycle["rows"] for cycle in cycles) / len(cycles)) if cycles else 0
    billed = round(end["billed"] / max(1, end["requests"]))
    return (
        f"| {lineage} | {arm} | {end['end_state']} | {end['cycles']} | {floor['first']:,}, {floor['fifth']:,}, "
        f"{floor['last']:,} | {', '.join(_percent(freed[name]) for name in ('first', 'last_three', 'least'))} "
        f"| {between} | {billed:,} | {recall} | {again} | {stale} |"
    )


def _of_full(cycle: dict[str, Any], prefix: str) -> str:
    return f"{_percent(cycle[prefix + 'search'])} ({_percent(cycle[prefix + 'full'])})"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f} %"


if __name__ == "__main__":
    main()
