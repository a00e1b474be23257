"""All figures of speed in one run, a table of what is aimed at to what was found at its end.

    .venv/bin/python bench/perf/all.py [--archive FILE] [NAME…]

NAME is a script beside this one. `--archive` is where the archive of a million messages is kept between runs:
building it is half of the time. Without the lineages (`../shared/data`) a scripted transcript is measured alone.
Exits with 1 where an aim is not met.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from figures import RESULTS

HERE = Path(__file__).parent
SCRIPTS = (
    "startup",
    "deciding",
    "compaction",
    "memory",
    "carry_cycles",
    "importing",
    "opening",
    "extremes",
    "proxying",
    "soak",
    "large_archive",
)


def main() -> None:
    """Runs the scripts one after the other, each in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--archive", type=Path, help="the archive of a million messages; made where it is missing")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(SCRIPTS))
    given = parser.parse_args()
    failed: list[str] = []
    for name in given.names or SCRIPTS:
        started = time.monotonic()
        more = [str(given.archive)] if name == "large_archive" and given.archive else []
        done = subprocess.run([sys.executable, HERE / f"{name}.py", *more], check=False)
        print(f"     {name}: {time.monotonic() - started:.0f} s", flush=True)
        if done.returncode:
            failed.append(name)
    missed = table(given.names or list(SCRIPTS))
    sys.exit(f"failed: {', '.join(failed)}" if failed else 1 if missed else 0)


def table(names: list[str]) -> int:
    """Prints every aim; returns how many are not met."""
    missed = 0
    print()
    for name in names:
        path = RESULTS / f"{name}.json"
        aims = json.loads(path.read_text("utf-8"))["aims"] if path.exists() else {}
        for aim, row in aims.items():
            missed += not row["met"]
            found = f"{row['found']:g}"
            print(f"{'ok  ' if row['met'] else 'MISS'} {name:<14} {found:>9} ≤ {row['most']:<6g} {aim}")
    return missed


if __name__ == "__main__":
    main()
