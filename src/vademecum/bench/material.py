"""What all arms are asked about one lineage: two transcripts, their probes, and what one search finds for each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

from vademecum.bench.answerers.reader import SURROUNDINGS, Read
from vademecum.bench.lineage import Lineage, load
from vademecum.bench.probes.cloze import cloze
from vademecum.bench.probes.constraints import constraints
from vademecum.bench.probes.future import future
from vademecum.bench.probes.planted import planted
from vademecum.bench.probes.probe import Probe, probe_of
from vademecum.bench.probes.region import region_of
from vademecum.bench.searching import Excerpt, searched
from vademecum.bench.setting import Setting
from vademecum.core.tokens import TokenCounter
from vademecum.models.tokenizer import count_tokens

#: Excerpts are so far apart that none is the surroundings of another.
APART = "\n" * (2 * SURROUNDINGS)


@dataclass(frozen=True)
class Book:
    """A transcript and what is asked about it.

    Attributes:
        lineage: The prefix, or its copy with planted settings.
        probes: The questions.
        found: Probe id → what one search brings; empty before anything was searched.
    """

    lineage: Lineage
    probes: tuple[Probe, ...]
    found: Mapping[str, tuple[Excerpt, ...]]

    @cached_property
    def reads(self) -> dict[str, Read]:
        """What each search brought, taken in by the reader."""
        return {name: Read(APART.join(hit.text for hit in hits)) for name, hits in self.found.items()}


@dataclass(frozen=True)
class Material:
    """A lineage's prefix as it is, and with planted settings."""

    plain: Book
    planted: Book

    @property
    def books(self) -> tuple[Book, Book]:
        """Both of them."""
        return self.plain, self.planted

    @property
    def probes(self) -> tuple[Probe, ...]:
        """All questions."""
        return self.plain.probes + self.planted.probes


def prepared(path: Path, setting: Setting) -> Material:
    """Makes the probes of a lineage; nothing is searched yet.

    Args:
        path: The lineage's file, or a session log.
        setting: How long, how many, which seed.
    """
    whole = load(path)
    lineage = whole.prefix(setting.tokens)
    region = region_of(lineage)
    probes = (
        *cloze(region, setting.cloze, setting.seed),
        *cloze(region, setting.others, setting.seed, holdout=True),
        *future(region, whole.messages[len(lineage.messages) :], setting.others, setting.seed),
        *constraints(region, setting.others, setting.seed),
    )
    extra = planted(region, setting.seed)
    return Material(Book(lineage, probes, {}), Book(extra.lineage, extra.latest + extra.abstention, {}))


def with_searches(material: Material, setting: Setting) -> Material:
    """The same with one search made for each probe."""
    counter = TokenCounter(count_tokens)
    made = [
        Book(book.lineage, book.probes, _tuples(searched(book.lineage, book.probes, counter, setting.seed)))
        for book in material.books
    ]
    return Material(made[0], made[1])


def save(material: Material, folder: Path) -> None:
    """Writes `probes.jsonl` and `found.jsonl`."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "probes.jsonl", (probe.as_dict() for probe in material.probes))
    _write(
        folder / "found.jsonl",
        (
            {"probe": name, "excerpts": [asdict(hit) for hit in hits]}
            for book in material.books
            for name, hits in book.found.items()
        ),
    )


def loaded(path: Path, setting: Setting, folder: Path) -> Material:
    """The material of a lineage with the searches that `save` wrote for it."""
    found = {
        row["probe"]: tuple(Excerpt(**hit) for hit in row["excerpts"])
        for row in map(json.loads, (folder / "found.jsonl").read_text("utf-8").splitlines())
    }
    material = prepared(path, setting)
    made = [
        Book(book.lineage, book.probes, {probe.id: found[probe.id] for probe in book.probes})
        for book in material.books
    ]
    return Material(made[0], made[1])


def probes_in(folder: Path) -> list[Probe]:
    """The probes that `save` wrote."""
    return [probe_of(json.loads(line)) for line in (folder / "probes.jsonl").read_text("utf-8").splitlines()]


def _tuples(found: Mapping[str, list[Excerpt]]) -> dict[str, tuple[Excerpt, ...]]:
    return {name: tuple(hits) for name, hits in found.items()}


def _write(path: Path, rows: Iterable[dict[str, object]]) -> None:
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8", errors="surrogatepass") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=True) + "\n")
    part.replace(path)
