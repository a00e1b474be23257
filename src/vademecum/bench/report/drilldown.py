"""What stands behind the figures: every probe, what each arm answered and from what, and what the search found.

Arms mostly answer from the same sentences, so each text stands once, in a list that the rest points into.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vademecum.bench.interview.desk import facts_in
from vademecum.bench.material import probes_in
from vademecum.bench.probes.probe import Probe
from vademecum.bench.report.said import said_in
from vademecum.bench.results import MODES, results_in

#: Bits above the points, which are 0, 1 or 2.
PRESENT, STALE = 4, 8
_GAP = re.compile(r"\n{3,}")


@dataclass(frozen=True)
class Cut:
    """How much of the texts goes into a page.

    Attributes:
        excerpt: Characters of each excerpt that a search found.
        evidence: Characters of what an answer was read from.
    """

    excerpt: int
    evidence: int


@dataclass
class _Texts:
    """Texts, each once."""

    texts: list[str] = field(default_factory=list[str])
    numbers: dict[str, int] = field(default_factory=dict[str, int])

    def number(self, text: str) -> int:
        if text not in self.numbers:
            self.numbers[text] = len(self.texts)
            self.texts.append(text)
        return self.numbers[text]


def drilldown(run: Path, cut: Cut) -> dict[str, Any]:
    """All probes of a run with all answers.

    Args:
        run: A run's folder.
        cut: How much of the texts is wanted.

    Returns:
        JSON data: `texts`; `probes`, each with what the search found; and for each arm and mode a list as long as
        that of the probes, of `[points and bits, answer, evidence]` or null; `models`, what models answered.
    """
    head = json.loads((run / "run.json").read_text("utf-8"))
    names = [name for name in head["lineages"] if (run / name / "probes.jsonl").exists()]
    texts = _Texts()
    probes: list[dict[str, Any]] = []
    spots: dict[tuple[str, str], list[int]] = defaultdict(list)
    for name in names:
        found = _found(run / name)
        for probe in (*probes_in(run / name), *facts_in(run / name)):
            spots[name, probe.id].append(len(probes))
            excerpts = [_excerpt(hit, probe, cut, texts) for hit in found.get(probe.id, ())]
            asked = {**probe.as_dict(), "words": list(probe.words), "stale": list(probe.stale)}
            probes.append({"lineage": name, **asked, "found": excerpts})
    arms: dict[str, dict[str, list[Any]]] = {}
    for row in (row for rows in results_in(run, names, merge=False).values() for row in rows):
        modes = arms.setdefault(row["arm"], {mode: [None] * len(probes) for mode in MODES})
        met = Counter[str]()
        for answer in row["answers"]:
            same = spots[row["lineage"], answer["probe"]]
            if not same:
                continue
            spot = same[met[answer["probe"]] % len(same)]  # answers stand in the probes' order; an id may come twice
            met[answer["probe"]] += 1
            for mode in MODES:
                if mode in answer:
                    modes[mode][spot] = _outcome(answer[mode], cut, texts)
    models = said_in(run, spots, lambda text: texts.number(around(text, "", cut.evidence)))
    return {"texts": texts.texts, "probes": probes, "arms": dict(sorted(arms.items())), "models": models}


def _found(folder: Path) -> dict[str, list[dict[str, str]]]:
    path = folder / "found.jsonl"
    if not path.exists():
        return {}
    return {row["probe"]: row["excerpts"] for row in map(json.loads, path.read_text("utf-8").splitlines())}


def _outcome(told: dict[str, Any], cut: Cut, texts: _Texts) -> list[int]:
    said = told.get("answer") or ""
    # What a search found was read with far gaps between its excerpts.
    evidence = around(_GAP.sub("\n\n", told.get("evidence") or ""), said, cut.evidence)
    bits = (PRESENT if told.get("present") else 0) + (STALE if told.get("stale") else 0)
    return [told["points"] + bits, texts.number(said), texts.number(evidence)]


def _excerpt(hit: dict[str, str], probe: Probe, cut: Cut, texts: _Texts) -> list[Any]:
    """Id, whether the gold stands in it, and its text around the gold or a word of the question."""
    text = hit["text"]
    holds = bool(probe.gold) and probe.gold in text
    wanted = probe.gold if holds else next((word for word in probe.words if word in text), "")
    return [hit["id"], holds, texts.number(around(text, wanted, cut.excerpt))]


def around(text: str, wanted: str, most: int) -> str:
    """At most so many characters of a text, with what is wanted in the middle.

    Args:
        text: The text.
        wanted: Something that stands in it.
        most: How many characters.
    """
    if len(text) <= most:
        return text
    middle = text.find(wanted) + len(wanted) // 2 if wanted in text else 0
    start = max(0, min(middle - most // 2, len(text) - most))
    end = start + most
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")
