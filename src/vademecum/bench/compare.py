"""Two runs side by side: what each arm answers better or worse in the second, question by question."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from vademecum.bench.asked import Asked, points_of
from vademecum.bench.headline import overall
from vademecum.bench.interview.figures import mean_over_messages
from vademecum.bench.interview.interview import Interview
from vademecum.bench.material import probes_in
from vademecum.bench.results import MODES, results_in
from vademecum.bench.statistics import Interval, holm, mcnemar
from vademecum.errors import ConfigError

COMPARISON = "vademecum.bench.comparison/1"
#: (who answers, mode, arm) → question → points from 0 to 1.
Points = dict[tuple[str, str, str], dict[Asked, float]]


def compare(first: Path, second: Path, *, seed: int = 1, arms: Collection[str] = ()) -> dict[str, Any]:
    """Compares two runs by the questions that both ask.

    Args:
        first: A run's folder.
        second: Another one's; a positive difference means that it is better.
        seed: Of the bootstrap.
        arms: Only these; all that are in both runs where there are none.

    Returns:
        JSON data with the schema `vademecum.bench.comparison/1`.

    Raises:
        ConfigError: A folder holds no run, or nothing is asked in both.
    """
    heads = [_head(folder) for folder in (first, second)]
    before, after = _points(first, heads[0]["lineages"]), _points(second, heads[1]["lineages"])
    rows = [
        row
        for key in sorted(before.keys() & after.keys())
        if (not arms or key[2] in arms) and (row := _row(key, before[key], after[key], seed)) is not None
    ]
    if not rows:
        raise ConfigError(
            f"{first} and {second} have no arm with a question in common",
            hint="compare runs of the same lineages with the same --tokens and --seed",
        )
    for row, corrected in zip(rows, holm([row["p"] for row in rows]), strict=True):
        row["p_holm"] = corrected
    return {
        "schema": COMPARISON,
        "runs": [str(first), str(second)],
        "setting": _differing(heads[0]["setting"], heads[1]["setting"]),
        "only": [sorted({arm for _, _, arm in ours} - {arm for _, _, arm in theirs}) for ours, theirs in
                 ((before, after), (after, before))],
        "tokens": _tokens((first, heads[0]), (second, heads[1])),
        "rows": rows,
        "regressions": sum(row["verdict"] == "worse" for row in rows),
    }  # fmt: skip


def _head(folder: Path) -> dict[str, Any]:
    path = folder / "run.json"
    if not path.exists():
        raise ConfigError(f"{folder} holds no run", hint="vademecum bench list FOLDER finds runs")
    return json.loads(path.read_text("utf-8"))


def _points(folder: Path, names: Sequence[str]) -> Points:
    """What every arm got for every question, by the reader and by a model."""
    done = [name for name in names if (folder / name / "probes.jsonl").exists()]
    asked = [Asked(name, probe) for name in done for probe in probes_in(folder / name)]
    results = results_in(folder, done)
    found: Points = {}
    for mode in MODES:
        for arm, points in points_of(results, asked, mode).items():
            if points:
                found["reader", mode, arm] = points
    if (folder / "interview.json").exists():
        found.update(_by_model(folder))
    return found


def _by_model(folder: Path) -> Points:
    """Mean points of each question's replicates."""
    per: dict[tuple[str, str, str], dict[Asked, list[float]]] = defaultdict(lambda: defaultdict(list))
    with Interview(folder) as interview:
        for cell, grade in interview.grades():
            if grade is not None and grade.points is not None and cell.probe.kind == "fact":
                per["model", cell.mode, cell.arm][Asked(cell.lineage, cell.probe)].append(grade.points / 2)
    return {key: {one: sum(all) / len(all) for one, all in ones.items()} for key, ones in per.items()}


def _row(
    key: tuple[str, str, str], before: Mapping[Asked, float], after: Mapping[Asked, float], seed: int
) -> dict[str, Any] | None:
    who, mode, arm = key
    theirs = {one.key: points for one, points in after.items()}
    both = [one for one in before if one.key in theirs]
    if not both:
        return None
    gains = {one: theirs[one.key] - before[one] for one in both}
    drawn = partial(overall, seed=seed) if who == "reader" else partial(_plain, seed=seed)
    gain = drawn(both, gains.__getitem__)
    return {
        "arm": arm,
        "answerer": who,
        "mode": mode,
        "asked": len(both),
        "only_one": len(before) + len(after) - 2 * len(both),
        "before": round(drawn(both, before.__getitem__).value, 4),
        "after": round(drawn(both, lambda one: theirs[one.key]).value, 4),
        "difference": gain.as_dict(),
        "p": mcnemar(sum(value > 0 for value in gains.values()), sum(value < 0 for value in gains.values())),
        "verdict": _verdict(gain),
    }


def _plain(asked: Sequence[Asked], points: Callable[[Asked], float], seed: int) -> Interval:
    """The headline of models, as the published protocol has it: each question alike."""
    return mean_over_messages([((one.lineage, one.probe.message), points(one)) for one in asked], seed)


def _verdict(gain: Interval) -> str:
    """Two runs are called different only when the interval says so (B-7)."""
    if gain.high < 0:
        return "worse"
    return "better" if gain.low > 0 else "same"


def _differing(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Values of the setting that differ: these runs compare more than the arms."""
    names = sorted(first.keys() | second.keys())
    return {name: [first.get(name), second.get(name)] for name in names if first.get(name) != second.get(name)}


def _tokens(*runs: tuple[Path, Mapping[str, Any]]) -> dict[str, list[int | None]]:
    """Arm → the tokens that it keeps on average in the first run and in the second."""
    kept = [
        {arm: round(sum(row["tokens"] for row in rows) / len(rows)) for arm, rows in results.items()}
        for results in (results_in(folder, head["lineages"]) for folder, head in runs)
    ]
    return {arm: [one.get(arm) for one in kept] for arm in sorted(kept[0].keys() & kept[1].keys())}
