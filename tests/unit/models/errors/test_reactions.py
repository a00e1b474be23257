"""What follows from an error: a shorter reply or a smaller context, and what an end of a reply means."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fault import fault
from requirement import requirement
from vademecum.models.errors import classify
from vademecum.models.errors.reactions import room_for_reply, too_large
from vademecum.models.errors.truncation import ended_at, was_cut


@requirement("M-7")
@given(st.integers(1_024, 10_000_000), st.integers(1, 20_000_000))
def test_a_shorter_reply_is_enough_where_two_in_a_hundred_are_free(limit: int, observed: int) -> None:
    kind = too_large("output_budget", limit, observed, 100)
    assert (kind == "output_budget") == (room_for_reply(limit, observed) >= 0.02 * limit)
    # An input alone that is said to be too large stays one.
    assert too_large("context_overflow", limit, observed, None) == "context_overflow"


@requirement("M-7")
@pytest.mark.parametrize(("observed", "kind"), [(196_000, "output_budget"), (196_001, "context_overflow")])
def test_the_line_between_them(observed: int, kind: str) -> None:
    text = f"input length and `max_tokens` exceed context limit: {observed} + 32000 > 200000"
    found = classify({"error": {"message": text}}, status=400)
    assert found is not None
    assert (found.kind, found.asked_output, found.limit) == (kind, 32_000, 200_000)
    assert found.learned_window == (None if kind == "output_budget" else 200_000)


@requirement("M-7")
def test_a_limit_without_an_input_leaves_what_the_wording_says() -> None:
    assert too_large("output_budget", None, 10, 10) == "output_budget"
    assert too_large("output_budget", 10, None, 10) == "output_budget"
    assert room_for_reply(10, 20) == 0
    assert room_for_reply(1_000, 200, margin=100) == 700


@fault(105)
@requirement("M-7")
@pytest.mark.parametrize(
    ("reason", "total", "window", "kind"),
    [
        ("length", 32_768, 32_768, "context_overflow"),
        ("length", 32_500, 32_768, "context_overflow"),
        ("length", 20_000, 32_768, "output_truncated"),
        ("MAX_TOKENS", None, 32_768, "output_truncated"),
        ("max_output_tokens", 7_000, None, "output_truncated"),
        # Nobody has said how large the window is, but such a round total is one.
        ("length", 32_768, None, "context_overflow"),
        ("model_context_window_exceeded", None, None, "context_overflow"),
        ("SAFETY", 100, 1_000, "content_filter"),
        ("stop", 32_768, 32_768, None),
        ("tool_calls", 32_768, 32_768, None),
    ],
)
def test_why_a_reply_ended(reason: str, total: int | None, window: int | None, kind: str | None) -> None:
    found = ended_at(reason, total, window)
    assert (None if found is None else found.kind) == kind


CUT: dict[str, Any] = {
    "model": "m",
    "message": {"content": "…"},
    "done": True,
    "done_reason": "stop",
    "eval_count": 9,
}


@requirement("M-7")
def test_a_prompt_that_was_cut_silently() -> None:
    # The size gives it away, or the estimate does.
    for count, limit in ((4_096, 4_096), (2_050, 4_096), (16_386, 32_768)):
        found = classify({**CUT, "prompt_eval_count": count}, status=200)
        assert found is not None
        assert (found.kind, found.limit, found.action, found.certain) == (
            "silent_truncation",
            limit,
            "compact",
            False,
        )
        assert found.learned_window is None
    assert classify({**CUT, "prompt_eval_count": 4_097}, status=200) is None
    assert classify({**CUT, "prompt_eval_count": 4_097}, status=200, expected_input=4_500) is None
    found = classify({**CUT, "prompt_eval_count": 4_097}, status=200, expected_input=9_000)
    assert found is not None
    assert found.kind == "silent_truncation"
    # What fits is whole, however round its size is.
    assert classify({**CUT, "prompt_eval_count": 4_096}, status=200, expected_input=4_100) is None
    assert was_cut(1_000, 1_501)
    assert not was_cut(1_000, 1_500)
