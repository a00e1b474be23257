"""An edit touches one part of one message, and gives what the format has in that place."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.wire.convert import FORMATS, session
from contract.wire.strategies import MESSAGES
from requirement import requirement
from vademecum.core.edits import cut_arguments
from vademecum.core.messages import Message, Part
from vademecum.wire import dialect
from vademecum.wire.values import encoded

ANY = st.sampled_from(FORMATS).flatmap(lambda name: st.tuples(st.just(name), MESSAGES[name]))
STUB = "[vademecum: archived result of bash, ok, 300 chars; restore t_aaaaaaaaaa]"


def editable(part: Part) -> bool:
    """What a plan gives another text."""
    return part.kind in ("text", "tool_result", "tool_call") and part.tool != "computer"


def replacement(part: Part) -> str:
    return cut_arguments('{"command":"x"}', 80, "t_a") if part.kind == "tool_call" else STUB


@requirement("C-22", "I1")
@given(ANY, st.data())
def test_an_edit_changes_one_part(drawn: tuple[str, dict[str, Any]], data: st.DataObject) -> None:
    format, row = drawn
    message, before = dialect(format).load(row, 0), copy.deepcopy(row)
    numbers = [number for number, part in enumerate(message.parts) if editable(part)]
    if not numbers:
        return
    number = data.draw(st.sampled_from(numbers))
    wire = dialect(format).edited(message, {number: replacement(message.parts[number])})
    assert wire is not None
    assert row == before
    new = dialect(format).load(json.loads(encoded(wire)), 0)
    assert new.role == message.role
    assert any(replacement(message.parts[number]) in part.text for part in new.parts)
    others = [_what(part) for at, part in enumerate(message.parts) if at != number]
    kept = [_what(part) for part in new.parts]
    assert all(other in kept for other in others if not _goes_along(message, number, other))
    assert {key: wire[key] for key in row if key.startswith("x_")} == {
        key: row[key] for key in row if key.startswith("x_")
    }


def _what(part: Part) -> tuple[str, str, str, str]:
    return part.kind, part.text, part.tool, part.call_id


def _goes_along(message: Message, number: int, other: tuple[str, ...]) -> bool:
    """A repeat of a result goes with it; ids that count the calls of a content move up."""
    part = message.parts[number]
    return other == _what(part) or (part.kind == "tool_result" and other[0] == "tool_result")


@requirement("C-22", "I1")
@given(ANY, st.data())
def test_a_part_can_be_taken_out(drawn: tuple[str, dict[str, Any]], data: st.DataObject) -> None:
    format, row = drawn
    message, before = dialect(format).load(row, 0), copy.deepcopy(row)
    numbers = [number for number, part in enumerate(message.parts) if part.kind in ("text", "reasoning")]
    if not numbers:
        return
    gone = data.draw(st.sets(st.sampled_from(numbers), min_size=1))
    wire = dialect(format).edited(message, dict.fromkeys(gone))
    assert row == before
    if wire is None:
        assert len(gone) == len(message.parts)
        return
    new = dialect(format).load(json.loads(encoded(wire)), 0)
    left = [_what(part) for number, part in enumerate(message.parts) if number not in gone]
    assert [_what(part) for part in new.parts] == left


@requirement("C-18", "C-29")
@pytest.mark.parametrize("format", FORMATS)
def test_stubbed_results_keep_their_calls_and_the_format(format: str) -> None:
    chosen = dialect(format)
    rows = session(format, turns=3)
    messages = [chosen.load(row, index) for index, row in enumerate(rows)]
    assert chosen.problems(messages) == ()
    stubbed: list[Message] = []
    for index, message in enumerate(messages):
        edits = {number: STUB for number, part in enumerate(message.parts) if part.kind == "tool_result"}
        wire = chosen.edited(message, edits)
        assert wire is not None
        assert (wire is rows[index]) is not bool(edits)
        stubbed.append(chosen.load(json.loads(encoded(wire)), index))
    assert chosen.problems(stubbed) == ()
    results = [part for message in stubbed for part in message.results()]
    assert {part.text for part in results} == {STUB}
    assert [part.call_id for part in results] == [part.call_id for message in messages for part in message.results()]


@requirement("C-29", "C-23")
@pytest.mark.parametrize("format", FORMATS)
def test_what_is_put_in_is_of_the_format(format: str) -> None:
    chosen = dialect(format)
    one, two = chosen.load(chosen.user(["first"]), 0), chosen.load(chosen.user(["first", "second"]), 0)
    assert (one.role, [part.text for part in one.parts]) == ("user", ["first"])
    assert [part.text for part in two.parts] == ["first", "second"]
    joined = chosen.load(chosen.prepended(["carry", "request"], two), 0)
    assert [part.text for part in joined.parts] == ["carry", "request", "first", "second"]
    assert chosen.problems([joined]) == ()


@requirement("C-29")
@pytest.mark.parametrize("format", FORMATS)
def test_calls_without_a_result_are_answered(format: str) -> None:
    chosen = dialect(format)
    messages = [chosen.load(row, index) for index, row in enumerate(session(format, turns=2))]
    without = [message for message in messages if not message.results()]
    assert {problem.kind for problem in chosen.problems(without)} >= {"open_call"}
    answered: list[Message] = []
    for message in without:
        answered.append(message)
        calls = message.calls()
        answered += [chosen.load(wire, 0) for wire in chosen.answers(calls, None)] if calls else []
    assert chosen.problems(answered) == ()
    texts = [part.text for message in answered for part in message.results()]
    assert texts
    assert all("no result was recorded" in text for text in texts)


@requirement("C-29")
@pytest.mark.parametrize("format", FORMATS)
def test_the_strictest_reading_finds_what_is_wrong(format: str) -> None:
    chosen = dialect(format)
    messages = [chosen.load(row, index) for index, row in enumerate(session(format, turns=2))]
    kinds = {problem.kind for problem in chosen.problems([m for m in messages if not m.calls()])}
    assert "orphan_result" in kinds
    assert [problem.kind for problem in chosen.problems(messages[-1:])][-1] == "no_user"
    spoken = chosen.load(chosen.user(["a"]), 0)
    assert "alternation" in {problem.kind for problem in chosen.problems([spoken, spoken])}
    unclean, blank = chosen.load(chosen.user(["a\x00"]), 0), chosen.load(chosen.user([" "]), 0)
    assert {problem.kind for problem in chosen.problems([unclean, blank])} >= {"unclean", "empty"}
    half = next(index for index, message in enumerate(messages) if message.results())
    assert all(problem.kind != "open_call" for problem in chosen.problems(messages[: half + 1]))
