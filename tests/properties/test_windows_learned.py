"""A window is learned from a plausible number whose role is known, and from nothing else (I7, M-6)."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from night import often
from requirement import requirement
from vademecum.models.errors import classify

MANY = settings(max_examples=often(150))
NUMBERS = st.one_of(st.integers(0, 20_000_000), st.sampled_from([127, 128, 1_023, 1_024, 10_000_000, 10_000_001]))
SPELLED = st.sampled_from(["{}", "{:,}"])
#: Wordings that say what the number is: the window or the input's limit.
WINDOWS = (
    "This model's maximum context length is {n} tokens. However, your messages resulted in {more} tokens.",
    "prompt is too long: {more} tokens > {n} maximum",
    "Input tokens exceed the configured limit of {n} tokens. Your messages resulted in {more} tokens.",
    "The input token count ({more}) exceeds the maximum number of tokens allowed ({n}).",
    "Requested tokens ({more}) exceed context window of {n}",
)
#: Wordings with a number that is something else: bytes, rates, money, output caps, pictures, times.
OTHERS = (
    ("request body of {more} bytes exceeds the maximum size of {n} bytes", 413),
    ("image exceeds {n} bytes maximum: {more} bytes", 400),
    ("Rate limit reached on tokens per min (TPM): Limit {n}, Requested {more}. Please try again in 6s.", 429),
    ("You exceeded {n} input tokens per minute for your organization", 429),
    ("Request too large on tokens per minute (TPM): Limit {n}, Requested {more}", 413),
    ("max_tokens: {more} > {n}, which is the maximum allowed number of output tokens", 400),
    ("max_tokens is too large: {more}. This model supports at most {n} completion tokens", 400),
    ("Your credit balance is too low: {n} credits left, {more} needed", 402),
    ("You have used {more} of your monthly quota of {n} tokens", 429),
    ("too many images: {more}, the limit is {n}", 400),
    ("The server is overloaded, {n} requests are waiting; retry later", 503),
    ("Invalid value for temperature: {n}", 400),
)
#: What a user, or a tool, may have written about windows: an error may quote it.
QUOTED = ("my window is {n} tokens", "context length {n}", "n_ctx={n}", "the prompt is too long: max {n} tokens")


def error(text: str, **fields: object) -> bytes:
    return json.dumps({"error": {"message": text, "type": "invalid_request_error", **fields}}).encode()


@requirement("I7", "M-6")
@MANY
@given(st.sampled_from(WINDOWS), NUMBERS, st.integers(1, 1_000_000), SPELLED)
def test_a_number_in_prose_is_learned_where_it_is_plausible(wording: str, n: int, more: int, spelled: str) -> None:
    said = wording.format(n=spelled.format(n), more=spelled.format(n + more))
    found = classify(error(said), status=400)
    assert found is not None
    assert found.kind == "context_overflow"
    learned = found.learned_window
    if 1_024 <= n <= 10_000_000:
        assert learned == n
    else:
        # Never an implausible one; where the other number is taken for the limit it is a plausible one.
        assert learned is None or (learned == n + more and 1_024 <= learned <= 10_000_000)


@requirement("I7", "M-6")
@MANY
@given(NUMBERS)
def test_a_number_in_a_field_is_learned_from_128_on(n: int) -> None:
    found = classify(
        error("the request exceeds the available context size", type="exceed_context_size_error", n_ctx=n),
        status=400,
    )
    assert found is not None
    assert found.learned_window == (n if 128 <= n <= 10_000_000 else None)


@requirement("I7", "M-6")
@MANY
@given(st.sampled_from(OTHERS), NUMBERS, st.integers(1, 1_000_000), SPELLED)
def test_what_is_no_window_is_never_learned(case: tuple[str, int], n: int, more: int, spelled: str) -> None:
    wording, status = case
    said = wording.format(n=spelled.format(n), more=spelled.format(n + more))
    found = classify(error(said), status=status)
    assert found is None or found.learned_window is None, (said, found)


@requirement("I7", "M-6")
@MANY
@given(st.sampled_from(QUOTED), NUMBERS, st.sampled_from([400, 422]))
def test_what_an_error_quotes_of_the_user_teaches_nothing(quoted: str, n: int, status: int) -> None:
    said = f"Invalid parameter: messages[3].content has an invalid value: '{quoted.format(n=n)}'"
    found = classify(error(said), status=status)
    assert found is None or found.learned_window is None, (said, found)


@requirement("I7")
@MANY
@given(st.text(max_size=80), NUMBERS, st.text(max_size=80), st.sampled_from([200, 400, 413, 429, 500]))
def test_whatever_is_learned_is_a_plausible_number(before: str, n: int, after: str, status: int) -> None:
    for body in (f"{before}{n}{after}", error(f"{before} {n} tokens {after}"), error(before, n_ctx=n, limit=n)):
        found = classify(body, status=status)
        assert found is None or found.learned_window is None or 128 <= found.learned_window <= 10_000_000
