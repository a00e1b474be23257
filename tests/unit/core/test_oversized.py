"""Oversized parts are cut with a head, a tail and a way back; what is unanswered only where it must be (C-22)."""

import json
from typing import Any

import pytest

from requirement import requirement
from unit.core.cases import case_of, compacted, driven
from vademecum import Archive
from vademecum.core.edits import MARK
from vademecum.core.plan import plan
from vademecum.wire import dialect

FORMATS = ("openai-chat", "anthropic")
CUT = "characters left out here; restore t_"


def said(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": text}


def call(number: int, text: str, *, failed: bool = False) -> list[dict[str, Any]]:
    function = {"name": "bash", "arguments": json.dumps({"command": f"make {number}"})}
    return [
        {"role": "assistant", "content": None, "tool_calls": [{"id": f"c{number}", "function": function}]},
        {"role": "tool", "tool_call_id": f"c{number}", "content": text, "meta": {"is_error": failed}},
    ]


@requirement("C-22")
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("newest", [True, False], ids=["in the tail", "before it"])
def test_an_assistant_text_of_215_thousand_tokens_leaves_room(format: str, newest: bool) -> None:
    giant = "so many words were said here " * 36_000
    rows = [said("user", "write it all"), said("assistant", f"BEGIN {giant} END")]
    if not newest:
        rows += [said("user", "and now?"), said("assistant", "Next is the index.")]
    session = Archive.memory().session("giant", format=format)
    done = compacted(rows, window=128_000, format=format, session=session)
    text = json.dumps(list(done.messages))
    assert done.receipt.tokens_before > 215_000
    assert done.receipt.tokens_after <= done.receipt.trigger_tokens
    if newest:
        assert "BEGIN so many" in text
        assert "here  END" in text
        assert CUT in text
    name = next(name for name in done.receipt.removed if giant in session.restore(name).data.decode())
    assert name


@requirement("C-22")
def test_an_old_paste_is_cut_and_the_newest_words_are_not() -> None:
    paste, newest = "pasted line of a log\n" * 12_000, "look at the last error only " * 40
    rows = [said("user", paste), said("user", newest), *call(1, "ok")]
    done = compacted(rows, window=32_000)
    text = json.dumps(list(done.messages))
    assert done.receipt.tokens_after <= 16_000
    assert newest in text
    assert paste[:200] not in text or CUT in text


@requirement("C-22")
def test_a_giant_error_keeps_its_head_and_its_tail() -> None:
    error = "Traceback: first line\n" + "  frame\n" * 60_000 + "ValueError: the last line"
    rows = [said("user", "run it"), *call(1, error, failed=True)]
    done = compacted(rows, window=32_000)
    result = str(done.messages[-1]["content"])
    assert result.startswith("Traceback: first line")
    assert result.endswith("ValueError: the last line")
    assert CUT in result


@requirement("C-22")
@pytest.mark.parametrize(("share", "whole"), [(0.4, True), (0.9, False)])
def test_unanswered_results_are_cut_only_above_half_of_what_the_target_leaves(share: float, whole: bool) -> None:
    probe = case_of(turns=4, window=64_000)
    text = "a word or two\n" * int(share * probe.room / 5)
    rows = [said("user", "go"), *[row for n in range(12) for row in call(n, "old output\n" * 1_000)], *call(99, text)]
    case = case_of(rows=rows, window=64_000)
    made = driven(plan(case))
    last = (len(case.live) - 1, 0)
    assert case.sizes[-1] > share * 0.7 * case.room
    assert (last not in made.edits) is whole
    if not whole:
        assert made.edits[last].kind == "cut"
        assert MARK in (made.edits[last].text or "")


@requirement("C-22", "C-29")
@pytest.mark.parametrize("format", FORMATS)
def test_what_was_cut_is_valid(format: str) -> None:
    rows = [said("user", "x " * 40_000), said("assistant", "y " * 40_000), said("user", "z " * 500)]
    done = compacted(rows, window=16_000, format=format)
    loaded = [dialect(format).load(row, at) for at, row in enumerate(done.messages)]
    assert dialect(format).problems(loaded) == ()
    assert done.receipt.tokens_after <= 8_000


@requirement("C-22", "C-7")
@pytest.mark.parametrize(("count", "window"), [(10, 2_000), (60, 8_000), (120, 16_000)])
def test_a_batch_of_many_results_fits_whatever_each_of_them_has(count: int, window: int) -> None:
    rounds = [call(number, f"line {number} of the log " * 200) for number in range(count)]
    calls = [one for made, _ in rounds for one in made["tool_calls"]]
    asked = "please look at all of them " * 4
    rows = [said("user", asked), {**rounds[0][0], "tool_calls": calls}, *(result for _, result in rounds)]
    done = compacted(rows, window=window)
    text = json.dumps(list(done.messages))
    assert done.receipt.tokens_after <= window
    assert asked in text
    assert all(f"c{number}" in text for number in range(count))
    assert f"line {count - 1} of the log" in text  # the newest are stubbed last
