"""What was asked of arms, and what each answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vademecum.bench.probes.probe import Probe


@dataclass(frozen=True)
class Asked:
    """A probe with the lineage that it is about."""

    lineage: str
    probe: Probe

    @property
    def key(self) -> tuple[str, str]:
        """Unique within a run."""
        return self.lineage, self.probe.id

    @property
    def stratum(self) -> str:
        """What the headline counts it to."""
        return "dialogue" if self.probe.where in ("user", "assistant") else self.probe.where


Answers = Mapping[tuple[str, str], dict[str, Any]]


def answers_of(rows: Iterable[dict[str, Any]]) -> dict[tuple[str, str], dict[str, Any]]:
    """(lineage, probe) → what came of it."""
    return {(row["lineage"], answer["probe"]): answer for row in rows for answer in row["answers"]}


def points_of(
    results: Mapping[str, Sequence[dict[str, Any]]], asked: Sequence[Asked], mode: str
) -> dict[str, dict[Asked, float]]:
    """Arm → cloze question → what it got for it, from 0 to 1, in a mode."""
    cloze = [one for one in asked if one.probe.kind == "cloze"]
    found: dict[str, dict[Asked, float]] = {}
    for arm, rows in results.items():
        answers = answers_of(rows)
        found[arm] = {one: answers[one.key][mode]["points"] / 2 for one in cloze if mode in answers.get(one.key, {})}
    return found
