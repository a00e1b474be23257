"""What the proxy adds to a request below the trigger, beside a pass-through that buffers the body and parses it once.

    .venv/bin/python bench/perf/proxying.py

Writes `results/perf/proxying.json`; `bench/proxy.py` says how it is measured, and measures more.
"""

from __future__ import annotations

import json
import subprocess
import sys

from figures import ROOT, write

AIM = 1.5


def main() -> None:
    """Measures both formats."""
    done = subprocess.run([sys.executable, ROOT / "bench/proxy.py", "latency"], check=True, stdout=subprocess.PIPE)
    found = dict(zip(("openai-chat", "anthropic"), map(json.loads, done.stdout.splitlines()), strict=True))
    aims = {f"{name}: added to what a pass-through adds": (row["ratio_added"], AIM) for name, row in found.items()}
    write("proxying", aims, {"formats": found})


if __name__ == "__main__":
    main()
