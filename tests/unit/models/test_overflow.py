"""An input that is larger than the window is told from every other error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from requirement import requirement
from vademecum.models.overflow import is_overflow

CASES = Path(__file__).resolve().parents[3] / "../shared/cases/provider_errors.json"
#: Cases that no code and no beginning of a message tells: silent ones, wrapped ones, an empty body.
UNTOLD = {"E026", "E047", "E060", "E079", "E085", "E143", "E144", "E150"}


def says(message: str, *, status: int = 400, code: object = None) -> bool:
    return is_overflow(status, json.dumps({"error": {"message": message, "code": code}}).encode())


@requirement("C-33")
def test_recorded_errors_are_told_apart() -> None:
    if not CASES.exists():
        pytest.skip("data: there is no ../shared/cases/provider_errors.json")
    cases = json.loads(CASES.read_text("utf-8"))
    found = {case["id"] for case in cases if is_overflow(case["status"] or 200, json.dumps(case["body"]).encode())}
    assert found == {case["id"] for case in cases if case["kind"] == "context_overflow"} - UNTOLD


@pytest.mark.parametrize(
    ("message", "overflows"),
    [
        ("prompt is too long: 210,266 tokens > 200,000 maximum", True),
        ("gateway.BadRequestError: Prompt is too long: 3 tokens > 2 maximum", True),
        ("Cannot parse: 'prompt is too long: 3 tokens > 2 maximum'", False),
        ("This model's maximum context length is 100 tokens. However, you requested 150 tokens (120 in the", True),
        # The reply is what does not fit.
        ("This model's maximum context length is 100 tokens. However, you requested 150 tokens (50 in the", False),
        ("", False),
    ],
)
def test_the_wording_stands_at_the_start_and_the_figures_count(message: str, overflows: bool) -> None:
    assert says(message) == overflows


def test_a_code_is_enough_and_a_status_may_say_otherwise() -> None:
    assert says("anything", code="context_length_exceeded")
    assert not says("anything", code="rate_limit_exceeded")
    assert not says("anything", code="context_length_exceeded", status=429)
    assert not says("prompt is too long: 3 tokens > 2 maximum", status=503)


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"12", b'{"error": null}', b'{"error": [1]}', b"[" * 9_000])
def test_bodies_of_any_shape_are_no_overflow(body: bytes) -> None:
    assert not is_overflow(400, body)
