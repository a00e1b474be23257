"""Identity: what is the same message, and the ids that stand in a context."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from requirement import requirement
from vademecum.core.identity import ROOT, canonical, chain, common_prefix, node, parse_part_id, part_id, short
from vademecum.core.messages import Message
from vademecum.testing import sample
from vademecum.wire import dialect

MARK = {"cache_control": {"type": "ephemeral"}}
CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
SAME = {
    "a string and one text part": (
        "openai-chat",
        {"role": "user", "content": "hello"},
        {"role": "user", "content": [{"type": "text", "text": "hello"}]},
    ),
    "a string and one text block": (
        "anthropic",
        {"role": "user", "content": "hello"},
        {"role": "user", "content": [{"type": "text", "text": "hello", **MARK}]},
    ),
    "the order of keys": (
        "openai-chat",
        {"role": "user", "content": "hello"},
        {"content": "hello", "role": "user"},
    ),
    "a mark": (
        "openai-chat",
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"text": "b", "type": "text", **MARK}]},
    ),
    "a signature": (
        "anthropic",
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "x"}]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]},
    ),
    "a mark on a result": (
        "anthropic",
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "ok"}]},
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "ok"}], **MARK}
            ],
        },
    ),
    "empty contents": (
        "openai-chat",
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "assistant", "content": "", "tool_calls": [{**CALL, "index": 0}]},
    ),
    "times and metadata": (
        "openai-chat",
        {"role": "user", "content": "hello"},
        {"role": "user", "content": "hello", "ts": 17.5, "meta": {"session": "s"}},
    ),
}
DIFFERENT = {
    "texts": ({"role": "user", "content": "a"}, {"role": "user", "content": "b"}),
    "white space": ({"role": "user", "content": "a"}, {"role": "user", "content": "a "}),
    "roles": ({"role": "user", "content": "a"}, {"role": "assistant", "content": "a"}),
    "surrogates": ({"role": "user", "content": "\ud83d"}, {"role": "user", "content": "\ud83e"}),
    "a boundary between parts": (
        {"role": "user", "content": [{"type": "text", "text": "ab"}, {"type": "text", "text": "c"}]},
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "bc"}]},
    ),
    "call ids": (
        {"role": "tool", "tool_call_id": "a", "content": "x"},
        {"role": "tool", "tool_call_id": "b", "content": "x"},
    ),
    "arguments": (
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{**CALL, "function": {"name": "f", "arguments": "{ }"}}],
        },
    ),
    "long integers": (
        {"role": "tool", "tool_call_id": "a", "content": {"n": 10**30}},
        {"role": "tool", "tool_call_id": "a", "content": {"n": 10**30 + 1}},
    ),
}


def loaded(format: str, row: dict) -> Message:
    return dialect(format).load(row, 0)


@requirement("C-30")
@pytest.mark.parametrize("case", SAME.values(), ids=SAME)
def test_annotations_do_not_change_who_a_message_is(case: tuple[str, dict, dict]) -> None:
    format, one, two = case
    assert loaded(format, one).identity == loaded(format, two).identity


@pytest.mark.parametrize("case", DIFFERENT.values(), ids=DIFFERENT)
def test_different_messages_have_different_identities(case: tuple[dict, dict]) -> None:
    one, two = case
    assert loaded("openai-chat", one).identity != loaded("openai-chat", two).identity


def test_a_chain_tells_where_a_message_stands() -> None:
    again = loaded("openai-chat", {"role": "user", "content": "again"})
    nodes = chain([again, again, again])
    assert len(set(nodes)) == 3
    assert nodes[0] == node(ROOT, again.identity)
    assert nodes[1:] == chain([again, again], nodes[0])


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_the_common_prefix_of_two_chains(common: int, left: int, right: int) -> None:
    def made(name: str, count: int) -> list[Message]:
        return [loaded("openai-chat", {"role": "user", "content": f"{name}{n}"}) for n in range(count)]

    shared = made("s", common)
    assert common_prefix(chain([*shared, *made("l", left)]), chain([*shared, *made("r", right)])) == common


@pytest.mark.parametrize("format", ["openai-chat", "anthropic"])
def test_every_node_of_a_session_has_its_own_short_id(format: str) -> None:
    nodes = chain(loaded(format, row) for row in sample(format, turns=20))
    ids = [short(node) for node in nodes]
    assert len(set(ids)) == len(ids)
    assert all(one != two for one, two in pairwise(nodes))


@given(st.binary(min_size=32, max_size=32), st.integers(0, 99), st.integers(1, 100))
def test_a_part_id_can_be_read_back(node_id: bytes, part: int, count: int) -> None:
    written = part_id(node_id, part, count)
    parsed = parse_part_id(f" {written}\n")
    assert parsed == (short(node_id), None if count == 1 else part)


@pytest.mark.parametrize(
    "text",
    ["", "t_", "t_abc", "t_k3x9mq2v7a", "k3x5mq2v7a", "t_k3x5mq2v7A", "t_k3x5mq2v7a.", "t_k3x5mq2v7a.x", "t_a..t_b"],
)
def test_what_is_no_id_is_told(text: str) -> None:
    assert parse_part_id(text) is None


def test_parts_count_from_one() -> None:
    assert parse_part_id("t_k3x5mq2v7a.1") == ("t_k3x5mq2v7a", 0)
    assert parse_part_id("t_k3x5mq2v7a.0") is None


def test_canonical_bytes_keep_surrogates_and_digits() -> None:
    assert canonical({"b": 10**30, "a": "\ud83d"}) == b'{"a":"\\ud83d","b":1000000000000000000000000000000}'


@requirement("A-7")
def test_ids_that_hints_and_pages_show_are_ids() -> None:
    root = Path(__file__).parents[3]
    files = [*root.glob("src/**/*.py"), *root.glob("src/**/*.toml"), *root.glob("docs/**/*.md"), root / "README.md"]
    shown = {id for file in files for id in re.findall(r"\bt_[a-z0-9]{10}\b", file.read_text("utf-8"))}
    assert shown
    assert [id for id in sorted(shown) if parse_part_id(id) is None] == []
