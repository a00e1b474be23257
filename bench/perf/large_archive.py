"""Search and appending in an archive of a million messages.

    .venv/bin/python bench/perf/large_archive.py [ARCHIVE]

Writes `results/perf/large_archive.json`; `bench/million.py` says how it is measured, and builds ARCHIVE where
it is missing, which takes minutes. Without ARCHIVE it is built in a temporary folder.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from figures import ROOT, write

BENCH = ROOT / "bench/million.py"
#: Milliseconds at the 95th percentile, and an appended message to one in an empty archive.
LINEAGE, EVERYTHING, APPEND = 15.0, 100.0, 1.2


def main() -> None:
    """Builds where that is needed, and measures."""
    if len(sys.argv) > 1:
        measured(Path(sys.argv[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        measured(Path(folder, "million.db"))


def measured(archive: Path) -> None:
    """Keeps the figures of one archive."""
    if not archive.exists():
        subprocess.run([sys.executable, BENCH, "build", archive], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([sys.executable, BENCH, "measure", archive], check=True, stdout=subprocess.DEVNULL)
    found = json.loads((ROOT / "bench/results/million.json").read_text("utf-8"))
    search, append = found["search"], found["append"]
    lineage = max(search[scope]["common"]["p95_ms"] for scope in ("small_lineage", "long_lineage"))
    everything = max(row["p95_ms"] for row in search["everything"].values())
    aims = {
        "search in a lineage, common words, p95 ms": (lineage, LINEAGE),
        "search over everything, p95 ms": (everything, EVERYTHING),
        "appending to that in an empty archive": (append["ratio"], APPEND),
    }
    write("large_archive", aims, {"messages": found["setting"]["messages"], "search": search, "append": append})


if __name__ == "__main__":
    main()
