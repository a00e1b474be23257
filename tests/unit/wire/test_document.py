"""Documents: what is not touched goes back byte for byte, whatever the layout."""

import gzip
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from requirement import requirement
from vademecum.core.text import is_clean
from vademecum.errors import WireError
from vademecum.testing import sample, transcripts
from vademecum.wire.document import Document, read, render

ROWS = [{"role": "user", "content": "hé 服务"}, {"role": "assistant", "content": "ok"}]
BIG = b'{"role":"user","content":"n","n":123456789012345678901234567890}'


def back(document: Document) -> bytes:
    raws = [row.raw for row in document.rows]
    return render(document.layout, raws, document.prefix, document.suffix, document.separator)


def lines(*rows: object, end: bytes = b"\n") -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + end for row in rows)


@requirement("C-30")
@pytest.mark.parametrize(
    ("layout", "data"),
    [
        ("jsonl", lines(*ROWS)),
        ("jsonl", b'{"role": "user",  "content" : "spaces"}\n' + BIG + b"\n"),
        ("jsonl", b'{"role":"user","content":"\\ud83d \\u0000 \\u2028"}\n'),
        ("jsonl", '{"role":"user","content":"a\u2028b\u0085c"}\n'.encode()),
        ("list", json.dumps(ROWS).encode()),
        ("list", json.dumps(ROWS, indent=2).encode() + b"\n"),
        ("list", b" [ ] \n"),
        ("list", b"[\r\n" + BIG + b"\r\n]\r\n"),
        ("list", json.dumps(ROWS, ensure_ascii=False, indent=1).encode("utf-8")),
        ("body", json.dumps({"model": "m", "messages": ROWS, "stream": True}).encode()),
        ("body", json.dumps({"messages": ROWS, "tools": [{"name": "messages"}]}, indent=4).encode()),
        ("body", b'{"a": 1.0, "messages": [], "max": 123456789012345678901234567890}'),
        ("body", b'{"messages":[' + BIG + b'],"note":"\\ud83d"}'),
    ],
)
def test_a_document_comes_back_byte_for_byte(layout: str, data: bytes) -> None:
    document = read(data)
    assert document.layout == layout
    assert back(document) == data


@requirement("C-30")
@pytest.mark.parametrize("format", ["openai-chat", "anthropic"])
@pytest.mark.parametrize("layout", ["jsonl", "list", "body"])
def test_any_transcript_comes_back(format: str, layout: str) -> None:
    @settings(max_examples=8, suppress_health_check=list(HealthCheck))
    @given(transcripts(format, most_turns=2), st.sampled_from([None, 2]), st.booleans())
    def holds(rows: list[dict[str, Any]], indent: int | None, ascii: bool) -> None:
        # Lone surrogates can stand in a file as escapes only.
        escaped = ascii or any(not is_clean(json.dumps(row, ensure_ascii=False)) for row in rows)
        text: object = rows if layout == "list" else {"model": "m", "messages": rows}
        if layout == "jsonl":
            written = "".join(json.dumps(row, ensure_ascii=escaped) + "\n" for row in rows)
        else:
            written = json.dumps(text, ensure_ascii=escaped, indent=indent)
        data = written.encode("utf-8")
        document = read(data)
        assert [row.value for row in document.rows] == json.loads(json.dumps(rows))
        assert back(document) == data

    holds()


@pytest.mark.parametrize("layout", ["jsonl", "list", "body"])
def test_gzip_is_recognised(layout: str) -> None:
    data = {"jsonl": lines(*ROWS), "list": json.dumps(ROWS).encode(), "body": json.dumps({"messages": ROWS}).encode()}
    document = read(gzip.compress(data[layout]))
    assert document.layout == layout
    assert back(document) == data[layout]


def test_damaged_gzip_is_refused() -> None:
    with pytest.raises(WireError, match="gzip"):
        read(gzip.compress(lines(*ROWS))[:-9])


@pytest.mark.parametrize("data", [b"", b"\n \r\n\t", b"\xef\xbb\xbf"])
def test_nothing_is_an_empty_document(data: bytes) -> None:
    assert read(data).rows == ()


def test_a_byte_order_mark_and_carriage_returns_do_no_harm() -> None:
    document = read(b"\xef\xbb\xbf" + lines(*ROWS, end=b"  \r\n") + b"\r\n")
    assert [row.value for row in document.rows] == ROWS
    assert [row.line for row in document.rows] == [1, 2]
    assert all(row.raw == row.raw.strip() for row in document.rows)


def test_lines_that_are_no_objects_are_reported_and_skipped() -> None:
    data = lines(ROWS[0]) + b'{"role": "us\n[1]\n"text"\n' + lines(ROWS[1]) + b'{"role":"user","content":"cut of'
    document = read(data)
    assert [row.line for row in document.rows] == [1, 5]
    assert [line for line, _ in document.skipped] == [2, 3, 4, 6]
    assert "not JSON" in document.skipped[0][1]
    assert "list, not an object" in document.skipped[1][1]


def test_deep_nesting_is_a_reason_not_a_crash() -> None:
    deep = b"[" * 60_000 + b"]" * 60_000
    document = read(lines(ROWS[0]) + b'{"role":"user","content":' + deep + b"}\n")
    assert len(document.rows) == 1
    assert "nested too deeply" in document.skipped[0][1]
    with pytest.raises(WireError, match="nested too deeply"):
        read(b'[{"role":"user"},' + deep + b"]")


@pytest.mark.parametrize("data", [b"plain text", b"PK\x03\x04\xff\xfe", b"42", b'"text"', b"\xff\xfe{\x00"])
def test_what_is_no_document_is_refused(data: bytes) -> None:
    with pytest.raises(WireError):
        read(data)


@pytest.mark.parametrize("data", [b'[{"role":"user"}', b'[{"role":"user"},]x', b'[{"role":"user"} {"role":"user"}]'])
def test_a_list_that_is_cut_off_is_refused(data: bytes) -> None:
    with pytest.raises(WireError):
        read(data)


def test_one_object_without_messages_is_one_line() -> None:
    assert read(json.dumps(ROWS[0]).encode()).layout == "jsonl"


def test_a_body_keeps_what_stands_beside_the_messages() -> None:
    document = read(json.dumps({"model": "m", "messages": ROWS, "tools": [1]}).encode())
    assert document.outside == {"model": "m", "tools": [1]}


@requirement("C-30")
def test_changing_one_row_leaves_all_other_bytes() -> None:
    data = json.dumps({"model": "m", "messages": sample(turns=2), "stream": True}, indent=2).encode()
    document = read(data)
    raws = [row.raw for row in document.rows]
    changed = [*raws[:3], b'{"role":"user","content":"new"}', *raws[4:]]
    done = render("body", changed, document.prefix, document.suffix, document.separator)
    assert done.startswith(data[: data.index(raws[3])])
    assert done.endswith(data[data.index(raws[3]) + len(raws[3]) :])


def test_a_bomb_is_refused_before_it_has_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vademecum.wire.zipped._LEAST", 1 << 20)
    whole = b'{"role": "user", "content": "' + b"x" * ((1 << 20) - 40) + b'"}'
    assert len(read(gzip.compress(whole)).rows) == 1
    bomb = gzip.compress(b" " * (64 << 20))
    assert len(bomb) < 1 << 17
    with pytest.raises(WireError, match="expand to more than"):
        read(bomb)
