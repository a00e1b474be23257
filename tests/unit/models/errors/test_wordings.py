"""Wordings of many providers: nearly all are told, and none that is no overflow is taken for one.

The rows of `fixtures/provider_errors.jsonl` are what providers, servers and gateways say, with what that means.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any, get_args

from requirement import requirement
from vademecum.models.errors import ACTIONS, Action, Kind, Verdict, classify

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[3] / "fixtures/provider_errors.jsonl").read_text("utf-8").splitlines()
]
#: The share of kinds that has to be right, and how few rows would prove nothing.
ENOUGH, LEAST = 0.98, 300


def verdict(row: dict[str, Any]) -> Verdict:
    found = classify(row["body"], status=row["status"], provider=row["provider"])
    assert found is not None, row["id"]
    return found


@requirement("M-5")
def test_nearly_all_kinds_are_right() -> None:
    wrong = {row["id"]: found.kind for row in ROWS if (found := verdict(row)).kind != row["kind"]}
    assert len(ROWS) >= LEAST
    assert len(wrong) <= (1 - ENOUGH) * len(ROWS), wrong


@requirement("M-5")
def test_nothing_else_is_taken_for_an_overflow() -> None:
    others = [row for row in ROWS if row["kind"] != "context_overflow"]
    assert {row["id"] for row in others if verdict(row).kind == "context_overflow"} == set()
    assert {row["id"] for row in others if verdict(row).learnable} == set()


@requirement("M-6")
def test_learned_windows_are_numbers_that_the_error_names() -> None:
    for row in ROWS:
        found = verdict(row)
        if found.learned_window is None:
            continue
        text = re.sub(r"(\d)[kK]\b", r"\g<1>000", json.dumps(row["body"]).replace(",", ""))
        assert str(found.learned_window) in text, row["id"]
        if found.observed_input is not None:
            assert found.observed_input > 0.97 * found.learned_window, row["id"]


@requirement("M-6")
def test_limits_and_inputs_are_those_that_the_error_names() -> None:
    named = [row for row in ROWS if "limit" in row or "observed_input" in row]
    wrong = {
        row["id"]: (found.limit, found.observed_input)
        for row in named
        if (found := verdict(row)).limit != row.get("limit") or found.observed_input != row.get("observed_input")
    }
    assert len(named) >= 60
    assert not wrong


@requirement("M-7")
def test_each_kind_has_one_action() -> None:
    assert set(ACTIONS) == set(get_args(Kind))
    assert set(ACTIONS.values()) == set(get_args(Action))
    assert {row["kind"] for row in ROWS} >= set(get_args(Kind)) - {"silent_truncation", "output_truncated"}
    assert len(Counter(row["provider"] for row in ROWS)) > 40
