"""Stale reads are the first to be stubbed, and a result that points back says where that is."""

import json
from dataclasses import replace
from typing import Any

import pytest

from requirement import requirement
from unit.core.cases import case_of, compacted, driven, whole
from vademecum import Archive, Compactor
from vademecum.core.edits import MARK
from vademecum.core.messages import Part
from vademecum.core.plan import plan
from vademecum.core.reads import access_of, refers_back
from vademecum.core.tail import choose_tail, stub_edit
from vademecum.core.tiers.tool_results import tool_results
from vademecum.presets import preset
from vademecum.testing import sample

RULE = preset("half").reads
TEXT = "".join(f"{n}: a line of the file with some words in it\n" for n in range(120))
UNCHANGED = "File unchanged since last read. The content from the earlier result is still current."


def steps(*calls: tuple[str, dict[str, Any], str]) -> list[dict[str, Any]]:
    """A session of one call a round: tool, arguments, result."""
    rows: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for number, (tool, given, text) in enumerate(calls):
        function = {"name": tool, "arguments": json.dumps(given)}
        rows += [
            {"role": "assistant", "content": None, "tool_calls": [{"id": f"c{number}", "function": function}]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": text},
        ]
    return [*rows, {"role": "assistant", "content": "done"}]


def read(path: str, text: str = TEXT, **more: Any) -> tuple[str, dict[str, Any], str]:
    return "Read", {"file_path": path, **more}, text


def stale(*calls: tuple[str, dict[str, Any], str]) -> dict[int, tuple[str, int]]:
    """Number of each call whose result is stale → how, and the number of the call that made it so."""
    case = case_of(rows=steps(*calls), window=100_000)
    return {
        (at - 2) // 2: (newer.how, (newer.spot[0] - 1) // 2) for (at, _), newer in sorted(case.superseded.items())
    }


def run(command: str) -> tuple[str, dict[str, Any], str]:
    return "exec_command", {"cmd": command}, TEXT


def view(first: int, last: int) -> tuple[str, dict[str, Any], str]:
    return "view", {"path": "a", "view_range": [first, last]}, TEXT


def editor(command: str) -> tuple[str, dict[str, Any], str]:
    return "str_replace_editor", {"command": command, "path": "a"}, TEXT


PATCH = ("apply_patch", {"input": "*** Begin Patch\n*** Update File: a.py\n@@"}, "ok")


@requirement("C-40")
@pytest.mark.parametrize(
    ("calls", "found"),
    [
        ([read("a.py"), read("a.py")], {0: ("read", 1)}),
        ([read("a.py"), read("a.py", TEXT + "more")], {0: ("read", 1)}),
        ([read("a.py"), read("a.py"), read("a.py")], {0: ("read", 2), 1: ("read", 2)}),
        ([read("a.py"), read("./a.py")], {0: ("read", 1)}),
        ([read("a.py"), read("b.py")], {}),
        ([read("a.py", offset=1, limit=50), read("a.py", offset=60, limit=50)], {}),
        ([read("a.py", offset=10, limit=50), read("a.py", offset=1, limit=80)], {0: ("read", 1)}),
        ([read("a.py", offset=10, limit=50), read("a.py")], {0: ("read", 1)}),
        ([read("a.py"), read("a.py", offset=10, limit=50)], {}),
        ([view(5, 9), view(1, -1)], {0: ("read", 1)}),
        ([read("a.py"), read("a.py", "no such file")], {}),
        ([read("a.py"), read("a.py", UNCHANGED)], {}),
        ([read("a.py"), ("Edit", {"file_path": "/w/a.py", "old_string": "x"}, "ok")], {0: ("changed", 1)}),
        ([read("a.py"), ("Edit", {"file_path": "a.py"}, "ok"), read("a.py")], {0: ("read", 2)}),
        ([read("a.py"), read("a.py"), ("Write", {"file_path": "a.py"}, "ok")], {0: ("read", 1), 1: ("changed", 2)}),
        ([read("a.py"), ("Edit", {"file_path": "b.py"}, "ok")], {}),
        ([read("a.py"), ("mcp__fs__write_file", {"path": "a.py"}, "ok")], {0: ("changed", 1)}),
        ([read("a.py"), PATCH], {0: ("changed", 1)}),
        ([run("cat a.py"), run("cat a.py")], {0: ("read", 1)}),
        ([run("sed -n '1,9p' a.py"), run("sed -n '9,99p' a.py")], {}),
        ([("bash", {"command": "cat a.py"}, TEXT), ("Edit", {"file_path": "/w/a.py"}, "ok")], {0: ("changed", 1)}),
        ([("bash", {"command": "cat a.py | wc"}, TEXT), ("bash", {"command": "cat a.py | wc"}, TEXT)], {}),
        ([editor("view"), editor("str_replace")], {0: ("changed", 1)}),
        ([read("a.py", pages="1-3"), read("a.py", pages="4-6")], {}),
        ([read("a.py", description="first"), read("a.py", description="again")], {0: ("read", 1)}),
    ],
)
def test_which_reads_are_stale(calls: list[Any], found: dict[int, Any]) -> None:
    assert stale(*calls) == found


@requirement("C-40")
def test_a_failed_change_makes_nothing_stale() -> None:
    rows = steps(read("a.py"), ("Edit", {"file_path": "a.py"}, "old string not found"))
    rows[4]["meta"] = {"is_error": True}
    assert not case_of(rows=rows).superseded


@requirement("C-40", "C-18")
def test_the_stub_of_a_stale_read_names_what_is_newer() -> None:
    case = case_of(rows=steps(read("a.py"), read("a.py"), ("Edit", {"file_path": "a.py"}, "ok")), window=100_000)
    again, changed = (stub_edit(case, (at, 0)).text or "" for at in (2, 4))
    size = f"{len(TEXT):,} chars"
    assert again == (
        f'{MARK} archived result of Read "a.py", ok, {size}; read again, see {case.id_of(4, 0)};'
        f" restore {case.id_of(2, 0)}]"
    )
    assert f"; the file was changed since by {case.id_of(5, 0)}; restore {case.id_of(4, 0)}]" in changed


@requirement("C-40")
def test_stale_reads_leave_before_older_ones_that_are_not() -> None:
    calls = [read(f"old_{n}.py", TEXT + str(n)) for n in range(6)]
    calls += [read(f"twice_{n % 3}.py", TEXT + str(n)) for n in range(6)]
    calls += [("bash", {"command": f"make {n}"}, TEXT) for n in range(6)]
    case = case_of(rows=steps(*calls), window=64_000, target=26_000)
    draft = driven(choose_tail(case))
    done = driven(tool_results(case, draft))
    assert done.rungs[-1].outcome == "fits"
    stubbed = {spot for spot, edit in done.edits.items() if edit.kind == "stub"}
    before = {spot for spot in case.superseded if spot[0] < draft.cut}
    assert before
    assert before <= stubbed
    # Stubbing the stale ones frees most of what is needed, so nearly all older results come back.
    assert len(stubbed) < len(before) + 6


@requirement("C-40")
def test_a_read_of_a_file_that_changed_comes_back_last() -> None:
    calls = [read("a.py"), ("Edit", {"file_path": "a.py"}, "ok")]
    calls += [("bash", {"command": f"make {n}"}, TEXT + str(n)) for n in range(12)]
    calls += [read("b.py"), read("b.py")]
    case = case_of(rows=steps(*calls), window=200_000, target=90_000)
    draft = replace(whole(case), cut=len(case.live) - 2)
    wide = driven(tool_results(case, draft))
    tight = driven(tool_results(replace(case, budget=replace(case.budget, target_override=16_000)), draft))
    stubbed = [{spot[0] for spot, edit in done.edits.items() if edit.kind == "stub"} for done in (wide, tight)]
    assert stubbed[0] == {30}  # the first read of b.py: the other one shows as much
    assert {2, 30} < stubbed[1]


@requirement("C-40")
def test_stubs_of_stale_reads_are_the_same_in_every_run() -> None:
    rows = steps(*[read(f"{n % 4}.py", TEXT + str(n)) for n in range(16)])
    one, two = (driven(plan(case_of(rows=rows, window=24_000))) for _ in range(2))
    assert one.edits == two.edits


@requirement("C-18")
@pytest.mark.parametrize(
    ("text", "back"),
    [
        (UNCHANGED, True),
        ("The file has not changed since you read it.", True),
        ("Unchanged since your last read of a.py", True),
        ("Same as the previous result.", True),
        ("You have already read this file; refer to that.", True),
        ("12 files changed, 3 insertions", False),
        ("ok", False),
        (f"{UNCHANGED} {'x' * 900}", False),
    ],
)
def test_results_that_have_nothing_new_to_show(text: str, back: bool) -> None:
    assert refers_back(text, RULE) is back


@requirement("C-18")
def test_a_result_that_points_back_gets_the_id_of_what_left() -> None:
    session = Archive.memory().session("points", format="openai-chat")
    filler = [("bash", {"command": f"make {n}"}, TEXT + str(n)) for n in range(30)]
    rows = steps(read("src/a.py"), *filler, read("src/a.py", UNCHANGED))
    done = compacted(rows, window=24_000, session=session)
    kept = next(row for row in done.messages if row["role"] == "tool" and "unchanged since" in str(row["content"]))
    name = str(kept["content"]).rpartition("restore ")[2].rstrip("]")
    assert kept["content"] == f"{UNCHANGED}\n{MARK} what this refers to has left the context; restore {name}]"
    assert session.restore(name).data.decode() == TEXT
    assert name in done.receipt.removed
    assert session.restore(name).tool == "Read"


@requirement("C-18")
def test_it_still_does_when_that_left_in_an_earlier_cycle() -> None:
    session = Archive.memory().session("points", format="openai-chat")
    compactor = Compactor(window=24_000, session=session)
    filler = [("bash", {"command": f"make {n}"}, TEXT + str(n)) for n in range(30)]
    rows = steps(read("src/a.py"), *filler)
    assert compactor.fit(rows).receipt.cycle == 1
    later = [("bash", {"command": f"test {n}"}, TEXT + str(n)) for n in range(9)]
    rows = [*rows, *steps(*later, read("src/a.py", UNCHANGED))]
    for number, row in enumerate(rows):  # ids of calls are told apart by their round
        if row["role"] == "tool":
            row["tool_call_id"] = rows[number - 1]["tool_calls"][0]["id"]
    done = compactor.fit(rows)
    assert done.receipt.cycle == 2
    kept = next(str(row["content"]) for row in done.messages if "unchanged since" in str(row["content"]))
    assert session.restore(kept.rpartition("restore ")[2].rstrip("]")).data.decode() == TEXT


@requirement("C-18")
def test_what_still_stands_needs_no_id() -> None:
    rows = [*sample(turns=20), *steps(read("src/a.py", "short\n" * 40), read("src/a.py", UNCHANGED))]
    done = compacted(rows, window=16_000)
    kept = next(str(row["content"]) for row in done.messages if "unchanged since" in str(row["content"]))
    assert kept == UNCHANGED


def test_calls_of_other_kinds_access_no_file() -> None:
    for tool, text in [("Grep", '{"path":"a"}'), ("Read", "{}"), ("Read", "no json"), ("bash", '{"command":3}')]:
        assert access_of(Part("tool_call", text, tool=tool), RULE) is None
