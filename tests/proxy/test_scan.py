"""Taking bodies apart: the quick way and the thorough one agree, and parts put together are the body."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.test_bytes import ODD
from requirement import requirement
from vademecum.proxy.scan import _quick, _thorough, scan

TEXTS = st.text(alphabet=st.characters(codec="utf-8"), max_size=12)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
BODIES = st.builds(
    lambda before, rows, after: {**before, "messages": rows, **after},
    st.dictionaries(TEXTS, VALUES, max_size=3),
    st.lists(st.dictionaries(TEXTS, VALUES, max_size=3), max_size=4),
    st.dictionaries(TEXTS, VALUES, max_size=3),
)


@requirement("P-2")
@given(BODIES, st.sampled_from([None, 0, 1, 3, "\t"]), st.booleans())
def test_both_ways_agree_and_nothing_is_lost(fields: dict[str, Any], indent: Any, ascii: bool) -> None:
    if not isinstance(fields["messages"], list):
        return
    body = json.dumps(fields, indent=indent, ensure_ascii=ascii).encode()
    thorough = _thorough(body, "messages")
    assert thorough is not None
    assert _quick(body, "messages") in (thorough, None)
    assert [json.loads(row) for row in thorough.rows] == fields["messages"]
    assert {key: json.loads(thorough.raw(key)) for key in thorough.spans} == {
        key: value for key, value in fields.items() if key != "messages"
    }
    assert thorough.written(None, {}) == body
    if indent is None:
        assert thorough.written(thorough.rows, {}) == body
    assert json.loads(thorough.written([b'{"a":1}', b"{}"], {}))["messages"] == [{"a": 1}, {}]


@pytest.mark.parametrize("name", ODD)
def test_odd_bodies_are_taken_apart_alike_or_not_at_all(name: str) -> None:
    body = ODD[name]
    quick, thorough = _quick(body, "messages"), _thorough(body, "messages")
    if quick is not None and thorough is not None:
        assert quick == thorough
    found = scan(body)
    if found is not None:
        assert found.written(None, {}) == body
        assert found.body[found.first : found.last].startswith(found.rows[0] if found.rows else b"")


@pytest.mark.parametrize("name", ["pretty", "white space", "lone surrogate", "byte order mark", "NaN", "exponent"])
def test_odd_bodies_that_can_be_read_are_read(name: str) -> None:
    assert scan(ODD[name]) is not None


@pytest.mark.parametrize("name", ["messages twice", "invalid", "list", "number", "messages no list", "deep", "empty"])
def test_others_are_not(name: str) -> None:
    assert scan(ODD[name]) is None


@requirement("C-5")
@given(st.dictionaries(TEXTS, VALUES, max_size=3), BODIES, st.sampled_from([None, 2, "\t"]), st.booleans())
def test_a_nested_value_is_found_where_it_stands(
    inner: dict[str, Any], outer: dict[str, Any], indent: Any, ascii: bool
) -> None:
    fields = {**outer, "options": {**inner, "num_predict": 64_000, "after": [64_000]}, "num_predict": 1}
    body = json.dumps(fields, indent=indent, ensure_ascii=ascii).encode()
    found = scan(body)
    if not isinstance(outer["messages"], list) or found is None:
        return
    span = found.span(("options", "num_predict"))
    # A name that is written with escapes makes the object one that is left alone.
    assert span is not None or b"\\" in body
    if span is not None:
        written = json.loads(found.written(None, {("options", "num_predict"): b"7"}))
        assert written == {**fields, "options": {**fields["options"], "num_predict": 7}}


@requirement("P-1")
@pytest.mark.parametrize("text", ['"a [text] \\" alone"', '""'])
def test_a_text_alone_becomes_a_list_when_it_changes(text: str) -> None:
    body = b'{"n": 1.10, "input" : %s, "m": [2]}' % text.encode()
    found = scan(body, "input")
    assert found is not None
    assert (found.alone, found.rows) == (True, (text.encode(),))
    assert found.written(None, {}) == body
    assert found.written([b"{}", b"[3]"], {}) == b'{"n": 1.10, "input" : [{},[3]], "m": [2]}'
