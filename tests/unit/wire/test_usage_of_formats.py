"""Usage as every provider reports it: the rows of the published shapes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from requirement import requirement
from vademecum.wire.usage import usage_of


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
    rows = [row for row in json.loads(path.read_text()) if row["provider"] in ("openai", "gemini", "ollama")]
    assert len(rows) >= 4
    for row in rows:
        found = usage_of(row["example"])
        assert found is not None, row["api"]
        assert found.prompt_tokens == row["expected_prompt_tokens"], row["api"]


@requirement("C-9")
@pytest.mark.parametrize(
    "reply", [{"usageMetadata": {}}, {"prompt_eval_count": 0}, {"response": {}}, {"usage": None}]
)
def test_nothing_reported_is_nothing(reply: dict[str, Any]) -> None:
    assert usage_of(reply) is None
