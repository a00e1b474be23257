"""Which numbers of an error are believed, and what is learned from them."""

from __future__ import annotations

import pytest

from fault import fault
from requirement import requirement
from vademecum.models.errors import Verdict, classify


def said(message: str, *, status: int = 400, **fields: object) -> Verdict:
    found = classify({"error": {"message": message, **fields}}, status=status)
    assert found is not None
    return found


@fault(102)
@requirement("M-6")
@pytest.mark.parametrize(
    ("message", "limit", "observed"),
    [
        ("prompt is too long: 210,266 tokens > 200,000 maximum", 200_000, 210_266),
        ("prompt is too long: 210266 tokens > 200000 maximum", 200_000, 210_266),
        ("Prompt has 300.000 tokens, but the context size is 131.072 tokens", 131_072, 300_000),
        ("This model supports only 256K context", 256_000, None),
        ("Number of input tokens (140,000) has exceeded max_prompt_tokens (131,072) limit.", 131_072, 140_000),
        # Whichever way round they stand, what does not fit is the larger one.
        ("Input prompt (33000 tokens) is too long for a window of 32000", 32_000, 33_000),
        ("context window exceeds limit (2013)", None, None),
        # Too small for prose, and too large for anything.
        ("Requested tokens (600) exceed context window of 512", None, 600),
        ("The context window of 99000000 tokens is exceeded", None, None),
        ("prompt too long; exceeded max context length by 918 tokens", None, None),
    ],
)
def test_limits_in_prose(message: str, limit: int | None, observed: int | None) -> None:
    found = said(message)
    assert (found.kind, found.limit, found.learned_window) == ("context_overflow", limit, limit)
    assert found.observed_input == observed


@requirement("M-6")
@pytest.mark.parametrize(
    ("n_ctx", "limit"), [(127, None), (128, 128), (512, 512), (10_000_000, 10_000_000), (10_000_001, None)]
)
def test_limits_in_fields(n_ctx: int, limit: int | None) -> None:
    found = said("the request exceeds the available context size", type="exceed_context_size_error", n_ctx=n_ctx)
    assert (found.kind, found.limit, found.learned_window) == ("context_overflow", limit, limit)


@requirement("M-6")
def test_only_windows_and_input_limits_are_learned() -> None:
    own = said("Input tokens exceed the configured limit of 272000 tokens.", code="context_length_exceeded")
    assert (own.limit_kind, own.learned_window) == ("input", 272_000)
    cap = said("max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for a model")
    assert (cap.kind, cap.limit, cap.limit_kind, cap.learned_window) == ("output_cap", 8_192, "output", None)
    rate = said("Rate limit of 40,000 input tokens per minute reached", status=429)
    assert (rate.kind, rate.limit, rate.learned_window) == ("rate_limit", None, None)
    size = said("image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes")
    assert (size.kind, size.limit, size.learned_window) == ("request_too_large", None, None)


@fault(97)
@requirement("M-5")
def test_one_request_above_the_budget_of_a_minute_is_no_window() -> None:
    text = (
        "Request too large for model `m` on tokens per minute (TPM): Limit 12000, Requested 14137, please reduce it"
    )
    for status in (413, 429):
        found = said(text, status=status, code="rate_limit_exceeded")
        assert (found.kind, found.action, found.learned_window) == ("rate_budget", "next_member", None)
    over = said("Rate limit reached (TPM): Limit 12000, Used 0, Requested 14137.", status=429)
    below = said("Rate limit reached (TPM): Limit 12000, Used 9000, Requested 4137.", status=429)
    assert (over.kind, below.kind) == ("rate_budget", "rate_limit")


@requirement("M-5")
@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        ("Rate limit reached. Please try again in 9m38.016s.", 578.016),
        ("Too many requests, retry after 14 seconds", 14.0),
        ("Too many requests. Please try again in 250ms", 0.25),
        ("Rate limit reached, try again in 1 hour and 2 minutes", 3_720.0),
        ("Rate limit reached, try again in 999 hours", None),
        ("Rate limit reached", None),
    ],
)
def test_how_long_to_wait(message: str, seconds: float | None) -> None:
    assert said(message, status=429).retry_after == (None if seconds is None else pytest.approx(seconds))
    assert said("Rate limit reached", status=429, retry_after=7).retry_after == 7


@fault(42, 102)
@requirement("M-5")
def test_an_output_below_nothing_is_an_input_that_is_too_large() -> None:
    found = said("max_tokens must be at least 1, got -7584. (parameter=max_tokens, value=-7584)")
    assert (found.kind, found.limit) == ("context_overflow", None)
    off_by_one = said("max_tokens (196609) is larger than the maximum of 196608 for this model")
    assert (off_by_one.kind, off_by_one.limit, off_by_one.action) == ("output_cap", 196_608, "lower_output")
