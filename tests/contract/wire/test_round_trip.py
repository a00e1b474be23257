"""Reading a message and writing it gives the message; what was not touched keeps its bytes."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.wire.convert import FORMATS, session
from contract.wire.recordings import NAMES, recorded
from contract.wire.strategies import MESSAGES
from requirement import requirement
from vademecum.core.messages import Message
from vademecum.wire import dialect
from vademecum.wire.bodies import BODIES
from vademecum.wire.document import read, render
from vademecum.wire.values import at, encoded

ANY = st.sampled_from(FORMATS).flatmap(lambda name: st.tuples(st.just(name), MESSAGES[name]))


def loaded(format: str, rows: list[dict[str, Any]]) -> list[Message]:
    return [dialect(format).load(row, index) for index, row in enumerate(rows)]


@requirement("I10", "C-30")
@given(ANY)
def test_a_message_is_written_as_it_was_read(drawn: tuple[str, dict[str, Any]]) -> None:
    format, row = drawn
    before = copy.deepcopy(row)
    message = dialect(format).load(row, 0)
    assert message.wire is row
    assert dialect(format).edited(message, {}) is row
    assert row == before
    # What an archive keeps is the same message again.
    again = dialect(format).load(json.loads(encoded(row)), 0)
    assert (again.parts, again.identity, again.role) == (message.parts, message.identity, message.role)


@requirement("I10")
@given(ANY)
def test_every_part_says_where_it_stands(drawn: tuple[str, dict[str, Any]]) -> None:
    format, row = drawn
    for part in dialect(format).load(row, 0).parts:
        value = at(row, part.place)
        assert value is not None or part.text == ""
        if part.kind in ("text", "tool_result") and isinstance(value, str) and part.plain:
            assert value == part.text


@requirement("I10")
@given(ANY)
def test_the_order_of_keys_is_no_difference(drawn: tuple[str, dict[str, Any]]) -> None:
    format, row = drawn
    turned = _turned(row)
    assert list(turned) == list(reversed(row))
    assert dialect(format).load(turned, 0).identity == dialect(format).load(row, 0).identity


def _turned(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _turned(value[key]) for key in reversed(value)}
    return [_turned(item) for item in value] if isinstance(value, list) else value


@requirement("I10", "P-1")
@pytest.mark.parametrize("name", NAMES)
def test_recorded_messages_are_written_as_they_were_read(clients_folder: Path, name: str) -> None:
    kinds: set[str] = set()
    for request in recorded(clients_folder, name):
        data = json.dumps(request.body, ensure_ascii=False).encode("utf-8", "surrogatepass")
        document = read(data)
        again = render(
            "body", [row.raw for row in document.rows], document.prefix, document.suffix, document.separator
        )
        assert again == data
        for index, row in enumerate(document.rows):
            message = dialect(request.format).load(row.value, index, raw=row.raw)
            assert message.wire == request.messages[index]
            assert json.loads(message.raw) == row.value
            assert dialect(request.format).edited(message, {}) is message.wire
            kinds |= {part.kind for part in message.parts}
    assert {"text", "tool_call", "tool_result"} <= kinds


@requirement("I10")
@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("format", FORMATS)
def test_a_body_keeps_all_its_bytes(format: str, indent: int | None) -> None:
    rows = session(format, turns=2)
    keys = BODIES[format]
    body = {"model": "m", keys.messages: rows, "tools": [{"name": "f"}], "n": 1.10}
    data = json.dumps(body, indent=indent).encode()
    document = read(data)
    assert (document.key, document.layout) == (keys.messages, "body")
    assert [row.value for row in document.rows] == rows
    assert document.outside == {"model": "m", "tools": [{"name": "f"}], "n": 1.10}
    raws = [row.raw for row in document.rows]
    assert render("body", raws, document.prefix, document.suffix, document.separator) == data
    fewer = render("body", raws[:1], document.prefix, document.suffix, document.separator)
    assert json.loads(fewer) == {**body, keys.messages: rows[:1]}


@requirement("I10")
def test_an_input_that_is_a_string_stays_one_until_it_must_be_a_list() -> None:
    data = b'{"model": "m", "input": "hello \\u00e9", "instructions": "be kind"}'
    document = read(data)
    (row,) = document.rows
    message = dialect("openai-responses").load(row.value, 0, raw=row.raw)
    assert (message.role, message.text(), message.typed) == ("user", "hello é", True)
    assert render("body", [row.raw], document.prefix, document.suffix) == data
    more = render("body", [row.raw, b'{"role":"user"}'], document.prefix, document.suffix)
    assert json.loads(more)["input"] == [{"role": "user", "content": "hello é"}, {"role": "user"}]


@requirement("I10")
def test_only_one_list_of_a_body_is_its_messages() -> None:
    rows = [{"role": "user", "content": "x"}]
    for body in (
        {"input": [1, 2], "messages": rows, "contents": ["a"]},
        {"contents": ["a"], "messages": rows, "input": [1, 2]},
        {"messages": rows, "input": [1, 2], "contents": ["a"]},
    ):
        document = read(json.dumps(body).encode())
        assert document.key == "messages"
        assert [row.value for row in document.rows] == rows
        assert document.outside == {"input": [1, 2], "contents": ["a"]}
