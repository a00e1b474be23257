"""The scorecard of a run: recall against tokens kept, by kind, place and position, with intervals and differences."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from vademecum.bench.asked import Answers, Asked, answers_of, points_of
from vademecum.bench.cost import cost_of
from vademecum.bench.front import front
from vademecum.bench.headline import headline, overall
from vademecum.bench.interview.desk import facts_in
from vademecum.bench.interview.figures import MARGIN, figures
from vademecum.bench.material import probes_in
from vademecum.bench.price import Price, price_of
from vademecum.bench.probes.facts import PHRASE
from vademecum.bench.probes.probe import Probe
from vademecum.bench.results import MODES, results_in
from vademecum.bench.statistics import holm, mcnemar, needed, wilson
from vademecum.bench.summaries.told import summaries_in

SCORECARD = "vademecum.bench.scorecard/1"
REFERENCE = "uncompacted"
#: What recall is broken down by.
VIEWS: Mapping[str, Callable[[Probe], str]] = {
    "where": lambda probe: probe.where,
    "about": lambda probe: probe.about,
    "third": lambda probe: probe.third,
    "stated": lambda probe: "once" if probe.stated == 1 else "again",
}


def scorecard(folder: Path, *, seed: int = 1, price: Price | None = None) -> dict[str, Any]:
    """Sums up what is in a run's folder.

    Args:
        folder: The run.
        seed: Of the bootstrap.
        price: What tokens cost; by default as the catalog has it for a common model.

    Returns:
        JSON data with the schema `vademecum.bench.scorecard/1`.
    """
    head = json.loads((folder / "run.json").read_text("utf-8"))
    names = [name for name in head["lineages"] if (folder / name / "probes.jsonl").exists()]
    asked = [Asked(name, probe) for name in names for probe in (*probes_in(folder / name), *facts_in(folder / name))]
    results = results_in(folder, names)
    arms = [_arm(arm, rows, asked, head["setting"]["window"], seed) for arm, rows in results.items()]
    reference = next((arm for arm in arms if arm["arm"] == REFERENCE), None)
    if reference is not None:
        _relative(arms, reference)
    price = price or price_of()
    for arm in arms:
        arm["cost"] = cost_of(results[arm["arm"]], price)
    models, by_model = figures(folder, seed) or (None, {})
    for arm in arms:
        for mode, found in by_model.get(arm["arm"], {}).items():
            arm[mode]["model"] = found
    return {
        "schema": SCORECARD,
        "setting": head["setting"],
        "lineages": _lineages(results),
        "probes": _counted(asked),
        "models": models,
        "summaries": summaries_in(folder),
        "arms": sorted(arms, key=lambda arm: arm["tokens"]),
        "differences": differences(results, asked, seed),
        "identical": _identical(results),
        "price": price.as_dict(),
        "front": {
            mode: front(arms, mode, points_of(results, asked, mode), partial(overall, seed=seed)) for mode in MODES
        },
    }


def _arm(arm: str, rows: Sequence[dict[str, Any]], asked: Sequence[Asked], window: int, seed: int) -> dict[str, Any]:
    answers = answers_of(rows)
    mine = [one for one in asked if one.key in answers]
    made: dict[str, Any] = {
        "arm": arm,
        "model": next((row["details"]["model"] for row in rows if "model" in row["details"]), None),
        "tokens": round(sum(row["tokens"] for row in rows) / len(rows)),
        "tokens_by_lineage": {row["lineage"]: row["tokens"] for row in rows},
        "seconds": _mean([row["seconds"] for row in rows if row["seconds"] is not None]),
        "fits": all(row["tokens"] <= window for row in rows),
        "invented": sum(len(row["invented"]) for row in rows),
        "details": {row["lineage"]: row["details"] for row in rows},
    }
    for mode in MODES:
        if all(mode in answers[one.key] for one in mine):
            made[mode] = _mode(mine, {key: row[mode] for key, row in answers.items() if mode in row}, seed)
            made[mode]["replicates"] = _replicates(rows, mine, mode)
    return made


def _mode(asked: Sequence[Asked], answers: Answers, seed: int) -> dict[str, Any]:
    kinds: dict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        kinds[one.probe.kind].append(one)
    cloze = kinds.get("cloze", [])
    recall = overall(cloze, lambda one: answers[one.key]["points"] / 2, seed)
    return {
        "overall": recall.as_dict(),
        "needed": needed(recall.value, MARGIN),
        "present": overall(cloze, lambda one: float(answers[one.key]["present"]), seed).as_dict(),
        **_controls(kinds, answers),
        "kinds": {kind: _cell(ones, answers) for kind, ones in sorted(kinds.items())},
        **{view: _view(cloze, answers, of) for view, of in VIEWS.items()},
    }


def _replicates(rows: Sequence[dict[str, Any]], asked: Sequence[Asked], mode: str) -> list[float]:
    """The headline of each replicate, of lineages that have them: how far the summary model's chance moves it."""
    cloze = [one for one in asked if one.probe.kind == "cloze"]
    found: list[float] = []
    for number in range(min((len(row.get("replicates", ())) for row in rows), default=0)):
        answers = answers_of([{"lineage": row["lineage"], "answers": row["replicates"][number]} for row in rows])
        found.append(round(headline(cloze, lambda one, held=answers: held[one.key][mode]["points"] / 2), 4))
    return found


def _controls(kinds: Mapping[str, Sequence[Asked]], answers: Answers) -> dict[str, Any]:
    """What exposes an arm or an answerer that knows more than it may.

    `holdout_gap` is the headline minus the same for questions that were kept back: an arm that was made with the
    questions in hand is better at those that it knew. `permuted` is the share of answers that would be right if
    each question had another one's gold.
    """
    cloze = kinds.get("cloze", ())
    seen = headline(cloze, lambda one: answers[one.key]["points"] / 2)
    unseen = headline(kinds.get("holdout", ()), lambda one: answers[one.key]["points"] / 2)
    shifted = {one.key: other.probe.gold for one, other in zip(cloze, (*cloze[1:], *cloze[:1]), strict=True)}
    lucky = sum(answers[one.key]["answer"] == shifted[one.key] != one.probe.gold for one in cloze)
    return {
        "holdout_gap": round(seen - unseen, 4),
        "permuted": wilson(lucky, len(cloze)).as_dict(),
    }


def _view(asked: Sequence[Asked], answers: Answers, of: Callable[[Probe], str]) -> dict[str, Any]:
    groups: dict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        groups[of(one.probe)].append(one)
    return {name: _cell(ones, answers) for name, ones in sorted(groups.items())}


def _cell(asked: Sequence[Asked], answers: Answers) -> dict[str, Any]:
    """Recall of some questions. The reader names identifiers, so golds of several words are no question to it."""
    read = [one for one in asked if one.probe.shape != PHRASE]
    points = sum(answers[one.key]["points"] for one in read) / 2
    return {
        "asked": len(asked),
        "unread": len(asked) - len(read),
        "reader": wilson(points, len(read)).as_dict(),
        "present": wilson(sum(answers[one.key]["present"] for one in asked), len(asked)).as_dict(),
        "stale": sum(answers[one.key]["stale"] for one in asked),
    }


def differences(
    results: Mapping[str, list[dict[str, Any]]], asked: Sequence[Asked], seed: int
) -> list[dict[str, Any]]:
    """Every arm against `vademecum`, paired: the difference of the headline, McNemar's p and Holm's correction."""
    base = "vademecum"
    if base not in results:
        return []
    cloze = [one for one in asked if one.probe.kind == "cloze"]
    ours = answers_of(results[base])
    found: list[dict[str, Any]] = []
    for mode in MODES:
        rows: list[dict[str, Any]] = []
        for arm in results:
            theirs = answers_of(results[arm])
            both = [one for one in cloze if mode in ours.get(one.key, {}) and mode in theirs.get(one.key, {})]
            if arm == base or not both:
                continue

            def gain(one: Asked, theirs: Answers = theirs, mode: str = mode) -> float:
                return (ours[one.key][mode]["points"] - theirs[one.key][mode]["points"]) / 2

            gains = [gain(one) for one in both]
            interval = overall(both, gain, seed)
            p = mcnemar(sum(value > 0 for value in gains), sum(value < 0 for value in gains))
            rows.append({"arm": base, "against": arm, "mode": mode, **interval.as_dict(), "p": p})
        for row, corrected in zip(rows, holm([row["p"] for row in rows]), strict=True):
            row["p_holm"] = corrected
            row["different"] = row["low"] > 0 or row["high"] < 0
        found += rows
    return found


def _relative(arms: Sequence[dict[str, Any]], reference: dict[str, Any]) -> None:
    """Adds to each arm its recall relative to the uncompacted context's, closed book."""
    base = reference["closed"]
    for arm in arms:
        for mode in MODES:
            if mode in arm:
                arm[mode]["relative"] = _share(arm[mode]["overall"]["value"], base["overall"]["value"])
                arm[mode]["relative_where"] = {
                    place: _share(cell["reader"]["value"], base["where"][place]["reader"]["value"])
                    for place, cell in arm[mode]["where"].items()
                    if place in base["where"]
                }


def _share(value: float, base: float) -> float | None:
    return round(value / base, 4) if base else None


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 3) if values else None


def _lineages(results: Mapping[str, list[dict[str, Any]]]) -> dict[str, int]:
    return {row["lineage"]: row["tokens_before"] for rows in results.values() for row in rows}


def _counted(asked: Sequence[Asked]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for one in asked:
        found[one.lineage][one.probe.kind] += 1
    return {name: dict(counts) for name, counts in found.items()}


def _identical(results: Mapping[str, list[dict[str, Any]]]) -> list[list[str]]:
    """Arms that keep the same, token for token, and answer the same."""
    groups: dict[str, list[str]] = defaultdict(list)
    for arm, rows in results.items():
        groups[json.dumps([[row["lineage"], row["tokens"], row["answers"]] for row in rows])].append(arm)
    return [arms for arms in groups.values() if len(arms) > 1]
