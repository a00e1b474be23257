"""The tiers: what each one does, and when it leaves everything as it is."""

import json
from typing import Any

import pytest

from requirement import requirement
from unit.core.cases import case_of, compacted, driven, whole
from vademecum.core.check import violations
from vademecum.core.edits import MARK
from vademecum.core.plan import plan
from vademecum.core.tail import choose_tail, stubbable, tail_budget
from vademecum.core.tiers import LADDER
from vademecum.core.tiers.local_summary import local_summary
from vademecum.core.tiers.prune import prune
from vademecum.core.tiers.tool_results import tool_results
from vademecum.testing import sample
from vademecum.wire import dialect

FORMATS = ("openai-chat", "anthropic")


def test_the_order_of_the_tiers_is_fixed() -> None:
    assert [name for name, _ in LADDER] == ["summary", "tool_results", "images", "local_summary", "prune"]


@requirement("C-31")
@pytest.mark.parametrize(
    ("window", "tail"),
    [(1_000_000, 20_000), (200_000, 10_000), (400_000, 10_000), (600_000, 15_000), (32_000, 3_120), (4_000, 388)],
)
def test_the_tail_is_lean(window: int, tail: int) -> None:
    case = case_of(window=window)
    assert tail_budget(case) <= window * 0.2
    assert tail_budget(case) <= case.room // 2 or tail_budget(case) == 1
    assert tail_budget(case) == pytest.approx(tail, rel=0.1)


@requirement("C-31", "C-29")
@pytest.mark.parametrize("format", FORMATS)
def test_the_tail_begins_at_a_complete_round_and_fits(format: str) -> None:
    case = case_of(format, turns=20, window=16_000)
    draft = driven(choose_tail(case))
    assert draft.cut in case.cuts
    assert 0 < draft.cut < len(case.live)
    assert sum(draft.sizes[draft.cut :]) <= max(tail_budget(case), case.room // 2)


@requirement("C-18")
def test_old_results_become_stubs_and_the_newest_come_back() -> None:
    case = case_of(turns=14, window=96_000)
    draft = driven(choose_tail(case))
    done = driven(tool_results(case, draft))
    stubbed = [spot for spot, edit in done.edits.items() if edit.kind == "stub" and spot[0] < done.cut]
    offered = stubbable(case, 0, draft.cut)
    assert done.rungs[-1].outcome in ("fits", "helped")
    assert stubbed
    assert sorted(stubbed) == offered[: len(stubbed)]  # the oldest are stubs, the newest are whole
    assert done.fold == 0


@requirement("C-18")
def test_stubs_are_the_same_in_every_run_and_name_the_part() -> None:
    case = case_of(turns=14, window=96_000)
    one, two = (driven(tool_results(case, driven(choose_tail(case)))) for _ in range(2))
    assert one.edits == two.edits
    for spot, edit in one.edits.items():
        if edit.kind == "stub":
            assert edit.text is not None
            assert edit.text.startswith(MARK)
            assert f"restore {case.id_of(*spot)}]" in edit.text


@requirement("C-18")
@pytest.mark.parametrize(
    "tool", ["todo_write", "TodoWrite", "update_plan", "AskUserQuestion", "restore_tool_result", "Skill"]
)
def test_results_that_the_model_works_by_are_kept(tool: str) -> None:
    rows = [{"role": "user", "content": "go"}]
    for number, name in enumerate([tool, "bash", "mcp__unknown__fetch"]):
        calls = [{"id": f"c{number}", "function": {"name": name, "arguments": "{}"}}]
        rows += [
            {"role": "assistant", "content": None, "tool_calls": calls},
            {"role": "tool", "tool_call_id": f"c{number}", "content": "line\n" * 400},
        ]
    rows += [{"role": "assistant", "content": "done"}]
    case = case_of(rows=rows)
    assert stubbable(case, 0, len(case.live)) == [(4, 0), (6, 0)]


@requirement("C-18", "C-22")
def test_unanswered_results_are_never_stubbed() -> None:
    rows = sample(turns=3)[:-1]
    while rows[-1]["role"] != "tool":
        rows.pop()
    case = case_of(rows=rows)
    assert (len(case.live) - 1, 0) not in stubbable(case, 0, len(case.live))
    assert (len(case.live) - 3, 0) in stubbable(case, 0, len(case.live))


@requirement("C-20")
@pytest.mark.parametrize("on", [True, False])
def test_token_compression_switches_one_tier_off(on: bool) -> None:
    case = case_of(turns=30, token_compression=on)
    made = driven(plan(case))
    outcomes = {rung.name: rung.outcome for rung in made.rungs}
    assert (outcomes["local_summary"] == "off") is not on
    assert outcomes["tool_results"] != "off"
    assert made.outcome in ("compacted", "crowded")
    if not on:
        assert outcomes["prune"] in ("fits", "helped")


@requirement("C-20")
def test_the_local_tier_folds_without_a_model() -> None:
    case = case_of(turns=30)
    draft = driven(choose_tail(case))
    done = driven(local_summary(case, draft))
    assert (done.fold, done.extractive) == (draft.cut, True)


@requirement("C-21")
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("window", [4_000, 16_000])
@pytest.mark.parametrize("chars", [300, 6_000])
def test_dialogue_of_three_windows_always_fits(format: str, window: int, chars: int) -> None:
    rows: list[dict[str, Any]] = []
    while sum(len(row["content"]) for row in rows) < window * 3 * 6:
        number = len(rows)
        rows.append(
            {
                "role": ("user", "assistant")[number % 2],
                "content": f"{number} says " + "some words here " * (chars // 16),
            }
        )
    done = compacted(rows, window=window, format=format)
    assert done.receipt.tokens_before > 2.5 * window
    assert done.receipt.outcome in ("compacted", "crowded")
    assert done.receipt.tokens_after <= done.receipt.trigger_tokens


@requirement("C-22", "C-21")
@pytest.mark.parametrize("format", FORMATS)
def test_a_round_larger_than_the_window_is_cut_inside(format: str) -> None:
    rows = sample(format, turns=1, rounds=1, chars=400_000)[:-1]
    done = compacted(rows, window=16_000)
    text = json.dumps(done.messages[-1])
    assert done.receipt.tokens_after <= 8_000
    assert "characters left out here; restore t_" in text
    assert "0 of 5" in text or "def handle" in text or "port" in text
    loaded = [dialect(format).load(row, at) for at, row in enumerate(done.messages)]
    assert dialect(format).problems(loaded) == ()


@requirement("C-22")
def test_six_parallel_results_of_one_round_share_the_room() -> None:  # fault 61
    calls = [{"id": f"c{n}", "function": {"name": "bash", "arguments": "{}"}} for n in range(6)]
    rows = [
        {"role": "user", "content": "compare them"},
        {"role": "assistant", "content": None, "tool_calls": calls},
        *({"role": "tool", "tool_call_id": f"c{n}", "content": f"{n} line\n" * 60_000} for n in range(6)),
    ]
    done = compacted(rows, window=32_000)
    assert done.receipt.tokens_after <= 16_000
    results = [row for row in done.messages if row["role"] == "tool"]
    assert [row["tool_call_id"] for row in results] == [f"c{n}" for n in range(6)]
    assert max(len(str(row["content"])) for row in results) < 2 * min(len(str(row["content"])) for row in results)


@requirement("C-22", "C-29")
def test_a_huge_call_is_cut_so_that_its_arguments_stay_json() -> None:
    arguments = json.dumps({"path": "a.py", "content": "line of code\n" * 40_000})
    rows = [
        {"role": "user", "content": "write it"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c", "type": "function", "function": {"name": "write_file", "arguments": arguments}}
            ],
        },
        {"role": "tool", "tool_call_id": "c", "content": "ok"},
    ]
    done = compacted(rows, window=16_000)
    call = next(row for row in done.messages if row["role"] == "assistant")["tool_calls"][0]
    value = json.loads(call["function"]["arguments"])
    assert value["path"] == "a.py"
    assert MARK in value["content"]
    assert (call["id"], call["type"], call["function"]["name"]) == ("c", "function", "write_file")


@requirement("C-22")
def test_the_newest_text_of_the_user_is_cut_only_beyond_the_window() -> None:
    small = {"role": "user", "content": "word " * 2_500}
    done = compacted([*sample(turns=6), small], window=8_000)
    assert any("word " * 2_500 in json.dumps(row) for row in done.messages)
    large = {"role": "user", "content": "word " * 30_000}
    done = compacted([*sample(turns=6), large], window=8_000)
    assert done.receipt.tokens_after <= 8_000
    assert "characters left out here; restore t_" in json.dumps(done.messages)


@requirement("C-21")
def test_prune_folds_all_but_the_tail() -> None:
    case = case_of(turns=20)
    done = driven(prune(case, driven(choose_tail(case))))
    assert done.fold == done.cut > 0
    assert done.rungs[-1].outcome in ("fits", "helped")


def test_an_empty_draft_breaks_nothing() -> None:
    case = case_of(turns=2)
    draft = whole(case)
    assert draft.live_tokens == sum(case.sizes)
    assert violations.__doc__
