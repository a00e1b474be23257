"""Opening an archive and projecting a session of 500,000 tokens, compacted and not, beside parsing its bytes.

    .venv/bin/python bench/perf/opening.py

Writes `results/perf/opening.json`. *Compacted* is what a request needs: the context that the standing compaction and
what came since make. *Whole* reads every message of the lineage.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from figures import medians, paired, ratio, write
from material import Rows, transcripts

from vademecum import Archive, compact

RUNS, WINDOW, TARGET = 9, 200_000, 40_000


def main() -> None:
    """Measures every transcript."""
    found = {name: measured(rows) for name, rows in transcripts().items()}
    slowest = max(row["compacted"]["wall_ms"] for row in found.values())
    whole = max(row["whole"]["wall_ms"] for row in found.values())
    aims = {"a compacted session of 500K tokens, ms": (slowest, 100.0), "all of its messages, ms": (whole, 100.0)}
    write("opening", aims, {"transcripts": found})


def measured(rows: Rows) -> dict[str, Any]:
    """One transcript."""
    data = json.dumps(rows, ensure_ascii=False).encode()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.db")
        with Archive.open(path) as archive:
            compact(rows, window=WINDOW, target=TARGET, session=archive.session("s", format="openai-chat"))

        def projected() -> None:
            with Archive.open(path) as archive:
                assert archive.existing("s").context()

        def whole() -> None:
            with Archive.open(path) as archive:
                assert len(archive.existing("s").messages()) == len(rows)

        projected()
        contexts, parsed = paired(RUNS, projected, lambda: json.loads(data))
        messages, parsed_too = paired(RUNS, whole, lambda: json.loads(data))
    return {
        "compacted": {**medians(contexts), "ratio_to_parsing": ratio(contexts, parsed)},
        "whole": {**medians(messages), "ratio_to_parsing": ratio(messages, parsed_too)},
        "parse": medians([*parsed, *parsed_too]),
    }


if __name__ == "__main__":
    main()
