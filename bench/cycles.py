"""Compaction repeated over lineages and a chain of them; writes `results/cycles/*.json` and their part of the page.

    .venv/bin/python bench/cycles.py [DATA] [--only SETTING] [--arm ARM] [--lineage NAME] [--resume] [--jobs N]

DATA is the folder with `lineages/`; by default `../shared/data` beside the project, which is optional. The chain is
five lineages of one program; the triggers 160,000 and 500,000 are the published ones, and there the chain is gone
through again, each time with other identifiers, until a hundred compactions were made. Every setting, lineage and
arm is a job of its own: what is done stands in the results at once, and `--resume` does what is missing. Without it
the jobs that are named are measured anew. The same seed gives the same bytes. Figures only, no texts.
"""

from __future__ import annotations

import argparse
import os
import pickle
import tempfile
import time
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from cycles_page import renew
from cycles_results import RESULTS, figures, read, write
from vademecum.bench.arms.table import chosen
from vademecum.bench.lineage import build
from vademecum.bench.simulation.pool import Pool, pool_of
from vademecum.bench.simulation.setting import Setting
from vademecum.bench.simulation.simulate import simulate

ROOT = Path(__file__).resolve().parents[1]
SEED = 1
CHAIN = ("entire-statemachine", "entire-explain", "entire-attribution", "entire-shadow", "entire-onetoone")
LINEAGES = {
    "chain": CHAIN,
    **{name: (name,) for name in ("entire-statemachine", "agentv-dashboard", "cipherbox-sharing")},
}
#: The longest jobs first, so that no process is left with one of them at the end.
ARMS = ("vademecum", "hermes", "drop-results", "decision")


@dataclass(frozen=True)
class Runs:
    """A setting for the chain, and the same for single lineages, which have fewer compactions."""

    chain: Setting
    single: Setting

    def of(self, lineage: str) -> Setting:
        """That of a lineage."""
        return self.chain if lineage == "chain" else self.single


def runs(every: int, most: int = 0, passes: int = 1, **size: int) -> Runs:
    """A trigger or a window; questions after the first compaction and each tenth, on single lineages each `every`."""
    return Runs(
        Setting(probes=90, every=10, cycles=most, passes=passes, seed=SEED, **size),
        Setting(probes=60, every=every, cycles=most, seed=SEED, **size),
    )


SETTINGS = {
    "trigger-500000": runs(1, 100, 8, trigger=500_000),
    "trigger-160000": runs(3, 100, 3, trigger=160_000),
    "window-1000000": runs(4, window=1_000_000),
    "window-200000": runs(5, window=200_000),
    "window-128000": runs(8, window=128_000),
    # So small a window has many hundreds of compactions on the chain; 120 show what becomes of them.
    "window-32000": runs(30, 120, window=32_000),
}
Job = tuple[str, str, str]


def main() -> None:
    """Does the jobs that are named, and writes the results after each."""
    options = _options()
    if not (options.data / "lineages").is_dir():
        raise SystemExit(f"there is no {options.data / 'lineages'}: the bench needs the lineages")
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        _all(_jobs(options), options, Path(folder), started)
    if options.out == RESULTS:
        renew()
    print(f"{time.perf_counter() - started:.0f} s", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", nargs="?", type=Path, default=ROOT / "../shared/data")
    parser.add_argument("--only", action="append", choices=SETTINGS, help="a setting; may be repeated")
    parser.add_argument("--arm", action="append", choices=ARMS)
    parser.add_argument("--lineage", action="append", choices=LINEAGES)
    parser.add_argument("--resume", action="store_true", help="keep what is there, and do what is missing")
    parser.add_argument("-o", "--out", type=Path, default=RESULTS, help="where the results are written")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


def _jobs(options: argparse.Namespace) -> list[Job]:
    """The jobs to do; what the results have of them from another setting, or from before, is taken out."""
    wanted = [
        (setting, lineage, arm)
        for lineage in LINEAGES
        for setting in SETTINGS
        for arm in ARMS
        if setting in (options.only or SETTINGS)
        and lineage in (options.lineage or LINEAGES)
        and arm in (options.arm or ARMS)
    ]
    out, left = options.out, list[Job]()
    for setting, lineage, arm in wanted:
        held = read(out, setting)
        done = held.get(lineage, {"setting": None, "arms": {}})
        if done["setting"] == SETTINGS[setting].of(lineage).as_dict():
            if options.resume and arm in done["arms"]:
                continue
            done["arms"].pop(arm, None)
        else:
            held[lineage] = {"setting": SETTINGS[setting].of(lineage).as_dict(), "arms": {}}
        write(out, setting, held)
        left.append((setting, lineage, arm))
    return left


def _all(jobs: list[Job], options: argparse.Namespace, folder: Path, started: float) -> None:
    out = options.out
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as workers:
        names = [name for name in LINEAGES if any(lineage == name for _, lineage, _ in jobs)]
        for name in workers.map(_prepared, names, [options.data] * len(names), [folder] * len(names)):
            print(f"{time.perf_counter() - started:4.0f} s  {name} read for questions", flush=True)
        waiting: dict[Future[dict[str, Any]], Job] = {workers.submit(_measured, job, folder): job for job in jobs}
        for number, done in enumerate(as_completed(waiting), 1):
            setting, lineage, arm = waiting[done]
            found = done.result()
            held = read(out, setting)
            held[lineage]["arms"][arm] = found["figures"]
            order = {name: held[lineage]["arms"][name] for name in ARMS if name in held[lineage]["arms"]}
            held[lineage]["arms"] = order
            write(out, setting, {name: held[name] for name in LINEAGES if name in held})
            end = found["figures"]["end"]
            print(
                f"{time.perf_counter() - started:4.0f} s  {number}/{len(jobs)} {setting} {lineage} {arm}: "
                f"{end['end_state']} after {end['cycles']} compactions, {found['seconds']:.0f} s of computing",
                flush=True,
            )


def _prepared(name: str, data: Path, folder: Path) -> str:
    """Reads a lineage for questions, once for all jobs."""
    lineage = build([data / f"lineages/{one}.jsonl.gz" for one in LINEAGES[name]], name=name)
    _file(folder, name).write_bytes(pickle.dumps(pool_of(lineage, SEED)))
    return name


@lru_cache(1)
def _pool(path: Path) -> Pool:
    return pickle.loads(path.read_bytes())  # written by this run


def _file(folder: Path, lineage: str) -> Path:
    return folder / f"{lineage}.pickle"


def _measured(job: Job, folder: Path) -> dict[str, Any]:
    """One job: how it ended, and a row of figures for each compaction."""
    setting, lineage, arm = job
    started = time.process_time()
    (row,) = chosen([arm])
    lines = simulate(_pool(_file(folder, lineage)), row, SETTINGS[setting].of(lineage))
    *cycles, end = ((figures(line) if "cycle" in line else line) for line in lines)
    kept = {key: value for key, value in end.items() if key not in ("schema", "arm")}
    return {"figures": {"end": kept, "cycles": cycles}, "seconds": time.process_time() - started}


if __name__ == "__main__":
    main()
