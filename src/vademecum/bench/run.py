"""A run: every arm on every lineage, each result a file of its own, so that an interrupted run goes on."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from vademecum.bench.arms.arm import Job, Kept, Row
from vademecum.bench.cost import unchanged
from vademecum.bench.material import Book, Material, loaded, prepared, save, with_searches
from vademecum.bench.passages import reading_of
from vademecum.bench.score import Context, answered
from vademecum.bench.setting import Setting
from vademecum.bench.shapes import identifiers
from vademecum.core.tokens import TokenCounter
from vademecum.errors import ConfigError
from vademecum.models.tokenizer import count_tokens
from vademecum.summarizers import Summarizer

RUN, ARM = "vademecum.bench.run/1", "vademecum.bench.arm/1"
#: Where in a lineage's folder the second and further results of an arm with a model stand.
REPLICATES = "replicates"
#: Called with what was done, how much of the run is done, and how much there is.
Note = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Run:
    """A run's folder and what it is made with.

    Attributes:
        folder: Where everything is written.
        lineages: Name → file.
        setting: Lengths, numbers, seed.
        rows: The arms.
    """

    folder: Path
    lineages: dict[str, Path]
    setting: Setting
    rows: tuple[Row, ...]

    def units(self) -> Iterator[tuple[str, Row]]:
        """(lineage, arm) for everything that is to be done."""
        for name in self.lineages:
            for row in self.rows:
                yield name, row

    def result(self, lineage: str, arm: str, replicate: int = 0) -> Path:
        """Where an arm's result for a lineage stands; further replicates stand in a folder of their own."""
        within = self.folder / lineage
        return within / REPLICATES / f"{arm}.{replicate + 1}.json" if replicate else within / f"{arm}.json"


def run(asked: Run, *, jobs: int = 1, note: Note | None = None) -> None:
    """Does what of a run is not done yet; arms that need a model are left to `summaries.drive`.

    Args:
        asked: The run.
        jobs: How many processes.
        note: Told of each thing that is done.

    Raises:
        ConfigError: The folder holds a run with another setting or other lineages.
    """
    _begin(asked)
    missing = [name for name in asked.lineages if not (asked.folder / name / "found.jsonl").exists()]
    units = [
        (name, row)
        for name, row in asked.units()
        if not row.needs_model and not asked.result(name, row.name).exists()
    ]
    stages: tuple[list[Task], list[Task]] = (
        [(f"{name}: probes", partial(_prepare, asked, name)) for name in missing],
        [(f"{name}: {row.name}", partial(_do, asked, name, row)) for name, row in units],
    )
    done = 0
    for stage in stages:
        for what in finished(stage, jobs):
            done += 1
            if note is not None:
                note(what, done, len(missing) + len(units))


Task = tuple[str, Callable[[], None]]


def finished(tasks: Sequence[Task], jobs: int) -> Iterator[str]:
    """Does tasks, several at a time, and tells of each when it is done."""
    if jobs == 1 or len(tasks) <= 1:
        for what, task in tasks:
            task()
            yield what
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(task): what for what, task in tasks}
        for ready in as_completed(waiting):
            ready.result()
            yield waiting[ready]


def _begin(asked: Run) -> None:
    """Writes what the run is, or checks that it is the one that was begun."""
    head = {"schema": RUN, "setting": asked.setting.as_dict(), "lineages": sorted(asked.lineages)}
    path = asked.folder / "run.json"
    if path.exists():
        held = json.loads(path.read_text("utf-8"))
        if held != head:
            raise ConfigError(
                f"{asked.folder} holds a run with another setting or other lineages",
                hint="name another folder, or the same setting to go on with it",
            )
        return
    asked.folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(head, indent=1) + "\n", "utf-8")


def _prepare(asked: Run, name: str) -> None:
    save(with_searches(prepared(asked.lineages[name], asked.setting), asked.setting), asked.folder / name)


@lru_cache(maxsize=2)
def _material(path: Path, setting: Setting, folder: Path) -> Material:
    return loaded(path, setting, folder)


def material_of(asked: Run, name: str) -> Material:
    """A lineage of a run with its probes and what was found for them; the last two are held."""
    return _material(asked.lineages[name], asked.setting, asked.folder / name)


def _do(asked: Run, name: str, row: Row) -> None:
    material = material_of(asked, name)
    made = [kept_by(job_of(book, row, asked.setting), row) for book in material.books]
    write_result(asked, name, row, scored(material, row, [kept for kept, _ in made]), made[0][1])


def write_result(
    asked: Run, name: str, row: Row, result: Mapping[str, Any], seconds: float, replicate: int = 0
) -> None:
    """Writes an arm's result for a lineage, and how long it took into a file of its own."""
    path = asked.result(name, row.name, replicate)
    head: dict[str, Any] = {"schema": ARM, "arm": row.name, "lineage": name}
    if replicate:
        head["replicate"] = replicate + 1
    _write(path.with_suffix(".timing.json"), {**head, "seconds": round(seconds, 3)})
    _write(path, {**head, **result})


def scored(material: Material, row: Row, made: Sequence[Kept]) -> dict[str, Any]:
    """What the answerers without a model make of what an arm keeps of a lineage.

    Args:
        material: The lineage and its probes.
        row: The arm.
        made: What it keeps of each of the material's books.
    """
    answers: list[dict[str, Any]] = []
    for book, kept in zip(material.books, made, strict=True):
        answers += answered(book.probes, Context(kept.messages), book.reads if row.searches else None)
    counter = TokenCounter(count_tokens)
    lineage, kept = material.plain.lineage, made[0]
    return {
        "tokens_before": sum(counter.messages(lineage.messages)),
        "tokens": sum(counter.messages(kept.messages)),
        "unchanged": unchanged(lineage.messages, kept.messages, counter),
        "messages": len(kept.messages),
        "invented": invented(material.plain, kept),
        "details": dict(kept.details),
        "answers": answers,
    }


def job_of(book: Book, row: Row, setting: Setting, summarizer: Summarizer | None = None) -> Job:
    """What an arm is given for a book."""
    counter = TokenCounter(count_tokens)
    return Job(book.lineage, counter, setting.window, setting.target, row.options, setting.seed, summarizer)


def kept_by(job: Job, row: Row) -> tuple[Kept, float]:
    """What an arm keeps, and how many seconds it took."""
    started = time.perf_counter()
    kept = row.arm(job)
    return kept, time.perf_counter() - started


def invented(book: Book, kept: Kept) -> list[str]:
    """Identifiers of a context that stand nowhere in the transcript (ids of an archive have no such shape)."""
    source = reading_of(book.lineage.messages)
    names = dict.fromkeys(name for _, name, _ in identifiers(reading_of(kept.messages)))
    return [name for name in names if name not in source]


def _write(path: Path, value: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(value, indent=1) + "\n", "utf-8")
    part.replace(path)
