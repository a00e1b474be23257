"""The adapters: reading, editing one part of one message, and what the strictest consumer refuses."""

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from requirement import requirement
from vademecum.core.dialect import Dialect
from vademecum.core.messages import Message
from vademecum.errors import WireError
from vademecum.testing import sample, transcripts
from vademecum.wire import dialect
from vademecum.wire.harness import by_a_person
from vademecum.wire.values import at

FORMATS = ("openai-chat", "anthropic")
CHAT, ANTHROPIC = dialect("openai-chat"), dialect("anthropic")
MANY = settings(max_examples=12, suppress_health_check=list(HealthCheck))
IMAGE = {"type": "image_url", "image_url": {"url": "https://x.example/a.png"}}


def calling(*ids: str) -> dict[str, Any]:
    calls = [{"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}} for id in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def using(*ids: str, text: str = "") -> dict[str, Any]:
    said = [{"type": "text", "text": text}] if text else []
    return {
        "role": "assistant",
        "content": [*said, *({"type": "tool_use", "id": id, "name": "f", "input": {}} for id in ids)],
    }


def giving(*ids: str, text: str = "") -> dict[str, Any]:
    said = [{"type": "text", "text": text}] if text else []
    return {
        "role": "user",
        "content": [*({"type": "tool_result", "tool_use_id": id, "content": "r"} for id in ids), *said],
    }


def problems(dialect: Dialect, *rows: dict[str, Any]) -> list[str]:
    return [f"{found.kind} {found.index}" for found in dialect.problems([dialect.load(row, 0) for row in rows])]


USER = {"role": "user", "content": "hi"}
REPLY = {"role": "assistant", "content": "hello"}


def tool(id: str, content: object = "r") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": content}


@requirement("C-29", "I1")
@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([USER, REPLY], []),
        ([USER, calling("a", "b"), tool("b"), tool("a"), REPLY], []),
        ([USER, calling("a"), tool("a")], []),
        ([USER, calling("a")], []),
        ([USER, calling("a", "b"), tool("a")], []),
        ([USER, calling("a"), USER], ["open_call 1"]),
        ([USER, calling("a", "b"), tool("a"), REPLY], ["open_call 1"]),
        ([USER, calling("a"), USER, tool("a")], ["open_call 1", "orphan_result 3"]),
        ([USER, tool("z"), REPLY], ["orphan_result 1"]),
        ([USER, USER], ["alternation 1"]),
        ([USER, REPLY, REPLY], ["alternation 2"]),
        ([USER, {"role": "assistant", "content": ""}], ["empty 1"]),
        ([USER, {"role": "user", "content": [{"type": "text", "text": " "}]}], ["empty 1", "alternation 1"]),
        ([USER, {"role": "assistant", "content": "a\x00"}], ["unclean 1"]),
        ([USER, {"role": "system", "content": "x"}], ["late_system 1"]),
        ([{"role": "system", "content": "x"}, REPLY], ["no_user -1"]),
    ],
)
def test_what_chat_consumers_refuse(rows: list[dict], found: list[str]) -> None:
    assert problems(CHAT, *rows) == found


@requirement("C-29", "I1")
@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([USER, using("a", "b", text="x"), giving("b", "a"), REPLY], []),
        ([USER, using("a"), giving("a", text="and now do X"), REPLY], []),
        ([USER, using("a")], []),
        ([USER, using("a"), USER], ["open_call 1"]),
        ([USER, using("a", "b"), giving("a"), REPLY], ["open_call 1"]),
        ([USER, using("a", "b"), giving("a")], []),
        ([USER, using("a"), USER, giving("a")], ["open_call 1", "orphan_result 3", "alternation 3"]),
        ([USER, REPLY, giving("z")], ["orphan_result 2"]),
        ([REPLY, USER], ["alternation 0"]),
        ([USER, {"role": "assistant", "content": [{"type": "text", "text": ""}]}], ["empty 1"]),
        ([USER, {"role": "assistant", "content": []}], ["empty 1"]),
    ],
)
def test_what_anthropic_refuses(rows: list[dict], found: list[str]) -> None:
    assert problems(ANTHROPIC, *rows) == found


@pytest.mark.parametrize("format", FORMATS)
def test_a_sound_session_has_no_problems(format: str) -> None:
    assert problems(dialect(format), *sample(format, turns=6)) == []


@requirement("C-30")
@pytest.mark.parametrize("format", FORMATS)
def test_reading_and_editing_leave_the_callers_object_alone(format: str) -> None:
    @MANY
    @given(transcripts(format, most_turns=2))
    def holds(rows: list[dict[str, Any]]) -> None:
        before = copy.deepcopy(rows)
        for index, row in enumerate(rows):
            message = dialect(format).load(row, index)
            assert message.wire is row
            dialect(format).edited(message, {n: "new" for n, p in enumerate(message.parts) if p.kind != "tool_call"})
            dialect(format).edited(message, dict.fromkeys(range(len(message.parts))))
            dialect(format).prepended(["text"], message)
        assert rows == before

    holds()


@requirement("C-30")
@pytest.mark.parametrize("format", FORMATS)
def test_an_edit_touches_one_part(format: str) -> None:
    @MANY
    @given(transcripts(format, most_turns=2))
    def holds(rows: list[dict[str, Any]]) -> None:
        for index, row in enumerate(rows):
            message = dialect(format).load(row, index)
            for number, part in enumerate(message.parts):
                new = dialect(format).edited(message, {number: '{"new": 1}'})
                assert new is not None
                loaded = dialect(format).load(new, index)
                assert len(loaded.parts) == len(message.parts)
                assert json.loads(loaded.parts[number].text) == {"new": 1}
                others = [p.text for n, p in enumerate(loaded.parts) if n != number]
                assert others == [p.text for n, p in enumerate(message.parts) if n != number]
                assert loaded.parts[number].call_id == part.call_id

    holds()


@requirement("C-30")
@pytest.mark.parametrize("format", FORMATS)
def test_removing_one_part_leaves_the_others(format: str) -> None:
    @MANY
    @given(transcripts(format, most_turns=2))
    def holds(rows: list[dict[str, Any]]) -> None:
        for index, row in enumerate(rows):
            message = dialect(format).load(row, index)
            for number in range(len(message.parts)):
                new = dialect(format).edited(message, {number: None})
                if len(message.parts) == 1:
                    assert new is None
                    continue
                assert new is not None
                rest = [part.text for part in dialect(format).load(new, index).parts]
                assert rest == [part.text for n, part in enumerate(message.parts) if n != number]

    holds()


@requirement("C-29")
def test_cleaning_a_result_keeps_its_image() -> None:
    content = [{"type": "text", "text": "half \ud83d"}, IMAGE]
    message = CHAT.load(tool("a", content), 0)
    done = CHAT.edited(message, {0: message.parts[0].text.replace("\ud83d", "\ufffd")})
    assert done is not None
    assert done["content"] == [{"type": "text", "text": "half \ufffd"}, IMAGE]
    stubbed = CHAT.edited(message, {0: "[vademecum: archived]"})
    assert stubbed is not None
    assert stubbed["content"] == "[vademecum: archived]"


@requirement("C-29")
def test_anthropic_results_stay_before_what_is_put_in_front() -> None:
    message = ANTHROPIC.load(giving("a", "b", text="and now"), 0)
    kinds = [block["type"] for block in ANTHROPIC.prepended(["carry", "request"], message)["content"]]  # type: ignore[index,union-attr]
    assert kinds == ["tool_result", "tool_result", "text", "text", "text"]


@requirement("C-29")
@pytest.mark.parametrize("format", FORMATS)
def test_answers_make_open_calls_whole(format: str) -> None:
    rows = [USER, calling("a", "b") if format == "openai-chat" else using("a", "b")]
    message = dialect(format).load(rows[1], 1)
    answers = dialect(format).answers(message.calls(), None)
    assert problems(dialect(format), *rows, *answers, REPLY) == []  # type: ignore[arg-type]
    given = dialect(format).answers(message.calls()[:1], "came late")
    (result,) = dialect(format).load(given[0], 2).results()
    assert (result.text, result.is_error, result.call_id) == ("came late", False, "a")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    "wrong", ["text", None, 7, [], {"role": "narrator", "content": "x"}, {}, {"role": "user", "content": 7}]
)
def test_what_is_no_message_is_refused_with_its_place(format: str, wrong: object) -> None:
    with pytest.raises(WireError) as caught:
        dialect(format).load(wrong, 41)
    assert caught.value.index == 41
    assert "message 41" in str(caught.value)


@requirement("C-29")
@pytest.mark.parametrize("format", FORMATS)
def test_every_part_knows_where_it_stands(format: str) -> None:
    @MANY
    @given(transcripts(format, most_turns=2))
    def holds(rows: list[dict[str, Any]]) -> None:
        for index, row in enumerate(rows):
            message: Message = dialect(format).load(row, index)
            places = [part.place for part in message.parts]
            assert len(set(places)) == len(places)
            for part in message.parts:
                value = at(row, part.place)
                if part.place == ("content",) and part.kind == "tool_result":
                    continue
                assert value is not None

    holds()


@requirement("C-27")
@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("please fix the port", True),
        ("  <b>bold</b> words", True),
        ("<system-reminder>\nx</system-reminder>", False),
        ("\n <environment_context>", False),
        ("# AGENTS.md instructions for /home", False),
        ("[Request interrupted by user]", False),
        ("Caveat: The messages below were generated", False),
        ("[vademecum: no result was recorded for this call]", False),
        ("<vademecum:carry session=x cycle=1>", False),
        ("<command-name>/review</command-name><command-args></command-args>", False),
        ("<command-name>/review</command-name><command-args>the new parser</command-args>", True),
        (" \n", False),
        ("", False),
    ],
)
def test_who_typed_it(text: str, person: bool) -> None:
    assert by_a_person(text) is person
