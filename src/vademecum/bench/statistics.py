"""Intervals and tests, from statsmodels and SciPy; nothing here is computed by hand."""

# The libraries ship no types: pyright cannot know what they return.
# pyright: reportMissingTypeStubs=false, reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
#: Two-sided level of every interval and test.
ALPHA = 0.05
RESAMPLES = 2_000


@dataclass(frozen=True)
class Interval:
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float]:
        """JSON data, four digits."""
        return {"value": round(self.value, 4), "low": round(self.low, 4), "high": round(self.high, 4)}


def wilson(hits: float, asked: int) -> Interval:
    """A share with Wilson's interval.

    Args:
        hits: How many; halves count where an answer was right in part.
        asked: Of how many.

    Source: E. B. Wilson, Probable inference, JASA 22 (1927).
    """
    from statsmodels.stats.proportion import proportion_confint

    if not asked:
        return Interval(0.0, 0.0, 1.0)
    low, high = cast("tuple[float, float]", proportion_confint(hits, asked, alpha=ALPHA, method="wilson"))
    return Interval(hits / asked, float(low), float(high))


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided p-value of McNemar's test for paired answers.

    Args:
        only_first: Questions that only the first arm answers.
        only_second: Questions that only the second one answers.
    """
    from statsmodels.stats.contingency_tables import mcnemar as test

    return float(cast("Any", test([[0, only_first], [only_second, 0]], exact=True)).pvalue)


def holm(values: Sequence[float]) -> list[float]:
    """p-values corrected for how many there are, by Holm's step-down method."""
    from statsmodels.stats.multitest import multipletests

    if not values:
        return []
    return [float(p) for p in cast("Any", multipletests(values, alpha=ALPHA, method="holm"))[1]]


def clustered(points: Floats, counts: Floats, weights: Floats, seed: int) -> Interval:
    """A weighted mean of strata with a bootstrap interval over clusters of questions.

    Questions about one message are not independent, so whole messages are drawn.

    Args:
        points: Shape (clusters, strata), the points in each, 0 to the count.
        counts: Shape (clusters, strata), how many questions.
        weights: Shape (strata,), adding up to 1.
        seed: Of the drawing.

    Returns:
        Σ weight × points / count, and its percentile interval.
    """
    from scipy.stats import bootstrap

    def mean(drawn: NDArray[np.int64], axis: int = -1) -> Floats:
        total = np.maximum(counts[drawn].sum(axis=axis if axis >= 0 else axis - 1), 1)
        return (points[drawn].sum(axis=axis if axis >= 0 else axis - 1) / total) @ weights

    clusters = np.arange(len(points))
    value = float(mean(clusters))
    if len(clusters) < 2:  # nothing to draw from
        return Interval(value, value, value)
    found: Any = bootstrap(
        (clusters,),
        mean,
        n_resamples=RESAMPLES,
        batch=200,
        vectorized=True,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    low, high = found.confidence_interval
    return Interval(value, float(low), float(high))


def needed(share: float, margin: float) -> int:
    """How many independent questions an interval of ± margin needs at a share (normal approximation).

    Args:
        share: The expected share, in [0, 1].
        margin: Half the width of the interval.
    """
    from scipy.stats import norm

    z = float(norm.ppf(1 - ALPHA / 2))
    return int(np.ceil(z * z * share * (1 - share) / (margin * margin)))
