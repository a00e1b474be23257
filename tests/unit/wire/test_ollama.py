"""Ollama's own chat messages."""

from __future__ import annotations

from typing import Any

import pytest

from requirement import requirement
from vademecum.core.tokens import IMAGE_TOKENS, TokenCounter
from vademecum.errors import WireError
from vademecum.models.tokenizer import count_tokens
from vademecum.wire.ollama import OLLAMA

Row = dict[str, Any]


def load(row: object):
    return OLLAMA.load(row, 0)


USER: Row = {"role": "user", "content": "do it"}
CALL: Row = {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f", "arguments": {"x": "y"}}}]}


@requirement("C-29")
def test_calls_and_results_are_paired_by_name() -> None:
    result: Row = {"role": "tool", "tool_name": "f", "content": "out"}
    messages = [load(USER), load(CALL), load(result)]
    assert OLLAMA.problems(messages) == ()
    assert [part.tool for message in messages for part in (*message.calls(), *message.results())] == ["f", "f"]
    (answer,) = OLLAMA.answers(messages[1].calls(), None)
    assert {**answer, "content": ""} == {"role": "tool", "tool_name": "f", "content": ""}
    other: Row = {"role": "tool", "tool_name": "g", "content": "out"}
    assert [p.kind for p in OLLAMA.problems([load(USER), load(CALL), load(other)])] == ["orphan_result"]
    two: Row = {**CALL, "tool_calls": CALL["tool_calls"] * 2}
    assert [p.kind for p in OLLAMA.problems([load(USER), load(two), load(result), load(USER)])] == ["open_call"]


@requirement("C-29")
def test_ids_are_used_where_a_server_gives_them() -> None:
    call: Row = {**CALL, "tool_calls": [{"id": "c1", "function": {"index": 0, "name": "f", "arguments": {}}}]}
    message = load(call)
    (answer,) = OLLAMA.answers(message.calls(), "x")
    assert answer == {"role": "tool", "tool_call_id": "c1", "tool_name": "f", "content": "x"}
    assert OLLAMA.problems([load(USER), message, load(answer)]) == ()


@requirement("C-29", "C-23")
def test_texts_that_were_joined_are_told_apart_again() -> None:
    carry = OLLAMA.prepended(["carry", "request"], load({"role": "user", "content": "own", "images": ["aGk="]}))
    message = load(carry)
    assert [part.text for part in message.parts] == ["carry", "request", "own", ""]
    assert message.parts[3].kind == "image"
    wire = OLLAMA.edited(message, {2: "cut"})
    assert wire is not None
    assert [part.text for part in load(wire).parts] == ["carry", "request", "cut", ""]
    wire = OLLAMA.edited(message, {1: None, 3: "[an image]"})
    assert wire is not None
    assert "images" not in wire
    assert [part.text for part in load(wire).parts] == ["carry", "own", "[an image]"]


@requirement("C-18", "C-22")
def test_edits_of_calls_results_and_thoughts() -> None:
    row: Row = {**CALL, "thinking": "hm", "content": "I call"}
    message = load(row)
    assert [part.kind for part in message.parts] == ["reasoning", "text", "tool_call"]
    assert OLLAMA.edited(message, {0: None}) == {key: value for key, value in row.items() if key != "thinking"}
    wire = OLLAMA.edited(message, {2: '{"x":"cut"}'})
    assert wire is not None
    assert wire["tool_calls"] == [{"function": {"name": "f", "arguments": {"x": "cut"}}}]
    result = load({"role": "tool", "tool_name": "f", "content": "out", "images": ["aGk="]})
    assert OLLAMA.edited(result, {0: "stub"}) == {"role": "tool", "tool_name": "f", "content": "stub"}


@requirement("I10")
def test_times_and_numbers_are_no_difference() -> None:
    numbered = {"index": 0, "name": "f", "arguments": {"x": "y"}}
    later: Row = {**CALL, "created_at": "now", "tool_calls": [{"function": numbered}]}
    assert load(CALL).identity == load(later).identity
    assert load(CALL).identity != load({**CALL, "content": "x"}).identity


@requirement("C-11")
def test_images_are_counted_flat_where_their_size_is_not_known() -> None:
    counter = TokenCounter(count_tokens)
    assert counter.parts(load({"role": "user", "content": "", "images": ["aGk=" * 9_000]})) == (IMAGE_TOKENS,)


@requirement("C-29")
@pytest.mark.parametrize(
    "wire", [42, {"role": "function", "content": ""}, {"role": "user", "content": [1]}, {**CALL, "tool_calls": ["f"]}]
)
def test_what_is_no_message_is_refused(wire: object) -> None:
    with pytest.raises(WireError):
        load(wire)
