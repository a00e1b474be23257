"""Estimates are near the counts of the tokenizer, whatever the text is (I9)."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from night import often
from requirement import requirement
from vademecum.core.tokens import estimate
from vademecum.models.tokenizer import count_tokens
from vademecum.testing.texts import text

#: Kinds of the corpora that the bound is stated for; tools' schemas are made below. Rows of JSON with a number in
#: each field are no such corpus: the published formula gives 0.68 of some of them.
KINDS = ("prose", "log", "code", "cjk", "hangul", "base64")


@requirement("I9", "C-11")
@settings(max_examples=often(60))
@given(st.sampled_from(KINDS), st.integers(600, 6_000), st.integers(0, 10_000))
def test_the_estimate_of_a_text_is_near(kind: str, size: int, seed: int) -> None:
    given_text = text(kind, size, seed)
    assert 0.7 <= estimate(given_text) / count_tokens((given_text,))[0] <= 1.6


@requirement("I9", "C-11")
@settings(max_examples=often(40))
@given(
    st.lists(
        st.tuples(st.from_regex(r"[a-z]{3,9}_[a-z]{3,9}", fullmatch=True), st.sampled_from(["string", "integer"])),
        min_size=8,
        max_size=40,
        unique_by=lambda field: field[0],
    ),
    st.integers(0, 9),
)
def test_the_estimate_of_a_schema_is_near(fields: list[tuple[str, str]], seed: int) -> None:
    said = [sentence for sentence in text("prose", 60 * len(fields), seed).split(". ") if sentence]
    properties = {
        name: {"type": kind, "description": said[number % len(said)]} for number, (name, kind) in enumerate(fields)
    }
    schema = json.dumps({"type": "object", "properties": properties, "required": [fields[0][0]]})
    assert 0.7 <= estimate(schema) / count_tokens((schema,))[0] <= 1.6
