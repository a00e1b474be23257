"""What looking for secrets costs, and how often it is wrong; writes `results/redaction.json`.

    .venv/bin/python bench/redaction.py

Speed and hits on the sources of Python's own library and, where it is there, on the lineages of the data folder; the
time that appending takes with and without it. The false hits were counted by looking one by one; see `LOG.md`.
"""

from __future__ import annotations

import gzip
import json
import sys
import sysconfig
import tempfile
import time
from collections import Counter
from pathlib import Path
from unittest import mock

from vademecum import Archive
from vademecum.archive.sqlite import hiding
from vademecum.redaction import Redactor, secrets_in
from vademecum.wire import dialect

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench/results/redaction.json"
LINEAGES = ROOT.parent / "shared/data/lineages"
ROWS = 1_500


def main() -> None:
    """Measures and writes the results."""
    secrets_in("so that the rules are loaded")
    sources = [
        path.read_text("utf-8", "replace")
        for path in sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py"))
        if "site-packages" not in path.parts
    ]
    results = {"code": scanned(sources), "appending": appending(sources)}
    if LINEAGES.is_dir():
        results["lineages"] = scanned(
            [gzip.decompress(path.read_bytes()).decode("utf-8", "replace") for path in sorted(LINEAGES.glob("*.gz"))]
        )
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    print(json.dumps(results, indent=1))


def scanned(texts: list[str]) -> dict[str, object]:
    """Megabytes a second, hits a megabyte and hits by kind."""
    started = time.process_time()
    found = [secrets_in(text) for text in texts]
    seconds = time.process_time() - started
    size = sum(map(len, texts)) / 1e6
    kinds = Counter(secret.kind for secrets in found for secret in secrets)
    return {
        "mb": round(size, 1),
        "mb_per_s": round(size / seconds),
        "hits_per_mb": round(sum(kinds.values()) / size, 2),
        "kinds": dict(kinds.most_common()),
    }


def appending(texts: list[str]) -> dict[str, float]:
    """Seconds of appending the same messages, with the look for secrets and without."""
    rows = [{"role": "user", "content": text[:4_000]} for text in texts[:ROWS]]
    messages = [dialect("openai-chat").load(row, at) for at, row in enumerate(rows)]
    seconds = {"with": 99.0, "without": 99.0}
    for _ in range(3):
        for name, least in list(seconds.items()):
            with tempfile.TemporaryDirectory() as folder, Archive.open(Path(folder) / "a.db") as archive:
                session = archive.session("s", format="openai-chat")
                if name == "without":
                    mock.patch.object(Redactor, "__call__", as_it_is).start()
                    mock.patch.object(hiding, "secrets_in", nothing).start()
                started = time.process_time()
                session.append(messages, [1] * len(messages))
                seconds[name] = min(least, round(time.process_time() - started, 3))
                mock.patch.stopall()
    return {"mb": round(sum(len(row["content"]) for row in rows) / 1e6, 1), **seconds}


def as_it_is(_: Redactor, text: str) -> str:
    """Takes nothing out."""
    return text


def nothing(_: str) -> tuple[()]:
    """Finds nothing."""
    return ()


if __name__ == "__main__":
    sys.exit(main())
