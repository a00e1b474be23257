"""The memory of a compaction above interpreter, tokenizer (with what it remembers) and the transcript's objects.

    .venv/bin/python bench/perf/memory.py

Writes `results/perf/memory.json`. Each transcript is compacted in a process of its own, whose largest
resident size is read before and after; the archive is a file. *ratio* is growth to the bytes of the transcript.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from figures import write
from material import texts_of, transcripts

AIM = 6.0


def main() -> None:
    """Measures every transcript, or is the process that one is compacted in."""
    if len(sys.argv) > 1:
        print(json.dumps(compacted(Path(sys.argv[1]))))
        return
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in transcripts().items():
            path = Path(folder, "rows.json")
            path.write_text(json.dumps(rows, ensure_ascii=False), "utf-8")
            done = subprocess.run([sys.executable, __file__, str(path)], check=True, capture_output=True)
            found[name] = json.loads(done.stdout)
    write("memory", {"times the transcript": (max(row["ratio"] for row in found.values()), AIM)}, {"runs": found})


def compacted(path: Path) -> dict[str, Any]:
    """Compacts one transcript after everything was loaded that does not depend on it."""
    from vademecum import Archive, compact
    from vademecum.models.tokenizer import count_tokens

    rows = json.loads(path.read_bytes())
    compact([{"role": "user", "content": "Hello."}], window=200_000)
    count_tokens([text for row in rows for text in texts_of(row)])  # the tokenizer remembers what it has seen
    before = peak()
    with Archive.open(path.with_suffix(".db")) as archive:
        done = compact(rows, window=200_000, target=40_000, session=archive.session("s", format="openai-chat"))
        assert done.receipt.outcome == "compacted"
        grown = peak() - before
    size = path.stat().st_size
    path.with_suffix(".db").unlink()
    return {"bytes": size, "before": before, "grown": grown, "ratio": round(grown / size, 2)}


def peak() -> int:
    """The largest resident size so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1_024)


if __name__ == "__main__":
    main()
