"""What no consumer takes is made safe where it stays: NUL in arguments that are an object, results without a text."""

import json
from typing import Any

import pytest

from requirement import requirement
from vademecum import Archive, compact
from vademecum.core.identity import chain, part_id
from vademecum.core.text import clean_json
from vademecum.testing import sample
from vademecum.wire import dialect

PATH = "a\x00b"


def anthropic(argument: str) -> list[dict[str, Any]]:
    call = {"type": "tool_use", "id": "t_1", "name": "write", "input": {"path": argument, "as": "\\u0000"}}
    result = {"type": "tool_result", "tool_use_id": "t_1", "content": "written"}
    return [
        *sample("anthropic", turns=24),
        {"role": "user", "content": "Write it."},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result]},
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": "Go on."},
    ]


@requirement("C-29")
def test_nul_in_the_arguments_of_a_call_that_stays_is_replaced_and_restored() -> None:
    rows, chosen = anthropic(PATH), dialect("anthropic")
    loaded = [chosen.load(row, at) for at, row in enumerate(rows)]
    assert [(p.kind, p.detail) for p in chosen.problems(loaded)] == [("unclean", "tool_call")]
    session = Archive.memory().session("s", format="anthropic")
    done = compact(rows, window=16_000, session=session)
    assert done.receipt.outcome == "compacted"
    sent = next(row for row in done.messages if "t_1" in str(row) and row["role"] == "assistant")
    # A text that only looks like an escape is content.
    assert sent["content"][0]["input"] == {"path": "a\ufffdb", "as": "\\u0000"}
    assert chosen.problems([chosen.load(row, at) for at, row in enumerate(done.messages)]) == ()
    at = next(at for at, row in enumerate(rows) if row["content"] == rows[-4]["content"])
    restored = session.restore(part_id(chain(loaded)[at], 0, 1)).data
    assert json.loads(restored)["input"]["path"] == PATH


@requirement("C-29", "C-30")
def test_arguments_without_nul_keep_their_message() -> None:
    rows = anthropic("ab")
    done = compact(rows, window=16_000)
    assert rows[-4] in list(done.messages)


@requirement("C-29")
@pytest.mark.parametrize("missing", [False, True])
def test_a_result_without_a_text_gets_an_empty_one(missing: bool) -> None:
    function = {"name": "touch", "arguments": "{}"}
    result = {"role": "tool", "tool_call_id": "c_9"}
    calls = [{"id": "c_9", "type": "function", "function": function}]
    rows = [
        *sample(turns=24),
        {"role": "user", "content": "Touch it."},
        {"role": "assistant", "content": None, "tool_calls": calls},
        result if missing else {**result, "content": None},
        {"role": "assistant", "content": "Done."},
    ]
    chosen = dialect("openai-chat")
    loaded = [chosen.load(row, at) for at, row in enumerate(rows)]
    assert [(p.kind, p.detail) for p in chosen.problems(loaded)] == [("empty", "tool_result")]
    done = compact(rows, window=16_000)
    assert done.receipt.outcome == "compacted"
    assert {**result, "content": ""} in list(done.messages)


@requirement("C-29")
def test_only_an_escape_of_nul_is_one() -> None:
    assert clean_json(r'"\u0000"') == '"\ufffd"'
    assert clean_json(r'"\\u0000"') == r'"\\u0000"'
    assert clean_json(r'"\\\u0000"') == '"\\\\\ufffd"'
    assert clean_json('"\x00"') == '"\ufffd"'
