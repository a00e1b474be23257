"""What one compaction without a model does to real sessions; writes `results/slice.json`.

    .venv/bin/python bench/slice.py [DATA]

DATA is the folder with `lineages/`; by default `../shared/data` beside the project, which is optional. Of each of
the three lineages the prefix of 500,000 tokens (characters / 4, cut at a complete round, rows of compactions that
happened then left out) is compacted for a window of 200,000 to 40,000 tokens. Then 100 rare identifiers of what
left are asked for with ordinary words of their sentence, one search each.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from importlib.metadata import Distribution, distribution
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from e2e.lineages import BENCH, Questions, prefix, rows_of  # noqa: E402
from vademecum import Archive  # noqa: E402

RESULTS = ROOT / "bench/results/slice.json"
PREFIX, WINDOW, TARGET = 500_000, 200_000, 40_000
RUNS, QUESTIONS, SEED = 5, 100, 20_261_130
HITS, HIT_CHARS = 4, 2_500


def main() -> None:
    """Measures everything and writes the results."""
    data = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "../shared/data")
    if not (data / "lineages").is_dir():
        sys.exit(f"there is no {data / 'lineages'}: the bench needs the lineages")
    results: dict[str, Any] = {
        "setting": {
            "prefix_tokens": PREFIX,
            "window": WINDOW,
            "target": TARGET,
            "runs": RUNS,
            "questions": QUESTIONS,
            "seed": SEED,
            "hits": HITS,
            "hit_chars": HIT_CHARS,
            "python": ".".join(map(str, sys.version_info[:3])),
        },
        "lineages": {name: measured(data, name) for name in BENCH},
        "install": install(),
        "import": import_time(),
    }
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    print(f"wrote {RESULTS.relative_to(ROOT)}")


def measured(data: Path, name: str) -> dict[str, Any]:
    """One lineage: sizes, times, and what one search finds of what left."""
    rows = prefix(rows_of(data, name), PREFIX)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "session.jsonl")
        log.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
        times, receipt = [], {}
        for number in range(RUNS):
            started = time.perf_counter()
            receipt = compacted(log, Path(folder, f"{number}.db"))
            times.append(round((time.perf_counter() - started) * 1000))
        # The same file again: nothing is due, so this is what reading, recognising and measuring cost.
        started = time.perf_counter()
        compacted(log, Path(folder, "0.db"))
        again = round((time.perf_counter() - started) * 1000)
        found = searched(rows, Path(folder, "0.db"), receipt["session"])
    print(f"{name}: {receipt['tokens_before']:,} → {receipt['tokens_after']:,}, {median(times):,} ms, {found}")
    return {
        "messages": len(rows),
        "tokens_before": receipt["tokens_before"],
        "tokens_after": receipt["tokens_after"],
        "categories_before": receipt["categories_before"],
        "categories_after": receipt["categories_after"],
        "sections": receipt["sections"],
        "outcome": receipt["outcome"],
        "parts_removed": len(receipt["removed"]),
        "wall_ms": round(median(times)),
        "plan_ms": sum(receipt["timing"].values()),
        "again_ms": again,
        "search": found,
    }


def compacted(log: Path, db: Path) -> dict[str, Any]:
    """The receipt of one run of the command."""
    command = [Path(sys.executable).with_name("vademecum"), "compact", log, "--window", WINDOW, "--target", TARGET]
    command += ["--db", db, "--session", "bench", "-o", log.with_name("context.jsonl"), "--json"]
    done = subprocess.run([str(word) for word in command], check=True, capture_output=True)
    return json.loads(done.stdout)


def searched(rows: list[dict[str, Any]], db: Path, session: str) -> dict[str, Any]:
    """How many identifiers of what left one search finds: fair questions, and any."""
    with Archive.open(db) as archive:
        held = archive.session(session)
        standing = held.compaction()
        assert standing is not None
        removed = [position for position in range(len(rows)) if not standing.shows(position)]
        times: list[float] = []
        found: dict[str, int] = {"asked": QUESTIONS}
        for kind, fair in (("found", True), ("found_of_any", False)):
            golds = Questions(rows, removed, SEED).choose(QUESTIONS, fair=fair)
            assert len(golds) == QUESTIONS, f"only {len(golds)} questions"
            count = 0
            for gold in golds:
                started = time.perf_counter()
                hits = held.search(gold.query, limit=HITS, max_chars=HIT_CHARS)
                times.append((time.perf_counter() - started) * 1000)
                count += any(gold.name in hit.text for hit in hits)
            found[kind] = count
    return {**found, "median_ms": round(median(times), 1), "p95_ms": round(quantiles(times, n=20)[-1], 1)}


def install() -> dict[str, int]:
    """The base install without the package itself: distributions and bytes."""
    found: dict[str, Distribution] = {}
    waiting = ["vademecum"]
    while waiting:
        for line in distribution(waiting.pop()).requires or ():
            needed = Requirement(line)
            if needed.name not in found and (needed.marker is None or needed.marker.evaluate({"extra": ""})):
                found[needed.name] = distribution(needed.name)
                waiting.append(needed.name)
    files = [Path(str(one.locate_file(file))) for one in found.values() for file in one.files or ()]
    return {"distributions": len(found), "bytes": sum(file.stat().st_size for file in files if file.is_file())}


def import_time(pairs: int = 21) -> dict[str, float]:
    """Milliseconds that `import vademecum` adds to a bare interpreter: the median of paired differences."""
    differences = [timed("import vademecum") - timed("pass") for _ in range(pairs)]
    return {"median_ms": round(median(differences), 1), "pairs": pairs}


def timed(code: str) -> float:
    """Milliseconds of a fresh interpreter."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return (time.perf_counter() - started) * 1000


if __name__ == "__main__":
    main()
