"""Errors inside streams that began with a status of 200, in every wire format."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fault import fault
from requirement import requirement
from vademecum.models.errors import classify
from vademecum.models.errors.stream import event_of, failure, verdict_of

OVERFLOW = "prompt is too long: 210266 tokens > 200000 maximum"
GEMINI = "The input token count (210266) exceeds the maximum number of tokens allowed (200000)."
STARTED = {"type": "message_start", "message": {"usage": {"input_tokens": 7}}}
OLLAMA = {"done": True, "prompt_eval_count": 777, "eval_count": 3}
FAILED = {"status": "failed", "error": {"code": "context_length_exceeded", "message": OVERFLOW}}
COMPLETED = {"type": "response.completed", "response": {"status": "completed"}}
CHAT = {"choices": [{"index": 0, "delta": {"content": "a"}, "finish_reason": None}]}
#: By wire format: events of a reply, how one fails in the middle, and how one ends at its limit.
FORMATS: dict[str, tuple[list[Any], Any, list[Any]]] = {
    "openai-chat": (
        [CHAT, {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}],
        {"error": {"message": OVERFLOW, "type": "None", "code": "400"}},
        [CHAT, {"choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]}],
    ),
    "openai-responses": (
        [{"type": "response.output_text.delta", "delta": "a"}, COMPLETED],
        {"type": "response.failed", "response": FAILED},
        [{"type": "response.incomplete", "response": {"incomplete_details": {"reason": "max_output_tokens"}}}],
    ),
    "anthropic": (
        [STARTED, {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}],
        {"type": "error", "error": {"type": "invalid_request_error", "message": OVERFLOW}},
        [{"type": "message_delta", "delta": {"stop_reason": "max_tokens"}, "usage": {"output_tokens": 99}}],
    ),
    "gemini": (
        [{"candidates": [{"content": {"parts": [{"text": "a"}]}}]}, {"candidates": [{"finishReason": "STOP"}]}],
        [{"error": {"code": 400, "message": GEMINI}}],
        [{"candidates": [{"finishReason": "MAX_TOKENS"}], "usageMetadata": {"promptTokenCount": 9}}],
    ),
    "ollama": (
        [{"message": {"content": "a"}, "done": False}, {**OLLAMA, "done_reason": "stop"}],
        {"error": "the prompt of 210266 tokens is longer than the context window of 200000 tokens"},
        [{**OLLAMA, "done_reason": "length"}],
    ),
}  # fmt: skip


@fault(101)
@requirement("M-5")
@pytest.mark.parametrize("name", FORMATS)
def test_a_stream_that_fails(name: str) -> None:
    whole, error, cut = FORMATS[name]
    assert verdict_of(whole) is None
    found = verdict_of([whole[0], error])
    assert found is not None
    assert (found.kind, found.learned_window, found.observed_input) == ("context_overflow", 200_000, 210_266)
    assert failure(whole[0]) is None
    assert failure(error) == found
    ended = verdict_of(cut)
    assert ended is not None
    assert (ended.kind, ended.action) == ("output_truncated", "continue")
    # The same as text, as it comes over the line.
    assert classify(f"data: {json.dumps(error)}\n\n", status=200) == found


@fault(101)
@requirement("M-5")
def test_a_stream_without_an_end_is_an_error() -> None:
    for events in ([], [CHAT], [{"type": "message_start", "message": {}}]):
        found = verdict_of(events)
        assert found is not None
        assert (found.kind, found.action) == ("unavailable", "retry")


@requirement("M-7")
def test_a_stream_that_ends_at_the_window_or_was_cut() -> None:
    end = {"done": True, "done_reason": "length", "prompt_eval_count": 7_000, "eval_count": 1_192}
    found = verdict_of([end], window=8_192)
    assert found is not None
    assert found.kind == "context_overflow"
    found = verdict_of([{**end, "done_reason": "stop"}], expected_input=20_000)
    assert found is not None
    assert found.kind == "silent_truncation"


def test_gateways_events_and_lines() -> None:
    found = failure({"validationException": {"message": "Input is too long for requested model."}})
    assert found is not None
    assert found.kind == "context_overflow"
    found = failure({"type": "error", "error": {"nothing": "known"}})
    assert found is not None
    assert found.kind == "unavailable"
    assert event_of(b'data: {"a": 1}\n') == {"a": 1}
    assert event_of('{"a": 1}') == {"a": 1}
    for line in (b"", b"event: error", b"data: [DONE]", b": ping", b"data: {"):
        assert event_of(line) is None
