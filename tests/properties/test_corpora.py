"""Sizes on English, code, CJK, base64 and JSON schemas, in every wire format, beside real vocabularies of others."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from requirement import requirement
from vademecum import Compactor
from vademecum.core.tokens import TokenCounter, estimate
from vademecum.models.tokenizer import count_tokens
from vademecum.testing.texts import text
from vademecum.wire import dialect

KINDS = ("english", "code", "cjk", "base64", "schema")
FORMATS = ("openai-chat", "openai-responses", "anthropic", "gemini", "ollama")
#: Model → the vocabulary that its provider counts with, and what its template adds to a message.
VOCABULARIES = {
    "llama-3.3-70b": ("llama3", 5),
    "deepseek-chat": ("deepseek_v3", 3),
    "qwen3-coder": ("qwen3", 5),
    "mistral-7b": ("mistral_v2", 4),
    "gpt-3.5-turbo": ("cl100k_base", 4),
    "gpt-4.1": ("o200k_base", 4),
}
TOOLS = [
    {
        "name": f"tool_{n}",
        "description": f"Does the thing number {n} to a path.",
        "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
    }
    for n in range(12)
]


def written(kind: str, seed: int) -> str:
    match kind:
        case "english":
            return text("prose", 3_000, seed)
        case "base64":  # as it stands in real logs: images and archives, not one letter over and over
            return base64.b64encode(random.Random(seed).randbytes(2_200)).decode()
        case "schema":
            fields = {
                f"field_{seed}_{n}": {"type": ["string", "null"], "description": f"The value number {n} of the row."}
                for n in range(30)
            }
            return json.dumps({"type": "object", "properties": fields, "required": [*fields][:9]})
        case _:
            return text(kind, 3_000, seed)


def rounds(format: str, kind: str, first: int, last: int) -> tuple[list[dict[str, Any]], list[str]]:
    """Rounds of a question, a call, its result and an answer; and the texts in them."""
    rows: list[dict[str, Any]] = []
    texts: list[str] = []
    for at in range(first, last):
        ask, result, said = f"Look at part {at}, please.", written(kind, at), f"Part {at}: {written(kind, at + 900)}"
        rows += _SHAPES[format](at, ask, result, said)
        texts += [ask, "tool_1", json.dumps({"path": f"p{at}"}), result, said]
    return rows, texts


def _chat(at: int, ask: str, result: str, said: str) -> list[dict[str, Any]]:
    call = {"id": f"c{at}", "type": "function", "function": {"name": "tool_1", "arguments": f'{{"path": "p{at}"}}'}}
    return [
        {"role": "user", "content": ask},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"c{at}", "content": result},
        {"role": "assistant", "content": said},
    ]


def _responses(at: int, ask: str, result: str, said: str) -> list[dict[str, Any]]:
    return [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": ask}]},
        {"type": "function_call", "call_id": f"c{at}", "name": "tool_1", "arguments": f'{{"path": "p{at}"}}'},
        {"type": "function_call_output", "call_id": f"c{at}", "output": result},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": said}]},
    ]


def _anthropic(at: int, ask: str, result: str, said: str) -> list[dict[str, Any]]:
    call = {"type": "tool_use", "id": f"c{at}", "name": "tool_1", "input": {"path": f"p{at}"}}
    return [
        {"role": "user", "content": ask},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"c{at}", "content": result}]},
        {"role": "assistant", "content": [{"type": "text", "text": said}]},
    ]


def _gemini(at: int, ask: str, result: str, said: str) -> list[dict[str, Any]]:
    call = {"functionCall": {"id": f"c{at}", "name": "tool_1", "args": {"path": f"p{at}"}}}
    answer = {"functionResponse": {"id": f"c{at}", "name": "tool_1", "response": {"output": result}}}
    return [
        {"role": "user", "parts": [{"text": ask}]},
        {"role": "model", "parts": [call]},
        {"role": "user", "parts": [answer]},
        {"role": "model", "parts": [{"text": said}]},
    ]


def _ollama(at: int, ask: str, result: str, said: str) -> list[dict[str, Any]]:
    call = {"function": {"name": "tool_1", "arguments": {"path": f"p{at}"}}}
    return [
        {"role": "user", "content": ask},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_name": "tool_1", "content": result},
        {"role": "assistant", "content": said},
    ]


_SHAPES: dict[str, Callable[[int, str, str, str], list[dict[str, Any]]]] = {
    "openai-chat": _chat,
    "openai-responses": _responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "ollama": _ollama,
}


def reported(format: str, tokens: int) -> dict[str, Any]:
    """A report of so many prompt tokens, most of them from a cache, as each format counts."""
    cached = tokens * 3 // 4
    match format:
        case "openai-chat":
            details = {"cached_tokens": cached}
            return {"usage": {"prompt_tokens": tokens, "completion_tokens": 7, "prompt_tokens_details": details}}
        case "openai-responses":
            details = {"cached_tokens": cached}
            return {"usage": {"input_tokens": tokens, "output_tokens": 7, "input_tokens_details": details}}
        case "anthropic":
            fresh = {"input_tokens": tokens - cached, "cache_read_input_tokens": cached}
            return {"usage": {**fresh, "cache_creation_input_tokens": 0, "output_tokens": 7}}
        case "gemini":
            return {"usageMetadata": {"promptTokenCount": tokens, "cachedContentTokenCount": cached}}
        case _:
            return {"prompt_eval_count": tokens, "eval_count": 7}


def size(model: str, texts: list[str], rows: int) -> int:
    vocabulary, added = VOCABULARIES[model]
    return sum(count_tokens([*texts, json.dumps(TOOLS)], vocabulary)) + added * rows + 300


@requirement("C-9", "C-11", "C-12", "C-13")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("format", "model"),
    # Where vocabularies differ most, every format; the others in one.
    [(format, "mistral-7b") for format in FORMATS] + [("openai-chat", m) for m in VOCABULARIES if m != "mistral-7b"],
)
def test_near_before_a_report_and_within_three_percent_after_one(format: str, kind: str, model: str) -> None:
    rows, texts = rounds(format, kind, 0, 8)
    compactor = Compactor(window=1_000_000, model=model)
    first = compactor.fit(rows, tools=TOOLS, format=format).receipt
    assert 0.7 <= first.tokens_after / size(model, texts, len(rows)) <= 1.6
    compactor.observe(reported(format, size(model, texts, len(rows))))
    for at in (8, 9, 10):
        more, said = rounds(format, kind, at, at + 1)
        rows, texts = [*rows, *more], [*texts, *said]
        now = compactor.fit(rows, tools=TOOLS, format=format).receipt
        assert now.origin == "reported"
        assert now.tokens_after == pytest.approx(size(model, texts, len(rows)), rel=0.03)


@requirement("C-11")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("format", FORMATS)
def test_an_estimate_without_a_tokenizer_is_near(format: str, kind: str) -> None:
    rows, texts = rounds(format, kind, 0, 8)
    messages = [dialect(format).load(row, at) for at, row in enumerate(rows)]
    counted = sum(count_tokens(texts)) + 4 * len(rows)
    assert 0.7 <= sum(TokenCounter().messages(messages)) / counted <= 1.6
    assert sum(map(estimate, texts)) > 0
