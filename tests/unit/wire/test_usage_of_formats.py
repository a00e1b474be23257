"""Usage as every provider reports it: the rows of the published shapes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from requirement import requirement
from vademecum.wire.usage import Usage, fuller, usage_of


@requirement("C-9")
def test_responses_and_gemini_and_ollama() -> None:
    details = {"cached_tokens": 64}
    reply: dict[str, Any] = {
        "model": "gpt",
        "usage": {"input_tokens": 100, "input_tokens_details": details, "output_tokens": 7, "total_tokens": 107},
    }
    for found in (usage_of(reply), usage_of({"type": "response.completed", "response": reply})):
        assert found is not None
        assert (found.prompt_tokens, found.cached_tokens, found.output_tokens, found.model) == (100, 64, 7, "gpt")
    gemini = {"promptTokenCount": 700, "cachedContentTokenCount": 512, "toolUsePromptTokenCount": 58}
    found = usage_of({"modelVersion": "gemini", "usageMetadata": {**gemini, "candidatesTokenCount": 3}})
    assert found is not None
    assert (found.prompt_tokens, found.cached_tokens, found.output_tokens, found.model) == (758, 512, 3, "gemini")
    found = usage_of({"model": "x", "done": True, "prompt_eval_count": 16_386, "eval_count": 40})
    assert found is not None
    assert (found.prompt_tokens, found.output_tokens, found.model) == (16_386, 40, "x")


@requirement("C-9")
def test_the_published_shapes_of_these_formats(clients_folder: Path) -> None:
    path = clients_folder.parent / "usage_shapes.json"
    rows = json.loads(path.read_text())
    assert len(rows) >= 17
    for row in rows:
        for found in (usage_of(row["example"]), fuller(None, row["example"])):
            told = None if found is None else found.prompt_tokens
            assert told == row["expected_prompt_tokens"], row["api"]


@requirement("C-9")
def test_every_shape_of_usage() -> None:
    """One row a shape: prompt, cached, written, output, reasoning."""
    rows = json.loads((Path(__file__).parents[2] / "fixtures/usage.json").read_text("utf-8"))
    assert len(rows) >= 18
    for row in rows:
        found = usage_of(row["reply"])
        wanted = row["wanted"]
        if wanted is None:
            assert found is None, row["shape"]
            continue
        assert found is not None, row["shape"]
        told = [
            found.prompt_tokens,
            found.cached_tokens,
            found.written_tokens,
            found.output_tokens,
            found.reasoning_tokens,
        ]
        assert told == wanted, row["shape"]


@requirement("M-9")
@pytest.mark.parametrize(
    ("usage", "cached", "written", "output", "reasoning"),
    [
        (
            {"prompt_tokens": 9, "completion_tokens": 8, "completion_tokens_details": {"reasoning_tokens": 5}},
            0,
            0,
            8,
            5,
        ),
        ({"prompt_tokens": 9, "prompt_cache_hit_tokens": 4, "prompt_cache_miss_tokens": 5}, 4, 0, 0, 0),
        ({"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 3, "cache_write_tokens": 2}}, 3, 2, 0, 0),
        (
            {"input_tokens": 2, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 3, "output_tokens": 6},
            4,
            3,
            6,
            0,
        ),
        ({"inputTokens": 2, "cacheReadInputTokens": 4, "cacheWriteInputTokens": 3, "outputTokens": 6}, 4, 3, 6, 0),
        ({"promptTokenCount": 9, "candidatesTokenCount": 2, "thoughtsTokenCount": 5}, 0, 0, 7, 5),
    ],
)
def test_every_figure_of_a_reply(
    usage: dict[str, Any], cached: int, written: int, output: int, reasoning: int
) -> None:
    assert usage_of({"usage": usage}) == Usage(9, cached, output, "", written, reasoning)


@requirement("M-9")
def test_a_stream_reports_piece_by_piece() -> None:
    start = {"type": "message_start", "message": {"model": "m", "usage": {"input_tokens": 9, "output_tokens": 1}}}
    delta = {"type": "message_delta", "usage": {"output_tokens": 44}}
    known = None
    for piece in (delta, start, {"type": "ping"}, delta, {"usage": {"output_tokens": 3}}):
        known = fuller(known, piece)
    assert known == Usage(9, 0, 44, "m")


@requirement("C-9")
@pytest.mark.parametrize(
    "reply", [{"usageMetadata": {}}, {"prompt_eval_count": 0}, {"response": {}}, {"usage": None}]
)
def test_nothing_reported_is_nothing(reply: dict[str, Any]) -> None:
    assert usage_of(reply) is None
