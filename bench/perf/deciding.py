"""What a request costs for which nothing is to be done, from 50,000 to a million tokens.

    .venv/bin/python bench/perf/deciding.py

Writes `results/perf/deciding.json`; `bench/decide.py` says how it is measured.
"""

from __future__ import annotations

import json
import subprocess
import sys

from figures import ROOT, write

#: Recognising a copy of the list to comparing two copies; and the rest at a million tokens to that at 50,000.
RECOGNITION, GROWTH = 3.0, 2.0


def main() -> None:
    """Runs the bench and keeps its figures."""
    subprocess.run([sys.executable, ROOT / "bench/decide.py"], check=True, stdout=subprocess.DEVNULL)
    found = json.loads((ROOT / "bench/results/decide.json").read_text("utf-8"))
    ratios = [row["recognition_to_comparison"] for row in found["sizes"].values()]
    aims = {
        "recognising a transcript to comparing it": (max(ratios), RECOGNITION),
        "the rest, a million tokens to 50,000": (found["growth_of_the_rest"], GROWTH),
    }
    write("deciding", aims, {"sizes": found["sizes"]})


if __name__ == "__main__":
    main()
