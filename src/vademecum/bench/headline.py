"""The headline figure of an arm: recall on cloze probes, weighted by where their golds stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vademecum.bench.asked import Asked
from vademecum.bench.statistics import Floats, Interval, clustered

#: The headline: dialogue counts half, calls and results a quarter each, however many questions each has.
STRATA = {"dialogue": 0.5, "call": 0.25, "result": 0.25}


def overall(asked: Sequence[Asked], points: Callable[[Asked], float], seed: int) -> Interval:
    """The headline figure with its interval: the weighted mean of the strata, drawn by messages."""
    return clustered(*_by_message(asked, points), seed)


def headline(asked: Sequence[Asked], points: Callable[[Asked], float]) -> float:
    """The same without an interval."""
    sums, counts, weights = _by_message(asked, points)
    return float((sums.sum(axis=0) / np.maximum(counts.sum(axis=0), 1)) @ weights)


def _by_message(asked: Sequence[Asked], points: Callable[[Asked], float]) -> tuple[Floats, Floats, Floats]:
    """Points and counts of shape (messages, strata), and the weights of the strata that are there."""
    names = [name for name in STRATA if any(one.stratum == name for one in asked)]
    clusters = {key: at for at, key in enumerate(sorted({(one.lineage, one.probe.message) for one in asked}))}
    sums = np.zeros((len(clusters), len(names)))
    counts = np.zeros_like(sums)
    for one in asked:
        if one.stratum in names:
            spot = clusters[one.lineage, one.probe.message], names.index(one.stratum)
            sums[spot] += points(one)
            counts[spot] += 1
    weights = np.array([STRATA[name] for name in names])
    return sums, counts, weights / max(float(weights.sum()), 1e-9)
