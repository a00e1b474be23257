"""What `import vademecum` adds to a bare interpreter, and what the smallest command takes.

    .venv/bin/python bench/perf/startup.py

Writes `results/perf/startup.json`.
"""

from __future__ import annotations

import subprocess
import sys
from statistics import median

from figures import timed, write

PAIRS = 21


def main() -> None:
    """Measures in pairs."""
    imports = [run("-c", "import vademecum") - run("-c", "pass") for _ in range(PAIRS)]
    version = [run("-m", "vademecum", "--version") - run("-c", "pass") for _ in range(PAIRS)]
    found = {"import_ms": round(median(imports), 1), "version_ms": round(median(version), 1), "pairs": PAIRS}
    write("startup", {"import vademecum, ms": (found["import_ms"], 150.0)}, found)


def run(*arguments: str) -> float:
    """Milliseconds of a fresh interpreter."""
    return timed(lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)).wall


if __name__ == "__main__":
    main()
