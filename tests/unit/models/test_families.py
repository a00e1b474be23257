"""Which models share a tokenizer."""

import pytest

from requirement import requirement
from vademecum.models.families import family_of


@requirement("C-12")
@pytest.mark.parametrize(
    ("model", "family", "own"),
    [
        ("gpt-4o-mini", "o200k", True),
        ("openai/gpt-4.1", "o200k", True),
        ("gpt-5.1-codex", "o200k", True),
        ("o3-mini", "o200k", True),
        ("gpt-oss:20b", "o200k", True),
        ("gpt-4", "cl100k", False),
        ("gpt-4-turbo", "cl100k", False),
        ("gpt-3.5-turbo-0125", "cl100k", False),
        ("claude-sonnet-4-20250514", "claude-4", False),
        ("claude-sonnet-4-5-20250929", "claude-4.5", False),
        ("anthropic/claude-opus-4.8", "claude-4.8", False),
        ("us.anthropic.claude-3-7-sonnet-20250219-v1:0", "claude-3.7", False),
        ("models/gemini-2.5-pro", "gemini-2", False),
        ("meta-llama/Llama-3.1-8B-Instruct", "llama-3", False),
        ("qwen3:8b", "qwen-3", False),
        ("deepseek-reasoner", "deepseek", False),
        ("acme/Large-v2", "large-v2", False),
        ("", "", False),
    ],
)
def test_the_family_of_a_model(model: str, family: str, own: bool) -> None:
    found = family_of(model)
    assert (found.name, found.own) == (family, own)
    assert found.cache_seconds >= 300
