"""The kinds of items of the OpenAI responses format."""

from __future__ import annotations

from typing import Any

import pytest

from requirement import requirement
from vademecum.core.tokens import IMAGE_TOKENS, TokenCounter
from vademecum.errors import WireError
from vademecum.models.tokenizer import count_tokens
from vademecum.wire.openai_responses import OPENAI_RESPONSES

PNG = "iVBORw0KGgoAAAANSUhEUgAABDgAAAeACAYAAAC56t6BAAAAC0lEQVR42mNgQAYAAA4AAbsWbAUAAAAASUVORK5CYII="
Item = dict[str, Any]


def load(item: object):
    return OPENAI_RESPONSES.load(item, 0)


@requirement("C-29")
@pytest.mark.parametrize(
    ("item", "role", "kinds"),
    [
        ({"role": "user", "content": "hi"}, "user", ["text"]),
        ({"type": "message", "role": "developer", "content": "hi"}, "system", ["text"]),
        ({"role": "user", "content": [{"type": "input_text", "text": "a"}, {"type": "input_image", "file_id": "f"}]},
         "user", ["text", "image"]),
        ({"role": "user", "content": [{"type": "input_file", "file_id": "f"}, {"type": "x"}]},
         "user", ["document", "opaque"]),
        ({"role": "assistant", "content": [{"type": "output_text", "text": "a"}, {"type": "refusal", "refusal": ""}]},
         "assistant", ["text", "text"]),
        ({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "c2Vj"}, "assistant", ["reasoning"]),
        ({"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}, "assistant", ["tool_call"]),
        ({"type": "function_call_output", "call_id": "c", "output": "x"}, "tool", ["tool_result"]),
        ({"type": "custom_tool_call", "call_id": "c", "name": "f", "input": "x"}, "assistant", ["tool_call"]),
        ({"type": "custom_tool_call_output", "call_id": "c", "output": "x"}, "tool", ["tool_result"]),
        ({"type": "local_shell_call", "call_id": "c", "action": {}}, "assistant", ["tool_call"]),
        ({"type": "local_shell_call_output", "id": "c", "output": "x"}, "tool", ["tool_result"]),
        ({"type": "computer_call", "call_id": "c", "action": {}}, "assistant", ["tool_call"]),
        ({"type": "computer_call_output", "call_id": "c", "output": {"type": "computer_screenshot"}},
         "tool", ["tool_result", "image"]),
        ({"type": "mcp_call", "id": "m", "name": "f", "arguments": "{}", "output": "x"},
         "assistant", ["tool_call", "tool_result"]),
        ({"type": "mcp_list_tools", "id": "m", "tools": []}, "assistant", ["opaque"]),
        ({"type": "mcp_approval_request", "id": "m", "name": "f", "arguments": "{}"}, "assistant", ["tool_call"]),
        ({"type": "mcp_approval_response", "approval_request_id": "m", "approve": True}, "tool", ["tool_result"]),
        ({"type": "image_generation_call", "id": "i", "result": PNG}, "assistant", ["image"]),
        ({"type": "web_search_call", "id": "w", "action": {"query": "q"}}, "assistant", ["opaque"]),
        ({"type": "file_search_call", "id": "w", "queries": ["q"]}, "assistant", ["opaque"]),
        ({"type": "code_interpreter_call", "id": "w", "code": "1"}, "assistant", ["opaque"]),
        ({"type": "item_reference", "id": "msg_1"}, "assistant", ["opaque"]),
        ({"type": "compaction", "id": "c", "encrypted_content": "x"}, "assistant", ["opaque"]),
        ({"type": "compaction_trigger"}, "user", ["opaque"]),
        ({"type": "x_from_the_future", "x": 1}, "assistant", ["opaque"]),
    ],
)  # fmt: skip
def test_what_an_item_is(item: Item, role: str, kinds: list[str]) -> None:
    message = load(item)
    assert (message.role, [part.kind for part in message.parts]) == (role, kinds)


@requirement("C-29")
@pytest.mark.parametrize(
    "call",
    [
        {"type": "function_call", "call_id": "c", "name": "shell", "arguments": "{}"},
        {"type": "custom_tool_call", "call_id": "c", "name": "apply_patch", "input": "x"},
        {"type": "local_shell_call", "call_id": "c", "action": {"command": ["ls"]}},
        {"type": "shell_call", "call_id": "c", "action": {"commands": ["ls"]}},
        {"type": "apply_patch_call", "call_id": "c", "operation": {"type": "delete_file"}},
        {"type": "computer_call", "call_id": "c", "action": {"type": "wait"}},
        {"type": "mcp_approval_request", "id": "c", "name": "f", "arguments": "{}"},
    ],
)
def test_every_call_is_answered_by_its_own_kind(call: Item) -> None:
    message = load(call)
    (user,) = [load({"role": "user", "content": "do"})]
    (answer,) = OPENAI_RESPONSES.answers(message.calls(), None)
    wanted = {"mcp_approval_request": "mcp_approval_response"}.get(call["type"], call["type"] + "_output")
    assert answer["type"] == wanted
    assert OPENAI_RESPONSES.problems([user, message, load(answer)]) == ()
    open_ones = OPENAI_RESPONSES.problems([user, message, user])
    assert [problem.kind for problem in open_ones][:1] == ["open_call"]


@requirement("C-29")
def test_reasoning_stands_before_what_it_led_to() -> None:
    user, said = load({"role": "user", "content": "do"}), load({"role": "assistant", "content": "done"})
    thought = load({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "c2Vj"})
    assert OPENAI_RESPONSES.problems([user, thought, said]) == ()
    assert OPENAI_RESPONSES.problems([user, thought, thought, said]) == ()
    for messages in ([user, thought], [user, thought, user, said]):
        (problem, *_) = OPENAI_RESPONSES.problems(messages)
        assert (problem.index, problem.kind) == (1, "open_call")


@requirement("C-18")
def test_results_keep_the_shape_of_their_kind() -> None:
    shell = {"type": "shell_call_output", "call_id": "c", "output": [{"stdout": "x" * 500, "outcome": {"type": "t"}}]}
    wire = OPENAI_RESPONSES.edited(load(shell), {0: "stub"})
    assert wire is not None
    assert wire["output"] == [{"stdout": "stub", "stderr": "", "outcome": {"type": "t"}}]
    image = {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"}
    listed = load({"type": "function_call_output", "call_id": "c", "output": [image]})
    assert listed.parts[0].images == 1
    assert OPENAI_RESPONSES.edited(listed, {0: "stub"}) == {**listed.wire, "output": "stub"}
    screen = load(
        {"type": "computer_call_output", "call_id": "c", "output": {**image, "type": "computer_screenshot"}}
    )
    wire = OPENAI_RESPONSES.edited(screen, {1: "stub"})
    assert wire is not None
    assert wire["output"]["type"] == "computer_screenshot"  # type: ignore[index]
    assert len(str(wire)) < len(str(screen.wire)) + 200


@requirement("C-22")
def test_arguments_that_are_an_object_stay_one() -> None:
    call = load({"type": "local_shell_call", "call_id": "c", "action": {"type": "exec", "command": ["x" * 900]}})
    wire = OPENAI_RESPONSES.edited(call, {0: '{"cut":"xx [vademecum: cut]"}'})
    assert wire is not None
    assert wire["action"] == {"type": "exec", "command": ["xx [vademecum: cut]"]}
    wire = OPENAI_RESPONSES.edited(call, {0: '{"type":"exec","command":["short"]}'})
    assert wire is not None
    assert wire["action"] == {"type": "exec", "command": ["short"]}


@requirement("I10")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"role": "user", "content": "hi"},
         {"type": "message", "id": "msg_1", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}),
        ({"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "a"}], "content": None},
         {"type": "reasoning", "summary": [{"type": "summary_text", "text": "a"}], "encrypted_content": "c2Vj"}),
        ({"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
         {"type": "function_call", "id": "fc", "status": "x", "call_id": "c", "name": "f", "arguments": "{}"}),
        ({"role": "assistant", "content": [{"type": "output_text", "text": "a"}]},
         {"role": "assistant", "content": [{"type": "output_text", "text": "a", "annotations": []}]}),
        ({"type": "function_call_output", "call_id": "c", "output": "x"},
         {"type": "function_call_output", "call_id": "c", "output": [{"type": "input_text", "text": "x"}]}),
    ],
)  # fmt: skip
def test_annotations_are_no_difference(one: Item, other: Item) -> None:
    assert load(one).identity == load(other).identity


@requirement("I10")
def test_what_an_item_is_about_is_a_difference() -> None:
    items: list[Item] = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "a"},
        {"type": "item_reference", "id": "a"},
        {"type": "item_reference", "id": "b"},
        {"type": "compaction", "encrypted_content": "a"},
        {"type": "compaction", "encrypted_content": "b"},
        {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"},
        {"type": "function_call", "call_id": "b", "name": "f", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": ""},
    ]
    assert len({load(item).identity for item in items}) == len(items)


@requirement("C-11")
def test_images_are_counted_by_their_size() -> None:
    counter = TokenCounter(count_tokens)
    inside: Item = {"type": "input_image", "image_url": f"data:image/png;base64,{PNG * 200}"}
    known = load({"role": "user", "content": [inside]})
    unknown = load({"role": "user", "content": [{"type": "input_image", "file_id": "f"}]})
    assert known.parts[0].pixels == 1080 * 1920
    assert counter.parts(known) == counter.parts(unknown) == (IMAGE_TOKENS,)
    screen = load({"type": "computer_call_output", "call_id": "c", "output": {"type": "computer_screenshot"}})
    assert sum(counter.parts(screen)) >= IMAGE_TOKENS
    thought = load({"type": "reasoning", "summary": [], "encrypted_content": "c2VjcmV0" * 50})
    assert counter.parts(thought)[0] > 50


@requirement("C-29")
@pytest.mark.parametrize(
    "wire", [42, None, {"role": "robot", "content": "x"}, {"content": "x"}, {"role": "user", "content": 3}]
)
def test_what_is_no_item_is_refused(wire: object) -> None:
    with pytest.raises(WireError):
        load(wire)


@requirement("C-29")
def test_outputs_come_before_anything_else_is_said() -> None:
    user, said = load({"role": "user", "content": "do"}), load({"role": "assistant", "content": "hm"})
    calls = [load({"type": "function_call", "call_id": id, "name": "f", "arguments": "{}"}) for id in "ab"]
    outs = [load({"type": "function_call_output", "call_id": id, "output": "x"}) for id in "ab"]
    a, b = calls
    sound = [[a, b, *outs], [a, outs[0], b, outs[1]], [a, b, said, *outs[::-1]], [a, outs[0], b, said, outs[1]]]
    sound.append([a, b, outs[1]])  # a call at the very end may be running
    for batch in sound:
        assert OPENAI_RESPONSES.problems([user, *batch]) == ()
    for batch in ([a, b, outs[0], said, outs[1]], [a, user, outs[0]], [outs[0], a]):
        assert {p.kind for p in OPENAI_RESPONSES.problems([user, *batch])} & {"open_call", "orphan_result"}
