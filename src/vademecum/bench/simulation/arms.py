"""Several arms on one lineage, each a file of its own, so that an interrupted simulation goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from vademecum.bench.arms.arm import Row
from vademecum.bench.lineage import build
from vademecum.bench.simulation.pool import Pool, pool_of
from vademecum.bench.simulation.setting import Setting
from vademecum.bench.simulation.simulate import simulate
from vademecum.errors import ConfigError

SIMULATION = "vademecum.bench.simulation/1"
#: Told of an arm, the messages that it took, and how many there are.
Note = Callable[[str, int, int], None]
Lines = list[dict[str, Any]]


@dataclass(frozen=True)
class Simulated:
    """An arm that is done.

    Attributes:
        arm: Its name.
        lines: Its compactions, and last how it ended.
    """

    arm: str
    lines: Lines

    @property
    def cycles(self) -> Lines:
        """The compactions."""
        return self.lines[:-1]

    @property
    def end(self) -> dict[str, Any]:
        """How it ended."""
        return self.lines[-1]


def simulated(
    files: Sequence[Path],
    rows: Sequence[Row],
    setting: Setting,
    *,
    folder: Path | None = None,
    jobs: int = 1,
    note: Note | None = None,
) -> Iterator[Simulated]:
    """Simulates arms, and tells of each in its turn.

    Args:
        files: What is chained.
        rows: The arms.
        setting: Trigger, window, seed.
        folder: Where `ARM.jsonl` is written for each; an arm that stands there is not simulated again.
        jobs: How many processes.
        note: Told of progress; from other processes of done arms only.

    Raises:
        ConfigError: The folder holds a simulation with another setting or other files.
    """
    for row in rows:
        setting.budget(row)  # what is out of range is said before anything is read
    if folder is not None:
        _begin(folder, setting, files)
    missing = [row for row in rows if folder is None or not _file(folder, row).exists()]
    fresh: Iterator[Lines] = iter(())
    if missing:
        lineage = build(files, name=files[0].name.split(".")[0])
        pool = pool_of(lineage, setting.seed) if setting.probes else Pool(lineage)
        fresh = _made(pool, missing, setting, jobs, note)
    for row in rows:
        if row in missing:
            lines = next(fresh)
            if folder is not None:
                _write(_file(folder, row), lines)
        else:
            assert folder is not None  # noqa: S101  # only files make an arm not missing
            lines = [json.loads(line) for line in _file(folder, row).read_text("utf-8").splitlines()]
        yield Simulated(row.name, lines)


def _made(pool: Pool, rows: Sequence[Row], setting: Setting, jobs: int, note: Note | None) -> Iterator[Lines]:
    if jobs == 1 or len(rows) == 1:
        for row in rows:

            def tell(cycles: int, at: int, total: int, name: str = row.name) -> None:
                if note is not None:
                    note(f"{name}, {cycles} cycles", at, total)

            yield list(simulate(pool, row, setting, tell))
        return
    with ProcessPoolExecutor(min(jobs, len(rows)), mp_context=get_context("spawn")) as workers:
        for number, lines in enumerate(workers.map(partial(_one, pool, setting), rows), 1):
            if note is not None:
                note(rows[number - 1].name, number, len(rows))
            yield lines


def _one(pool: Pool, setting: Setting, row: Row) -> Lines:
    return list(simulate(pool, row, setting))


def _file(folder: Path, row: Row) -> Path:
    return folder / f"{row.name}.jsonl"


def _begin(folder: Path, setting: Setting, files: Sequence[Path]) -> None:
    head = {"schema": SIMULATION, "setting": setting.as_dict(), "files": [file.name for file in files]}
    path = folder / "simulation.json"
    if path.exists():
        if json.loads(path.read_text("utf-8")) != head:
            raise ConfigError(
                f"{folder} holds a simulation with another setting or other files",
                hint="name another folder, or the same setting to go on with it",
            )
        return
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(head, indent=1) + "\n", "utf-8")


def _write(path: Path, lines: Lines) -> None:
    part = path.with_suffix(".part")
    part.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    part.replace(path)
