"""How fast logs are taken into an archive, with their words and facts, beside parsing them.

    .venv/bin/python bench/perf/importing.py

Writes `results/perf/importing.json`. The way is that of `vademecum import`, without the start of a process.
"""

from __future__ import annotations

import json
import tempfile
from itertools import count
from pathlib import Path
from typing import Any

from figures import medians, paired, ratio, write
from material import Rows, transcripts, written

from vademecum import Archive
from vademecum.cli.logs import opened
from vademecum.cli.taking_in import take_in
from vademecum.core.tokens import TokenCounter
from vademecum.models.tokenizer import count_tokens
from vademecum.sessions import readings

RUNS = 5
#: Million bytes a second.
AIM = 4.0


def main() -> None:
    """Measures every transcript."""
    count_tokens(["a"])
    with tempfile.TemporaryDirectory() as folder:
        found = {name: measured(rows, Path(folder)) for name, rows in transcripts().items()}
    slowest = min(row["mb_per_s"] for row in found.values())
    write("importing", {"ms for a megabyte": (round(1_000 / slowest, 1), 1_000 / AIM)}, {"logs": found})


def measured(rows: Rows, folder: Path) -> dict[str, Any]:
    """One log."""
    log = written(rows, folder / "log.jsonl")
    size = log.stat().st_size
    numbers = count()

    def taken() -> None:
        db = folder / f"{next(numbers)}.db"
        with Archive.open(db) as archive, opened(str(log)) as source:
            for reading in readings(source, ""):
                done = take_in(archive, reading, "s", TokenCounter(count_tokens), str(log))
                assert done.new == len(rows), done
        db.unlink()

    def parsed() -> None:
        with log.open("rb") as lines:
            for line in lines:
                json.loads(line)

    taken()
    whole, parse = paired(RUNS, taken, parsed)
    wall = medians(whole)["wall_ms"]
    return {
        "messages": len(rows),
        "bytes": size,
        "import": medians(whole),
        "mb_per_s": round(size / 1_000 / wall, 2),
        "parse": medians(parse),
        "ratio_to_parsing": ratio(whole, parse),
    }


if __name__ == "__main__":
    main()
