"""Chat logs: every layout, zipped or not; a bad line is told with its number and nothing else is lost."""

import gzip
import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from requirement import requirement
from vademecum.errors import ConfigError, WireError
from vademecum.sessions import Log, read_chat

ROWS = [
    {"role": "system", "content": "be kind"},
    {"role": "user", "content": "first", "ts": "2026-01-01T00:00:00Z", "meta": {"session": "abc"}},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
    },
    {"role": "tool", "tool_call_id": "1", "content": "out"},
    {"role": "assistant", "content": "done \u2028 \u0085 é"},
]


def lines(rows: list[object]) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


def contents(log: Log) -> list[object]:
    return [message.wire.get("content") for message in log.messages]


@requirement("A-8")
@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("layout", ["jsonl", "list", "body"])
def test_every_layout(layout: str, zipped: bool) -> None:
    data = {
        "jsonl": lines(ROWS),
        "list": json.dumps(ROWS, indent=2).encode(),
        "body": json.dumps({"model": "m", "messages": ROWS, "tools": [{"x": 1}]}).encode(),
    }[layout]
    log = read_chat(gzip.compress(data) if zipped else data)
    assert [message.wire for message in log.messages] == ROWS
    assert (log.layout, log.session, log.dialect.name, log.skipped) == (layout, "abc", "openai-chat", ())
    assert log.outside == ({"model": "m", "tools": [{"x": 1}]} if layout == "body" else {})
    assert [json.loads(message.raw) for message in log.messages] == ROWS


@requirement("A-8", "I10")
def test_every_line_keeps_its_bytes() -> None:
    spelled = [
        b'{"role": "user", "content": "a"}',
        b'{"content":"\\u0062","role":"user","n":1.10}',
        b'  {"role":"user"}\t',
    ]
    log = read_chat(b"\r\n".join(spelled) + b"\r\n")
    assert [message.raw for message in log.messages] == [line.strip() for line in spelled]


@requirement("A-8")
@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b"{broken", "not JSON"),
        (b"[1, 2]", "list"),
        (b'"text"', "str"),
        (b"42", "int"),
        (b"null", "NoneType"),
        (b'{"role": "martian", "content": "x"}', "role"),
        (b'{"content": "no role"}', "role"),
        (b'{"role": "user", "content": 42}', "content"),
        (b'{"role": "assistant", "tool_calls": ["x"]}', "tool call"),
        (b'{"a":' * 100_000, ""),
        (b"\xff\xfe\x00", ""),
    ],
)
@pytest.mark.parametrize("at", [0, 2, 5])
def test_a_bad_line_is_told_and_skipped(bad: bytes, reason: str, at: int) -> None:
    rows = lines(ROWS).splitlines(keepends=True)
    rows.insert(at, bad + b"\n")
    log = read_chat(b"".join(rows))
    assert [message.wire for message in log.messages] == ROWS
    ((line, why),) = log.skipped
    assert line == at + 1
    assert reason in why


@requirement("A-8")
def test_a_line_that_is_not_finished_is_told() -> None:
    log = read_chat(lines(ROWS) + b'{"role": "user", "content": "the power wen')
    assert len(log.messages) == len(ROWS)
    assert [line for line, _ in log.skipped] == [len(ROWS) + 1]


@requirement("A-8")
def test_blank_lines_count_and_say_nothing() -> None:
    log = read_chat(b"\n\n" + lines(ROWS[:1]) + b"\n  \n{bad\n")
    assert len(log.messages) == 1
    assert [line for line, _ in log.skipped] == [6]


@requirement("A-8")
def test_rows_of_an_earlier_compaction_are_not_transcript() -> None:
    rows = [
        *ROWS[:2],
        {"role": "user", "content": "summary of before", "meta": {"compact_summary": True}},
        {"role": "system", "content": "boundary", "meta": {"compact_boundary": True}},
        *ROWS[2:],
    ]
    log = read_chat(lines(rows))
    assert [message.wire for message in log.messages] == ROWS
    assert log.dropped == 2


@requirement("A-8")
def test_what_a_harness_injected_was_typed_by_nobody() -> None:
    rows = [
        {"role": "user", "content": "typed"},
        {"role": "user", "content": "not typed", "meta": {"injected": True}},
    ]
    assert [message.typed for message in read_chat(lines(rows)).messages] == [True, False]


@requirement("A-8")
@pytest.mark.parametrize("data", [b"", b"\n\n", b"[]", b'{"messages": []}', b"\xef\xbb\xbf"])
def test_nothing_is_no_error(data: bytes) -> None:
    assert read_chat(data).messages == ()


@requirement("A-8")
def test_a_byte_order_mark_is_no_content() -> None:
    assert [message.wire for message in read_chat(b"\xef\xbb\xbf" + lines(ROWS)).messages] == ROWS


@requirement("A-8")
@pytest.mark.parametrize(
    "data", [b"\x1f\x8b damaged", gzip.compress(b"{}", mtime=0)[:12], b"not a log", b"\x00\x01\x02"]
)
def test_what_is_no_log_is_a_typed_error(data: bytes) -> None:
    with pytest.raises(WireError) as caught:
        read_chat(data)
    assert caught.value.hint


@requirement("A-8")
@pytest.mark.parametrize("data", [b'[{"role": "user"}, 42]', b'{"messages": [{"role": "x"}]}', b'[{"role": "user"'])
def test_a_list_or_body_with_something_else_in_it_is_an_error(data: bytes) -> None:
    with pytest.raises(WireError):
        read_chat(data)


def test_a_format_that_does_not_exist() -> None:
    with pytest.raises(ConfigError):
        read_chat(lines(ROWS), format="smoke-signals")


@requirement("A-8")
def test_anthropic_is_recognised() -> None:
    rows = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "f", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "out"}]},
    ]
    log = read_chat(lines(rows))
    assert log.dialect.name == "anthropic"
    assert [message.wire for message in log.messages] == rows


@requirement("A-8")
@settings(max_examples=200)
@given(data=st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(WireError):
        assert isinstance(read_chat(data), Log)


@requirement("A-8")
@settings(max_examples=100)
@given(content=st.text(alphabet=st.characters(), max_size=100), escaped=st.booleans())
def test_any_text_survives(content: str, escaped: bool) -> None:
    data = json.dumps({"role": "user", "content": content}, ensure_ascii=escaped).encode("utf-8", "surrogatepass")
    (message,) = read_chat(data).messages
    assert message.raw == data
    if escaped or max(content, default="") < "\ud800" or not any("\ud800" <= char <= "\udfff" for char in content):
        assert message.wire["content"] == content
