"""One compaction of 500,000 tokens without a model, archive included, beside parsing the same bytes.

    .venv/bin/python bench/perf/compaction.py

Writes `results/perf/compaction.json`. The transcript is parsed and compacted in turn, each time into a new archive on
disk; *plan* is the share of deciding what leaves and writing the carry.
"""

from __future__ import annotations

import json
import tempfile
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

from figures import medians, paired, ratio, write
from material import Rows, transcripts

from vademecum import Archive, compact

RUNS, WINDOW, TARGET = 5, 200_000, 40_000


def main() -> None:
    """Measures every transcript."""
    found = {name: measured(rows) for name, rows in transcripts().items()}
    slowest = max(row["compact"]["wall_ms"] for row in found.values())
    write("compaction", {"a compaction of 500K tokens, ms": (slowest, 1_000)}, {"transcripts": found})


def measured(rows: Rows) -> dict[str, Any]:
    """One transcript."""
    data = json.dumps(rows, ensure_ascii=False).encode()
    compact(rows[:20], window=WINDOW)  # what is loaded once is loaded
    plans: list[int] = []
    numbers = count()
    with tempfile.TemporaryDirectory() as folder:

        def compacted() -> None:
            with Archive.open(Path(folder, f"{next(numbers)}.db")) as archive:
                session = archive.session("s", format="openai-chat")
                done = compact(rows, window=WINDOW, target=TARGET, session=session)
                assert done.receipt.outcome == "compacted", done.receipt
                plans.append(done.receipt.timing["plan"])

        whole, parsed = paired(RUNS, compacted, lambda: json.loads(data))
    return {
        "messages": len(rows),
        "bytes": len(data),
        "compact": medians(whole),
        "plan_ms": median(plans),
        "parse": medians(parsed),
        "ratio_to_parsing": ratio(whole, parsed),
    }


if __name__ == "__main__":
    main()
