"""Whatever wraps an error is opened; nothing that comes over a line makes it fail or slow."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fault import fault
from requirement import requirement
from vademecum.errors import ConfigError
from vademecum.models.errors import classify
from vademecum.models.errors.envelope import opened
from vademecum.models.errors.table import packaged, table_of
from vademecum.models.errors.wording import plain

TEXT = "prompt is too long: 210266 tokens > 200000 maximum"
ERROR = {"type": "error", "error": {"type": "invalid_request_error", "message": TEXT}}
QUOTED = json.dumps(ERROR)

WRAPPED: dict[str, Any] = {
    "text": TEXT,
    "bytes": TEXT.encode(),
    "object": ERROR,
    "list": [ERROR],
    "json": QUOTED,
    "json in json": json.dumps(QUOTED),
    "string": {"error": TEXT},
    "event": f"event: error\ndata: {QUOTED}\n\n",
    "databricks": {"error_code": "BAD_REQUEST", "message": json.dumps({"external_model_error": ERROR})},
    "openrouter": {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": QUOTED}}},
    "litellm": f"litellm.BadRequestError: AnthropicException - {QUOTED}",
    "litellm bytes": f"litellm.BadRequestError: AnthropicException - b'{QUOTED}'",
    "python": f"Error code: 400 - {ERROR}",
    "bedrock": {"validationException": {"message": TEXT}},
    "azure": {"error": {"code": "BadRequest", "message": "upstream failed", "innererror": {"message": TEXT}}},
    "vertex": [{"error": {"code": 400, "message": QUOTED, "status": "INVALID_ARGUMENT"}}],
    "deep": {"error": {"error": {"error": {"detail": [{"msg": QUOTED}]}}}},
    "quoted": f'upstream error for request 7: "{TEXT}"',
}  # fmt: skip


@fault(104)
@requirement("M-5")
@pytest.mark.parametrize("name", WRAPPED)
def test_every_envelope_is_opened(name: str) -> None:
    found = classify(WRAPPED[name], status=400)
    assert found is not None
    assert (found.kind, found.learned_window, found.observed_input) == ("context_overflow", 200_000, 210_266)


@fault(98)
@requirement("M-5")
@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": f"Invalid JSON in tool arguments near: '{TEXT}'", "code": "invalid_json"}},
        {"error": {"message": f"Invalid JSON in tool arguments near: '{TEXT}'"}},
        {"detail": [{"loc": ["body", "messages"], "msg": "field required", "input": TEXT}]},
        {"error": {"message": "messages.0: unexpected value; permitted: 'user', 'assistant'", "value": TEXT}},
    ],
)
def test_what_an_error_quotes_is_not_what_it_says(body: Any) -> None:
    found = classify(body, status=400)
    assert found is not None
    assert found.kind == "bad_request"
    assert found.learned_window is None


@fault(98, 100)
@requirement("M-5")
def test_a_status_counts_for_what_the_text_leaves_open() -> None:
    kinds = {
        (401, "Unauthorized"): "auth",
        (401, "This plan supports only 256K context"): "context_overflow",
        (402, "no"): "quota",
        (404, "no"): "bad_request",
        (408, "no"): "unavailable",
        (413, ""): "context_overflow",
        (413, "<html><title>413 Request Entity Too Large</title></html>"): "request_too_large",
        (418, "no"): None,
        (429, "Too many tokens, please wait"): "rate_limit",
        (429, TEXT): "rate_limit",
        (503, "no"): "unavailable",
        (529, "no"): "unavailable",
    }
    for (status, text), kind in kinds.items():
        found = classify(text, status=status)
        assert (None if found is None else found.kind) == kind, (status, text)
    unsure = classify("", status=413)
    assert unsure is not None
    assert not unsure.certain


@requirement("M-5")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (
            'stream broke: unexpected status 400 Bad Request: {"detail": "Those instructions will not do"}',
            "bad_request",
        ),
        ("HTTP 429 from the upstream of unit-7", "rate_limit"),
        ("Error code: 401 - {'detail': 'no'}", "auth"),
        ("The run failed with status 503", "unavailable"),
        ("429 tokens above the context window of 8192 tokens", "context_overflow"),
    ],
)
def test_a_status_may_stand_in_the_text(text: str, kind: str) -> None:
    found = classify(text)
    assert found is not None
    assert found.kind == kind


@requirement("M-5")
def test_what_nothing_tells_may_go_away_by_itself() -> None:
    for unknown in ("the gremlin said no", "E_UPSTREAM_7"):
        for status in (None, 200):
            found = classify(unknown, status=status)
            assert found is not None, unknown
            assert (found.kind, found.certain, found.learned_window) == ("unavailable", False, None)
    whole = {"status": "completed", "error": None, "errors": [], "output": [{"type": "message"}]}
    assert classify(whole, status=200) is None
    assert classify("", status=200) is None


_KEYS = ["error", "message", "code", "type", "response", "choices", "usage", "detail"]
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(_KEYS) | st.text(max_size=9), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@requirement("M-5")
@given(_JSON | st.binary(max_size=300), st.none() | st.integers(-1, 700))
@settings(max_examples=150, deadline=None)
def test_no_body_makes_it_fail(body: Any, status: int | None) -> None:
    found = classify(body, status=status)
    assert found is None or found.action


@requirement("M-5")
@pytest.mark.parametrize(
    "body",
    [
        "prompt " * 150_000,
        "input tokens exceed 1 > 2 " * 40_000,
        "max_tokens: " * 90_000,
        "{" * 1_000_000,
        "[" * 1_000_000,
        "'" * 1_000_000,
        '"a ' * 350_000,
        json.dumps({"error": {"message": "the context 1,000,000 is " * 40_000}}),
        json.dumps({"error": [{"message": f"{number} tokens"} for number in range(50_000)]}),
        "9" * 1_000_000,
        "data: {}\n" * 110_000,
        "< " * 500_000,
    ],
    ids=lambda body: body[:12],
)
def test_of_a_long_error_little_is_looked_through(body: str) -> None:
    seen = opened(body)
    assert sum(map(len, seen.texts[:1])) <= 4_000
    assert len(seen.texts) <= 2_000
    text = plain(seen.texts)
    assert len(text) <= 4_000
    assert re.search(r"\d{16}", text) is None
    classify(body, status=400)  # patterns that run away would hold the suite up


@requirement("M-5")
def test_a_wording_is_a_row() -> None:
    from importlib.resources import files

    text = files("vademecum.models.errors").joinpath("table.toml").read_text("utf-8")
    strange = {"error": {"message": "Der Kontext platzt bei 4096 Token"}}
    known = classify(strange, status=400)
    assert known is not None
    assert known.kind == "bad_request"
    row = '[[input]]\nname = "in German"\nkind = "context_overflow"\nsays = [\'kontext platzt\']\n\n[figures]'
    found = classify(strange, status=400, table=table_of(text.replace("[figures]", row)))
    assert found is not None
    assert (found.kind, found.row) == ("context_overflow", "input: in German")


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ("kind = 'overflow'", "has the kind 'overflow'"),
        ("kind = 'quota'\nsay = ['x']", "has no key 'say'"),
        ("kind = 'quota'\nsays = ['(']", "the pattern '(' is none"),
    ],
)
def test_a_row_that_is_none_is_refused(row: str, wrong: str) -> None:
    head = "words = {n = '1'}\nfields = {}\nfigures = {says = []}\nwaits = {says = []}\n"
    with pytest.raises(ConfigError, match=wrong.replace("(", r"\(")):
        table_of(f"{head}[[input]]\n{row}\n")


def test_every_row_has_a_name_of_its_own() -> None:
    names = [row.name for row in packaged().rows]
    assert len(names) == len(set(names)) > 40
