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
from concurrent.futures import ProcessPoolExecutor, as_completed
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
from vademecum.bench.simulation.simulate import Known, simulate

ROOT = Path(__file__).resolve().parents[1]
SEED = 1
CHAIN = ("entire-statemachine", "entire-explain", "entire-attribution", "entire-shadow", "entire-onetoone")
LINEAGES = {
    "chain": CHAIN,
    **{name: (name,) for name in ("entire-statemachine", "agentv-dashboard", "cipherbox-sharing")},
}
#: The arms of a job: the last two come to the same contexts, so what is asked of the one is not asked of the other.
TOGETHER = (("vademecum",), ("hermes",), ("drop-results", "decision"))
ARMS = tuple(arm for arms in TOGETHER for arm in arms)


@dataclass(frozen=True)
class Runs:
    """A setting for the chain, and the same for single lineages, which have fewer compactions."""

    chain: Setting
    single: Setting

    def of(self, lineage: str) -> Setting:
        """That of a lineage."""
        return self.chain if lineage == "chain" else self.single


def runs(every: int, single: int, most: int = 0, passes: int = 1, **size: int) -> Runs:
    """A trigger or a window; questions after the first compaction and each `every`, `single` of a single lineage."""
    return Runs(
        Setting(probes=90, every=every, cycles=most, passes=passes, seed=SEED, **size),
        Setting(probes=60, every=single, cycles=most, seed=SEED, **size),
    )


#: The longest first, so that no process is left with one of them at the end.
SETTINGS = {
    "trigger-500000": runs(20, 1, 100, 8, trigger=500_000),
    "trigger-160000": runs(10, 3, 100, 3, trigger=160_000),
    "window-128000": runs(21, 8, window=128_000),
    "window-200000": runs(14, 5, window=200_000),
    "window-1000000": runs(11, 4, window=1_000_000),
    # So small a window has many hundreds of compactions on the chain; 120 show what becomes of them.
    "window-32000": runs(20, 30, 120, window=32_000),
}
#: Setting, lineage, arms.
Job = tuple[str, str, tuple[str, ...]]


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
    left: list[Job] = []
    for lineage in options.lineage or LINEAGES:
        for setting in options.only or SETTINGS:
            for together in TOGETHER:
                arms = [arm for arm in together if arm in (options.arm or ARMS)]
                missing = tuple(arm for arm in arms if not _done(options, setting, lineage, arm))
                if missing:
                    left.append((setting, lineage, missing))
    return left


def _done(options: argparse.Namespace, setting: str, lineage: str, arm: str) -> bool:
    """Whether there is nothing to do for an arm; else what the results have of it is taken out."""
    held = read(options.out, setting)
    now = SETTINGS[setting].of(lineage).as_dict()
    found = held.get(lineage, {"setting": None, "arms": {}})
    if found["setting"] != now:
        found = held[lineage] = {"setting": now, "arms": {}}
    if options.resume and arm in found["arms"]:
        return True
    found["arms"].pop(arm, None)
    write(options.out, setting, held)
    return False


def _all(jobs: list[Job], options: argparse.Namespace, folder: Path, started: float) -> None:
    out = options.out
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as workers:
        names = [name for name in LINEAGES if any(lineage == name for _, lineage, _ in jobs)]
        for name in workers.map(_prepared, names, [options.data] * len(names), [folder] * len(names)):
            print(f"{time.perf_counter() - started:4.0f} s  {name} read for questions", flush=True)
        waiting = {workers.submit(_measured, job, folder): job for job in jobs}
        for number, done in enumerate(as_completed(waiting), 1):
            setting, lineage, _ = waiting[done]
            for arm, found in done.result().items():
                seconds = found.pop("seconds")
                _keep(out, setting, lineage, arm, found)
                print(
                    f"{time.perf_counter() - started:4.0f} s  {number}/{len(jobs)} {setting} {lineage} {arm}: "
                    f"{found['end']['end_state']} after {found['end']['cycles']} compactions, "
                    f"{seconds:.0f} s of computing",
                    flush=True,
                )


def _keep(out: Path, setting: str, lineage: str, arm: str, found: dict[str, Any]) -> None:
    """Enters an arm into the results, in the order of lineages and arms."""
    held = read(out, setting)
    arms = held[lineage]["arms"] | {arm: found}
    held[lineage]["arms"] = {name: arms[name] for name in ARMS if name in arms}
    write(out, setting, {name: held[name] for name in LINEAGES if name in held})


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


def _measured(job: Job, folder: Path) -> dict[str, dict[str, Any]]:
    """The arms of one job: how each ended, a row of figures for each compaction, and what it took."""
    setting, lineage, arms = job
    known: Known = {}
    done: dict[str, dict[str, Any]] = {}
    for row in chosen(arms):
        started = time.process_time()
        lines = simulate(_pool(_file(folder, lineage)), row, SETTINGS[setting].of(lineage), known=known)
        *cycles, end = ((figures(line) if "cycle" in line else line) for line in lines)
        kept = {key: value for key, value in end.items() if key not in ("schema", "arm")}
        done[row.name] = {"end": kept, "cycles": cycles, "seconds": time.process_time() - started}
    return done


if __name__ == "__main__":
    main()
