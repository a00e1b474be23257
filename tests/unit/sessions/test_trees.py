"""Logs that are trees: the newest leaf's way, branches kept, calls side by side, sub-agents, damaged links."""

import json
from typing import Any

import pytest

from requirement import requirement
from unit.sessions.made import CLAUDE, answer, claude, lines, use
from vademecum.sessions import Reading, Source, readings


def read(*rows: Any) -> list[Reading]:
    return list(readings(Source.of(lines(*rows))))


def contents(one: Reading) -> list[Any]:
    return [message.wire["content"] for message in one]


def text(value: str) -> dict[str, str]:
    return {"type": "text", "text": value}


@requirement("A-8")
def test_a_rewind_leaves_a_branch() -> None:
    (one,) = read(
        claude("1", None, "user", "first"),
        claude("2", "1", "assistant", [text("old")], message={"id": "a"}),
        claude("3", "2", "user", "regretted"),
        claude("4", "1", "assistant", [text("new")], message={"id": "b"}),
        claude("5", "4", "user", "kept"),
    )
    assert contents(one) == ["first", [text("new")], "kept"]
    assert [contents(branch) for branch in one.branches] == [["first", [text("old")], "regretted"]]


@requirement("A-8")
def test_a_model_call_in_several_rows_is_one_message_with_its_results_next() -> None:
    (one,) = read(*CLAUDE)
    _, asked, answered, _ = one
    assert [part.kind for part in asked.parts] == ["reasoning", "tool_call", "tool_call"]
    assert [(part.call_id, part.is_error) for part in answered.parts] == [("t1", False), ("t2", True)]
    assert not one.branches
    assert asked.ts is not None


@requirement("A-8")
@pytest.mark.parametrize("order", [(4, 5, 7, 6), (5, 4, 6, 7), (4, 5, 6, 7)])
def test_results_of_calls_side_by_side_in_any_order(order: tuple[int, ...]) -> None:
    (one,) = read(*CLAUDE[:4], *(CLAUDE[number] for number in order))
    said = list(one)
    assert sorted(part.call_id for part in said[-1].parts) == ["t1", "t2"]
    assert one.dialect.problems(said) == ()


@requirement("A-8")
def test_the_transcript_goes_on_over_its_own_compaction() -> None:
    boundary = {
        "type": "system",
        "subtype": "compact_boundary",
        "uuid": "b",
        "parentUuid": None,
        "logicalParentUuid": "a4",
    }
    summary = claude("s", "b", "user", "This session is being continued", isCompactSummary=True)
    (one,) = read(*CLAUDE, boundary, summary, claude("u9", "s", "user", "go on"))
    said = contents(one)
    assert (said[0], said[-1], len(said)) == ("alpha question", "go on", 5)
    assert one.dropped == 2
    assert not one.branches


@requirement("A-8")
def test_a_lost_line_does_not_cut_the_transcript() -> None:
    (one,) = read(*CLAUDE[:7], *CLAUDE[8:])
    assert [message.role for message in one] == ["user", "assistant", "tool", "assistant"]


@requirement("A-8")
def test_copies_of_rows_are_read_once() -> None:
    (one,) = read(*CLAUDE, *CLAUDE)
    assert len(list(one)) == 4
    assert not one.branches


@requirement("A-8")
def test_rows_that_name_themselves_or_each_other() -> None:
    (one,) = read(claude("1", "1", "user", "a"), claude("2", "3", "assistant", "b"), claude("3", "2", "user", "c"))
    assert contents(one) == ["a", "b", "c"]


@requirement("A-8")
def test_sub_agents_are_sessions_of_their_own() -> None:
    side = {"isSidechain": True, "agentId": "x7"}
    main, agent = read(
        *CLAUDE,
        claude("s1", None, "user", "look for it", **side),
        claude("s2", "s1", "assistant", [use("t9", "Grep", pattern="x")], **side),
        claude("s3", "s2", "user", [answer("t9", "found")], **side),
    )
    assert (main.session, agent.session) == ("c-1", "c-1/agent-x7")
    assert len(list(main)) == 4
    said = list(agent)
    assert [message.role for message in said] == ["user", "assistant", "tool"]
    assert not any(message.typed for message in said)


@requirement("A-8")
def test_what_a_harness_wrote_was_typed_by_nobody() -> None:
    (one,) = read(
        claude("1", None, "user", "Base text of a skill", isMeta=True),
        claude("2", "1", "user", "typed by me"),
        claude("3", "2", "user", "<system-reminder>x</system-reminder>"),
    )
    (joined,) = one
    assert joined.typed_text() == "typed by me"


@requirement("A-8")
def test_what_was_typed_while_the_agent_worked_is_kept() -> None:
    queued = {
        "type": "attachment",
        "uuid": "q",
        "parentUuid": "a4",
        "attachment": {"type": "queued_command", "prompt": "wait"},
    }
    (one,) = read(*CLAUDE, queued)
    assert list(one)[-1].typed_text() == "wait"


@requirement("A-8")
def test_bookkeeping_is_counted() -> None:
    (one,) = read(*CLAUDE, {"type": "frobnicate", "sessionId": "c-1"}, {"type": "frobnicate", "sessionId": "c-1"})
    list(one)
    assert one.left_out["progress"] == 1
    assert one.left_out["file-history-snapshot"] == 1
    assert (10, "2 rows of an unknown sort: frobnicate") in one.skipped


@requirement("A-8")
def test_wire_form_has_the_keys_of_the_api_only() -> None:
    (one,) = read(*CLAUDE)
    assert {key for message in one for key in message.wire} == {"role", "content"}
    assert (one.layout, one.prefix) == ("body", b'{"messages":[')
    assert json.loads(one.prefix + b",".join(message.raw for message in one) + one.suffix)["messages"]
