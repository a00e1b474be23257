"""Riding the prefix: by price, cached share, warmth and window; byte for byte what was sent before."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fault import fault
from requirement import requirement
from vademecum import Archive, Compactor
from vademecum.core.standing import Prices, Way
from vademecum.core.summary_check import SECTIONS
from vademecum.errors import BadRequest, ContextOverflow, RateLimited
from vademecum.models.known import Known
from vademecum.models.model import Reply
from vademecum.testing import ScriptedModel, sample

GOOD = "\n".join(f"## {section}\nService svc-{at} is up." for at, section in enumerate(SECTIONS))
ROWS: list[Any] = [*sample(turns=60)]
TOOLS = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]
DEAR = Known("anthropic", "gpt-4o", 200_000, 8_000, 3.0, 15.0, 0.3, 3.75)


class Clock:
    def __init__(self) -> None:
        self.time = 1_000.0

    def __call__(self) -> float:
        return self.time


def compactor(model: ScriptedModel, **more: Any) -> Compactor:
    session = Archive.memory().session("a", format="openai-chat")
    given: dict[str, Any] = {"window": 64_000, "trigger": 8_000, "target": 5_000, "model": "gpt-4o", **more}
    return Compactor(session=session, summarizer=model, **given)


def report(prompt: int, cached: int) -> dict[str, Any]:
    usage = {
        "prompt_tokens": prompt,
        "completion_tokens": 5,
        "prompt_tokens_details": {"cached_tokens": cached},
    }
    return {"model": "gpt-4o", "usage": usage}


def over(model: ScriptedModel, cached: float, *, wait: float = 0, **more: Any) -> tuple[Way, Any]:
    """The first way of the compaction after a request of which so large a share came out of the cache."""
    clock = Clock()
    one = compactor(model, now=clock, **more)
    near = next(at for at in range(2, len(ROWS)) if one_size(ROWS[:at]) > 7_500)
    size = one.fit(ROWS[:near], system="Be brief.", tools=TOOLS).receipt.tokens_before
    one.observe(report(size, int(cached * size)))
    clock.time += wait
    done = one.fit(ROWS[: near + 8], system="Be brief.", tools=TOOLS)
    assert done.receipt.cycle == 1
    return done.receipt.summary_ways[0], done


def one_size(rows: list[Any]) -> int:
    return Compactor(window=1_000_000).fit(rows).receipt.tokens_before


def rider(*script: Any, **more: Any) -> ScriptedModel:
    return ScriptedModel(list(script or (Reply(GOOD, "stop", 8_000, 90, 7_000),)), **{
        "name": "gpt-4o", "format": "openai-chat", "known": DEAR, **more
    })  # fmt: skip


@requirement("C-15", "C-36")
@fault(91)
def test_with_a_warm_cache_the_summary_rides_and_the_receipt_has_both_prices() -> None:
    model = rider()
    way, done = over(model, 0.95)
    assert (way.way, way.unit, way.outcome) == ("ride", "usd", "stop")
    assert way.ride is not None
    assert 0 < way.ride < way.separate
    assert len(model.rides) == len(model.prompts) == 1
    assert done.receipt.summary_model == "gpt-4o"
    assert done.receipt.coverage[0] == done.receipt.coverage[1] > 0
    assert done.receipt.as_dict()["summary_ways"][0]["way"] == "ride"
    session = done.archive.session("a")
    (paid,) = [row for row in session.usage() if row.kind == "summary"]
    assert (paid.prompt_tokens, paid.cached_tokens) == (8_000, 7_000)


@requirement("C-15")
def test_what_rides_is_what_was_sent_and_ends_before_the_open_question() -> None:
    model = rider()
    _, _ = over(model, 0.95)
    (ride,) = model.rides
    assert (ride.system, ride.tools) == ("Be brief.", TOOLS)
    assert all(sent is held for sent, held in zip(ride.messages, ROWS, strict=False))
    assert ride.messages[-1]["role"] != "user"
    assert "call no tool" in ride.instruction
    assert all(f"## {section}" in ride.instruction for section in SECTIONS)


@requirement("C-15")
@pytest.mark.parametrize(
    ("cached", "more", "why"),
    [
        (0.0, {}, "cheaper: 0% of the request is cached"),
        (0.95, {"wait": 50_000}, "cheaper: 0% of the request is cached"),
        (0.95, {"window": 8_800}, "do not fit the window of 8,800 tokens together"),
    ],
    ids=["nothing cached", "cold", "no room"],
)
def test_it_is_asked_separately_where_that_is_cheaper_or_nothing_can_ride(
    cached: float, more: dict[str, Any], why: str
) -> None:
    model = rider()
    way, done = over(model, cached, **more)
    assert way.way == "separate"
    assert why in way.why
    assert model.rides == []
    assert done.receipt.summary_model == "gpt-4o"


@requirement("C-15")
def test_a_model_that_has_not_read_the_request_does_not_ride() -> None:
    model = rider(name="gpt-4o-mini")
    way, _ = over(model, 0.95)
    assert (way.way, way.why) == ("separate", "the request is not known to be one of gpt-4o-mini")
    assert over(rider(name="gpt-4o-2024-08-06"), 0.95)[0].way == "ride"


@requirement("C-15")
def test_without_a_price_both_are_in_input_tokens() -> None:
    way, _ = over(rider(known=None), 0.95)
    assert (way.way, way.unit) == ("ride", "input_tokens")
    way, _ = over(ScriptedModel([GOOD], name="gpt-4o"), 0.95)
    assert (way.way, way.ride, way.why) == (
        "separate",
        None,
        "the model is not asked in the format of the request",
    )


@requirement("C-15", "C-28")
def test_nothing_rides_on_a_request_that_holds_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    monkeypatch.setitem(ROWS[2], "content", f"{ROWS[2]['content']} The token is {secret}.")
    model = rider()
    way, _ = over(model, 0.95)
    assert (way.way, way.why) == ("separate", "it holds secrets")
    assert model.prompts
    assert all(secret not in prompt.user for prompt in model.prompts)


@requirement("C-15", "C-17")
@pytest.mark.parametrize(
    ("first", "outcome"),
    [
        (Reply("", "tool_call"), "tool_call"),
        (Reply("No.", "refusal"), "refusal"),
        ("", "empty"),
        (ContextOverflow("too long"), "ContextOverflow"),
        (BadRequest("roles must alternate"), "BadRequest"),
    ],
    ids=str,
)
def test_a_ride_that_brings_no_summary_is_followed_by_a_separate_request(first: Any, outcome: str) -> None:
    model = rider(first, GOOD)
    _, done = over(model, 0.95)
    assert [(way.way, way.outcome) for way in done.receipt.summary_ways] == [("ride", outcome), ("separate", "stop")]
    assert done.receipt.summary_model == "gpt-4o"


@requirement("C-17", "C-34")
def test_one_that_is_cut_off_is_asked_for_shorter_and_then_from_stretches() -> None:
    model = rider(Reply(GOOD, "length"))
    _, done = over(model, 0.95)
    assert [(way.way, way.outcome) for way in done.receipt.summary_ways] == [
        ("ride", "length"),
        ("ride", "length"),
        ("separate", "length"),
    ]
    assert model.rides[1].max_tokens < model.rides[0].max_tokens
    assert done.receipt.outcome == "compacted"


@requirement("C-34")
def test_a_model_that_is_busy_is_not_asked_the_other_way_either() -> None:
    model = rider(RateLimited("429"))
    _, done = over(model, 0.95)
    assert [(way.way, way.outcome) for way in done.receipt.summary_ways] == [("ride", "RateLimited")]
    assert done.receipt.outcome == "compacted"


@requirement("C-15")
def test_an_own_window_that_turned_out_smaller_bounds_separate_requests_too() -> None:
    model = rider(window=200_000)
    one = compactor(model, window=9_000)
    one.fit(ROWS)
    assert len(model.prompts) > 1  # folded by the window that is known by now, not by the announced one


@requirement("C-15")
def test_prices_are_in_usd_for_a_million() -> None:
    assert Prices(3.0, 15.0, 0.3, "usd").of(1_000, 10_000, 100) == 0.0075
    assert Prices().of(1_000, 10_000, 100) == 2_500
    assert replace(DEAR, cache_read_usd=None).cost_usd(fresh=1) is not None
