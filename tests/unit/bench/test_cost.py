"""What an arm costs, and which arms no other one beats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from requirement import requirement
from unit.bench.talk import lineage
from vademecum.bench.arms.arm import Job
from vademecum.bench.arms.plain import recency, uncompacted
from vademecum.bench.cost import cost_of, unchanged
from vademecum.bench.front import front
from vademecum.bench.price import Price, price_of
from vademecum.bench.statistics import Interval
from vademecum.core.tokens import TokenCounter
from vademecum.errors import ConfigError
from vademecum.models.tokenizer import count_tokens

PRICE = Price("made", input=3, output=15, cached=0.3, written=3.75)


def row(tokens: int, unchanged: int, seconds: float | None = None, **usage: int) -> dict[str, Any]:
    return {
        "tokens": tokens,
        "unchanged": unchanged,
        "seconds": seconds,
        "details": {"usage": usage} if usage else {},
    }


@requirement("B-8")
def test_the_break_of_the_cache_is_priced_once_and_what_is_kept_with_every_request() -> None:
    found = cost_of([row(50_000, 10_000, 2.0), row(30_000, 10_000, 1.0)], PRICE)
    assert (found["tokens"], found["seconds"], found["calls"], found["changed"]) == (40_000, 1.5, 0, 30_000)
    assert found["usd_per_compaction"] == 0
    assert found["usd_per_request"] == pytest.approx(40_000 * 0.3 / 1e6)
    assert found["usd_cache_break"] == pytest.approx(30_000 * (3.75 - 0.3) / 1e6)


@requirement("B-8")
def test_a_model_is_paid_for() -> None:
    found = cost_of([row(10, 0, calls=2, input=100_000, output=4_000, cached=20_000), row(10, 0)], PRICE)
    assert (found["calls"], found["input"], found["output"], found["cached"]) == (1, 50_000, 2_000, 10_000)
    assert found["seconds"] is None
    assert found["usd_per_compaction"] == pytest.approx((50_000 * 3 + 2_000 * 15 + 10_000 * 0.3) / 1e6)


@requirement("B-8")
def test_what_the_cache_still_has_is_the_unchanged_beginning() -> None:
    counter = TokenCounter(count_tokens)
    made = lineage(60)
    job = Job(made, counter, window=40_000, target=8_000, options={"tail": 3_000})
    sizes = counter.messages(made.messages)
    assert unchanged(made.messages, uncompacted(job).messages, counter) == sum(sizes)
    assert unchanged(made.messages, recency(job).messages, counter) == sizes[0]
    assert unchanged(made.messages, (), counter) == 0


@requirement("B-8")
def test_prices_from_the_catalog_or_given() -> None:
    known = price_of()
    assert known.name == "anthropic:claude-sonnet-4-5"
    assert known.cached < known.input < known.written < known.output
    assert price_of("3/15/0.3") == Price("3/15/0.3", 3, 15, 0.3, 3)
    assert price_of("3/15/0.3/3.75").written == 3.75
    for wrong, why in (("3/15", "no prices"), ("anthropic:claude-sonet-4-5", "no model")):
        with pytest.raises(ConfigError, match=why):
            price_of(wrong)


def drawn(asked: Sequence[int], gain: Callable[[int], float]) -> Interval:
    """A share and its whole range: certain only when all questions say the same."""
    gains = [gain(one) for one in asked]
    return Interval(sum(gains) / len(gains), min(gains), max(gains))


@requirement("B-8")
def test_more_tokens_must_buy_recall_beyond_the_interval() -> None:
    recall = {
        "nothing": (0.0, 0.0),
        "small": (0.4, 0.3),
        "lucky": (0.5, 0.3),
        "large": (0.6, 0.6),
        "whole": (1.0, 1.0),
    }
    arms = [
        {"arm": arm, "tokens": tokens, "fits": arm != "whole", "closed": {"overall": {"value": sum(recall[arm]) / 2}}}
        for arm, tokens in (("large", 90), ("small", 10), ("lucky", 20), ("nothing", 0), ("whole", 500))
    ]
    points = {arm: dict(enumerate(values)) for arm, values in recall.items()}
    assert front(arms, "closed", points, drawn) == ["nothing", "small", "large"]
    assert front(arms, "search", points, drawn) == []
