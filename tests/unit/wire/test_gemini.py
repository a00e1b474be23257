"""The kinds of parts of Gemini contents."""

from __future__ import annotations

from typing import Any

import pytest

from requirement import requirement
from vademecum.core.pairing import pair
from vademecum.errors import WireError
from vademecum.wire.gemini import GEMINI

Content = dict[str, Any]


def load(content: object):
    return GEMINI.load(content, 0)


def called(*names: str, **more: Any) -> Content:
    return {"role": "model", "parts": [{"functionCall": {"name": name, "args": {}, **more}} for name in names]}


def answered(*results: tuple[str, str], **more: Any) -> Content:
    parts = [{"functionResponse": {"name": name, "response": {"output": out}, **more}} for name, out in results]
    return {"role": "user", "parts": parts}


USER = {"role": "user", "parts": [{"text": "do it"}]}


@requirement("C-29")
def test_calls_without_ids_are_paired_by_name_and_order() -> None:
    messages = [load(USER), load(called("f", "g", "f")), load(answered(("f", "1"), ("g", "2"), ("f", "3")))]
    assert GEMINI.problems(messages) == ()
    found = pair(messages)
    assert found.result_of == {(1, 0): (2, 0), (1, 1): (2, 1), (1, 2): (2, 2)}
    assert not found.orphans
    (answers,) = GEMINI.answers(messages[1].calls(), None)
    assert all("id" not in part["functionResponse"] for part in answers["parts"])  # type: ignore[union-attr, attr-defined]
    assert GEMINI.problems([*messages[:2], load(answers)]) == ()


@requirement("C-29")
def test_calls_with_ids_are_paired_by_them() -> None:
    messages = [load(USER), load(called("f", id="a")), load(answered(("f", "1"), id="a"))]
    assert GEMINI.problems(messages) == ()
    wrong = [load(USER), load(called("f", id="a")), load(answered(("f", "1"), id="b"))]
    assert [problem.kind for problem in GEMINI.problems(wrong)] == ["orphan_result"]
    (answers,) = GEMINI.answers(messages[1].calls(), "late")
    assert answers == {
        "role": "user",
        "parts": [{"functionResponse": {"id": "a", "name": "f", "response": {"output": "late"}}}],
    }


@requirement("C-29")
def test_a_response_that_a_client_repeats_is_the_same_message() -> None:
    once = answered(("f", "1"), id="a")
    twice = {**once, "parts": once["parts"] * 2}
    assert load(once).identity == load(twice).identity
    messages = [load(USER), load(called("f", id="a")), load(twice)]
    assert [(problem.kind, problem.detail) for problem in GEMINI.problems(messages)] == [
        ("orphan_result", "repeated")
    ]
    stubbed = GEMINI.edited(messages[2], {0: "stub"})
    assert stubbed == answered(("f", "stub"), id="a")
    without = GEMINI.edited(messages[2], {1: None})
    assert without == once


@requirement("I10")
def test_a_repeat_moves_the_number_of_no_other_part() -> None:
    one, two = answered(("f", "1"), id="a")["parts"][0], answered(("g", "2"), id="b")["parts"][0]
    message = load({"role": "user", "parts": [one, one, two, two]})
    assert [part.call_id for part in message.parts] == ["a", "b", "a", "b"]
    assert [part.place[1] for part in message.parts] == [0, 2, 1, 3]


@requirement("C-29")
def test_what_a_part_is() -> None:
    parts: list[Content] = [
        {"text": "a"},
        {"text": "b", "thought": True},
        {"text": "", "thoughtSignature": "c2ln"},
        {"functionCall": {"name": "f", "args": {"x": 1}}},
        {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}},
        {"fileData": {"mimeType": "application/pdf", "fileUri": "u"}},
        {"executableCode": {"code": "1"}},
        {"codeExecutionResult": {"output": "1"}},
    ]
    message = load({"role": "model", "parts": parts})
    kinds = ["text", "reasoning", "reasoning", "tool_call", "image", "document", "opaque", "opaque"]
    assert [part.kind for part in message.parts] == kinds
    assert message.role == "assistant"
    assert load({"role": "function", "parts": answered(("f", "1"))["parts"]}).role == "tool"
    assert load({"parts": [{"text": "a"}]}).role == "user"


@requirement("C-18", "A-2")
def test_results_of_one_text_and_of_several_values() -> None:
    one = load(answered(("f", "text")))
    assert (one.parts[0].text, one.parts[0].plain) == ("text", True)
    several: Content = {"functionResponse": {"name": "f", "response": {"output": "x", "code": 1}}}
    message = load({"role": "user", "parts": [several]})
    assert (message.parts[0].text, message.parts[0].plain) == ('{"output":"x","code":1}', False)
    wire = GEMINI.edited(message, {0: "stub"})
    assert wire == {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"output": "stub"}}}]}
    failed = load({"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"error": "no"}}}]})
    assert failed.parts[0].is_error


@requirement("C-29")
def test_signatures_stay_with_calls_and_go_with_texts() -> None:
    parts: list[Content] = [
        {"text": "long", "thoughtSignature": "a"},
        {"functionCall": {"name": "f", "args": {"x": "long"}}, "thoughtSignature": "b"},
    ]
    message = load({"role": "model", "parts": parts})
    wire = GEMINI.edited(message, {0: "cut", 1: '{"x":"cut"}'})
    assert wire is not None
    assert wire["parts"] == [
        {"text": "cut"},
        {"functionCall": {"name": "f", "args": {"x": "cut"}}, "thoughtSignature": "b"},
    ]
    bare = [{key: value for key, value in part.items() if key != "thoughtSignature"} for part in parts]
    assert load({"role": "model", "parts": bare}).identity == message.identity


@requirement("I10")
def test_both_spellings_are_the_same() -> None:
    camel = load({"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]})
    snake = load({"role": "model", "parts": [{"function_call": {"name": "f", "args": {}}}]})
    assert (camel.identity, camel.parts) == (snake.identity, snake.parts)
    result = load({"role": "user", "parts": [{"function_response": {"name": "f", "response": {"output": "x"}}}]})
    wire = GEMINI.edited(result, {0: "stub"})
    assert wire is not None
    assert wire["parts"] == [{"function_response": {"name": "f", "response": {"output": "stub"}}}]


@requirement("C-29")
@pytest.mark.parametrize("wire", [42, None, {"role": "system", "parts": []}, {"role": "user", "parts": "x"}])
def test_what_is_no_content_is_refused(wire: object) -> None:
    with pytest.raises(WireError):
        load(wire)


@requirement("C-29")
def test_the_first_content_is_the_users_and_they_take_turns() -> None:
    model = load({"role": "model", "parts": [{"text": "a"}]})
    user = load(USER)
    assert [problem.kind for problem in GEMINI.problems([model, user])] == ["alternation"]
    assert [problem.index for problem in GEMINI.problems([user, model, model])] == [2]
    assert [problem.kind for problem in GEMINI.problems([user, load({"role": "model", "parts": []})])] == ["empty"]
