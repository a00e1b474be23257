"""Errors as providers send them, each told by what it means."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from requirement import requirement
from vademecum.models.errors import classify

CASES = Path(__file__).resolve().parents[4] / "../shared/cases/provider_errors.json"


def cases() -> list[dict[str, Any]]:
    if not CASES.is_file():
        pytest.skip("data: there is no ../shared/cases/provider_errors.json")
    return json.loads(CASES.read_text("utf-8"))


@requirement("M-5", "M-6")
def test_every_case_has_its_kind_and_its_figures() -> None:
    wrong: dict[str, object] = {}
    for case in cases():
        found = classify(case["body"], status=case["status"], provider=case["provider"])
        assert found is not None, case["id"]
        told: dict[str, object] = {"kind": found.kind, "limit": found.limit, "learned_window": found.learned_window}
        # Where the case leaves the input out, it only does not ask for it.
        if case["observed_input"] is not None:
            told["observed_input"] = found.observed_input
        if "limit_is" in case:
            told["limit_is"] = found.limit_kind
        missed = {key: value for key, value in told.items() if value != case[key]}
        if missed:
            wrong[case["id"]] = missed
    assert not wrong
