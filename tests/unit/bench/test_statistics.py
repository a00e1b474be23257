from __future__ import annotations

import numpy as np
import pytest

from requirement import requirement
from vademecum.bench.statistics import clustered, holm, mcnemar, needed, wilson


@requirement("B-7")
def test_wilson_agrees_with_published_values() -> None:
    # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    for hits, asked, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        found = wilson(hits, asked)
        assert (round(found.low, 4), round(found.high, 4)) == (low, high)
    assert wilson(0, 0).high == 1


@requirement("B-7")
def test_mcnemar_is_the_exact_binomial_test() -> None:
    assert mcnemar(0, 0) == 1
    assert mcnemar(10, 2) == pytest.approx(2 * (1 + 12 + 66) / 2**12)
    assert mcnemar(2, 10) == mcnemar(10, 2)


@requirement("B-7")
def test_holm_steps_down() -> None:
    assert holm([]) == []
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


@requirement("B-7")
def test_questions_about_one_message_are_drawn_together() -> None:
    chance = np.random.default_rng(1)
    right = chance.integers(0, 2, 40)
    alone = clustered(np.repeat(right, 10)[:, None].astype(float), np.ones((400, 1)), np.ones(1), 1)
    together = clustered(10.0 * right[:, None], np.full((40, 1), 10.0), np.ones(1), 1)
    assert alone.value == together.value
    assert together.high - together.low > 2 * (alone.high - alone.low)
    assert together == clustered(10.0 * right[:, None], np.full((40, 1), 10.0), np.ones(1), 1)


def test_strata_count_by_their_weights() -> None:
    points, counts = np.array([[3.0, 0.0], [1.0, 1.0]]), np.array([[4.0, 1.0], [0.0, 1.0]])
    assert clustered(points, np.maximum(counts, 1), np.array([0.5, 0.5]), 1).value == pytest.approx(
        0.5 * 4 / 5 + 0.5 / 2
    )


def test_how_many_questions_a_margin_needs() -> None:
    assert needed(0.5, 0.05) == 385
