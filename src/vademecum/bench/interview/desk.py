"""One lineage of a run, as those who ask models about it need it: read when it is needed, and only then."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

from vademecum.bench.interview.kept import Shown, read
from vademecum.bench.interview.plan import Plan
from vademecum.bench.lineage import Lineage, load
from vademecum.bench.material import probes_in
from vademecum.bench.probes.facts import Facts, facts
from vademecum.bench.probes.planted import planted
from vademecum.bench.probes.probe import Probe, probe_of
from vademecum.bench.probes.region import Region, region_of
from vademecum.bench.probes.slices import Slice, slices
from vademecum.bench.score import Context, answered
from vademecum.bench.searching import Searcher
from vademecum.bench.setting import Setting
from vademecum.core.tokens import TokenCounter
from vademecum.models.tokenizer import count_tokens


class Desk:
    """A lineage's folder.

    Args:
        folder: Of the lineage, in the run.
        name: Of the lineage.
        setting: The run's.
        plan: What models are asked.
    """

    def __init__(self, folder: Path, name: str, setting: Setting, plan: Plan) -> None:
        self.name = name
        self.plan = plan
        self._folder = folder
        self._setting = setting
        self._shown: dict[str, dict[str, Shown]] = {}
        self._searchers: dict[str, Searcher] = {}
        self._found: dict[tuple[str, str], str] = {}

    @cached_property
    def lineage(self) -> Lineage:
        """Its prefix."""
        return load(self._folder / "kept" / f"{self.name}.jsonl.gz")

    @cached_property
    def region(self) -> Region:
        """What is asked about."""
        return region_of(self.lineage)

    @cached_property
    def slices(self) -> list[Slice]:
        """The region for a writer."""
        return slices(self.region, self.plan.facts)

    @cached_property
    def abstention(self) -> tuple[Probe, ...]:
        """Questions without answer, about the copy with planted settings."""
        found = [probe for probe in probes_in(self._folder) if probe.kind == "abstention"]
        return tuple(found[: self.plan.abstention])

    @cached_property
    def facts(self) -> tuple[Probe, ...] | None:
        """The fact questions, None before they are written."""
        path = self._folder / "kept" / "facts.jsonl"
        if not path.exists():
            return None
        return tuple(probe_of(json.loads(line)) for line in path.read_text("utf-8").splitlines()[1:])

    def shown(self, arm: str, book: str) -> Shown:
        """What an arm keeps of one of the lineage's two transcripts."""
        if arm not in self._shown:
            self._shown[arm] = read(self._folder, arm)
        return self._shown[arm][book]

    def find(self, book: str, query: str) -> str:
        """What a search of one of the two transcripts brings, as a model is shown it."""
        if (book, query) not in self._found:
            hits = self._searcher(book).find(query)
            told = "\n\n".join(f"[{hit.id}] {hit.text}" for hit in hits)
            self._found[book, query] = told or "(the search found nothing)"
        return self._found[book, query]

    def _searcher(self, book: str) -> Searcher:
        if book not in self._searchers:
            plain = self.lineage
            whole = plain if book == "plain" else planted(self.region, self._setting.seed).lineage
            self._searchers[book] = Searcher(whole, TokenCounter(count_tokens), self._setting.seed)
        return self._searchers[book]

    def close(self) -> None:
        """Gives back what searching took."""
        for searcher in self._searchers.values():
            searcher.close()
        self._searchers.clear()

    def ask(self, written: dict[int, Sequence[dict[str, Any]]], failures: int) -> None:
        """Makes the fact questions of what was written, and answers them without a model.

        Args:
            written: Number of a slice → questions.
            failures: About how many slices the writer gave nothing that could be read, twice.
        """
        made = facts(self.region, written, self.plan.facts, self._setting.seed)
        rows = self._without_model(made)
        _write(self._folder / "kept" / "fact_answers.jsonl", rows)
        head = {
            "schema": "vademecum.bench.facts/1",
            "lineage": self.name,
            "slices": len(self.slices),
            "unreadable": failures,
            "written": made.written,
            "asked": len(made.probes),
            "rejects": dict(made.rejects),
            "spare": made.spare,
        }
        _write(self._folder / "kept" / "facts.jsonl", [head, *(asdict(probe) for probe in made.probes)])
        del self.facts

    def _without_model(self, made: Facts) -> list[dict[str, Any]]:
        from vademecum.bench.answerers.reader import Read
        from vademecum.bench.material import APART

        searcher = self._searcher("plain")
        found = {probe.id: Read(APART.join(hit.text for hit in searcher.find(probe.query))) for probe in made.probes}
        dialect = self.lineage.dialect
        rows: list[dict[str, Any]] = []
        for arm in self.plan.arms:
            reading = self.shown(arm, "plain").reading
            context = Context((dialect.load(dialect.user([reading]), 0),) if reading else ())
            rows.append({"arm": arm, "answers": answered(made.probes, context, found)})
        return rows


def about_facts(folder: Path) -> dict[str, Any] | None:
    """How the fact questions of a lineage came about: written, asked, rejects by reason; None before that.

    Args:
        folder: The lineage's folder in the run.
    """
    path = folder / "kept" / "facts.jsonl"
    return json.loads(path.read_text("utf-8").splitlines()[0]) if path.exists() else None


def facts_in(folder: Path) -> list[Probe]:
    """The fact questions of a lineage, none before they are written."""
    path = folder / "kept" / "facts.jsonl"
    lines = path.read_text("utf-8").splitlines()[1:] if path.exists() else []
    return [probe_of(json.loads(line)) for line in lines]


def fact_answers(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Arm → what the answerers without a model make of the fact questions."""
    path = folder / "kept" / "fact_answers.jsonl"
    rows = map(json.loads, path.read_text("utf-8").splitlines()) if path.exists() else ()
    return {row["arm"]: row["answers"] for row in rows}


def _write(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    part = path.with_suffix(".part")
    part.write_text("".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows), "utf-8")
    part.replace(path)
