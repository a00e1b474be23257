"""What a context's size is taken from: the provider's figure and what came since, or what we count, on its scale."""

from typing import Any

import pytest

from requirement import requirement
from vademecum import Archive, Compactor
from vademecum.testing import sample


def reported(tokens: int, model: str = "") -> dict[str, Any]:
    return {"model": model, "usage": {"prompt_tokens": tokens, "completion_tokens": 1}}


def grown(turns: int) -> list[dict[str, Any]]:
    return [dict(row) for row in sample(turns=turns)]


@requirement("C-12")
@pytest.mark.parametrize(
    ("model", "ratio", "origin"), [("gpt-4o", 1.0, "counted"), ("acme", 1.25, "estimated"), ("", 1.0, "counted")]
)
def test_what_is_compared_with_the_trigger_is_the_count_times_the_ratio(
    model: str, ratio: float, origin: str
) -> None:
    counted = Compactor(window=200_000).fit(sample(turns=12)).receipt.tokens_before
    found = Compactor(window=200_000, model=model).fit(sample(turns=12)).receipt
    assert (found.tokens_before, found.origin, found.ratio) == (round(ratio * counted), origin, ratio)
    # Just below the count times the ratio, a compaction is due; at it, none is.
    for trigger, outcome in ((round(ratio * counted), "nothing_needed"), (round(ratio * counted) - 1, "compacted")):
        done = Compactor(window=200_000, model=model, trigger=trigger).fit(sample(turns=12))
        assert done.receipt.outcome == outcome


@requirement("C-10")
def test_a_report_is_void_after_the_model_changes() -> None:
    compactor = Compactor(window=200_000, model="gpt-4o")
    compactor.fit(grown(4))
    compactor.observe(reported(9_000, "gpt-4o-2024-08-06"))
    assert compactor.fit(grown(5)).receipt.origin == "reported"
    assert compactor.fit(grown(5), model="gpt-4.1").receipt.origin == "estimated"  # with what was learned of o200k
    unknown = Compactor(window=200_000, model="acme").fit(grown(5)).receipt
    other = compactor.fit(grown(5), model="acme").receipt
    assert (other.tokens_after, other.origin) == (unknown.tokens_after, "estimated")
    assert compactor.fit(grown(5)).receipt.origin == "reported"


@requirement("C-10")
def test_a_figure_above_the_window_is_the_sum_over_requests_and_no_size() -> None:
    compactor = Compactor(window=64_000)
    counted = compactor.fit(grown(4)).receipt.tokens_after
    compactor.observe(reported(counted + 50))
    compactor.observe(reported(900_000))
    found = compactor.fit(grown(4)).receipt
    assert (found.origin, found.tokens_after) == ("reported", counted + 50)


@requirement("C-9")
@pytest.mark.parametrize("reply", [{}, {"usage": None}, {"usage": {"prompt_tokens": 0}}, {"choices": [{}]}])
def test_no_report_is_no_size(reply: dict[str, Any]) -> None:
    compactor = Compactor(window=64_000)
    counted = compactor.fit(grown(4)).receipt.tokens_after
    assert compactor.observe(reply) is None
    assert compactor.fit(grown(4)).receipt.tokens_after == counted > 0


@requirement("C-13")
def test_tools_that_are_revealed_after_a_report_are_counted() -> None:
    tools = [{"type": "function", "function": {"name": f"t{n}", "description": "word " * 50}} for n in range(40)]
    compactor = Compactor(window=64_000, model="gpt-4o")
    counted = compactor.fit(grown(4)).receipt.tokens_after
    compactor.observe(reported(counted))
    more = compactor.fit(grown(4), tools=tools).receipt
    assert more.origin == "reported"
    assert more.tokens_after - counted > 2_000


@requirement("C-40")
@pytest.mark.parametrize(("idle", "warm"), [(299.0, True), (301.0, False)])
def test_a_due_compaction_beside_a_cold_cache_breaks_it_at_no_cost(idle: float, warm: bool) -> None:
    now = [1_000.0]
    compactor = Compactor(window=200_000, trigger=30_000, target=15_000, model="claude-opus-4-8", now=lambda: now[0])
    counted = compactor.fit(grown(12)).receipt.tokens_after
    compactor.observe(reported(counted))
    now[0] += idle
    receipt = compactor.fit(grown(40)).receipt
    assert receipt.outcome == "compacted"
    assert receipt.cache is not None
    assert receipt.cache.warm is warm
    assert (receipt.cache.cost_now > 0) is warm
    assert (receipt.cache.pays_back_after == 0) is not warm
    assert receipt.cache.expected_requests > 0


@requirement("C-40")
def test_a_cache_that_was_never_reported_is_taken_to_be_warm() -> None:
    receipt = Compactor(window=200_000, trigger=6_000).fit(grown(40)).receipt
    assert receipt.cache is not None
    assert receipt.cache.warm


@requirement("M-7", "C-9")
def test_a_prompt_that_was_cut_silently_is_told_and_is_no_size() -> None:
    session = Archive.memory().session("s", format="ollama")
    messages = [{"role": "user", "content": f"line {n} of a long prompt"} for n in range(400)]
    compactor = Compactor(window=64_000, session=session)
    counted = compactor.fit(messages, format="ollama").receipt.tokens_after
    compactor.observe({"model": "x", "done": True, "prompt_eval_count": 1_026, "eval_count": 3})
    found = compactor.fit(messages, format="ollama").receipt
    assert (found.tokens_after, found.origin) == (counted, "counted")
    (warning,) = found.warnings
    assert warning.startswith("silent_truncation: the server read 1,026 of about ")
    assert session.usage()[0].prompt_tokens == 1_026
    compactor.observe({"model": "x", "done": True, "prompt_eval_count": counted, "eval_count": 3})
    assert compactor.fit(messages, format="ollama").receipt.warnings == ()


@requirement("M-7")
def test_a_context_that_grows_slowly_past_the_window_is_found_to_be_cut() -> None:
    """What was read stays the same figure while more is sent: far from half as much again each time."""
    session = Archive.memory().session("s", format="ollama")
    messages = [{"role": "user", "content": f"line {n} of a long prompt"} for n in range(400)]
    compactor = Compactor(window=64_000, session=session)
    window = compactor.fit(messages[:380], format="ollama").receipt.tokens_after
    for length, warned in ((380, False), (390, True), (400, True)):
        compactor.fit(messages[:length], format="ollama")
        compactor.observe({"model": "x", "done": True, "prompt_eval_count": window, "eval_count": 3})
        warnings = compactor.fit(messages[:length], format="ollama").receipt.warnings
        assert [warning.partition(":")[0] for warning in warnings] == ["silent_truncation"] * warned


@requirement("C-14")
def test_a_request_after_a_report_counts_what_is_new_only(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def tokenize(texts: list[str]) -> list[int]:
        seen.extend(texts)
        return [len(text) for text in texts]

    compactor = Compactor(window=10_000_000)
    monkeypatch.setattr(compactor._options.counter, "tokenize", tokenize)
    messages = grown(30)
    compactor.fit(messages)
    compactor.observe(reported(50_000))
    seen.clear()
    messages.append({"role": "user", "content": "one more"})
    compactor.fit(messages)
    assert seen == ["one more"]
