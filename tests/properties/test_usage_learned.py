"""Sizes beside simulated providers whose tokenizers count otherwise, and that add an overhead of their own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from requirement import requirement
from vademecum import Archive, Compactor
from vademecum.compactor import outside_tokens
from vademecum.core.tokens import TokenCounter
from vademecum.models.tokenizer import count_tokens
from vademecum.testing.texts import text
from vademecum.wire import dialect

COUNTER = TokenCounter(count_tokens)
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": f"tool_{n}",
            "description": f"Does the thing number {n} to a path and tells what became of it.",
            "parameters": {
                "type": "object",
                "properties": {"path": {"type": "string"}, "mode": {"enum": ["read", "write", "append"]}},
                "required": ["path"],
            },
        },
    }
    for n in range(30)
]
KINDS = ("prose", "code", "cjk", "base64", "schema")


@dataclass(frozen=True)
class Provider:
    """Counts with another tokenizer, writes messages and tools in another way, and reports what it read."""

    ratio: float
    tools: float = 1.0
    added: int = 0
    message: int = 7

    def size(self, messages: Sequence[Mapping[str, Any]]) -> int:
        loaded = [dialect("openai-chat").load(dict(wire), at) for at, wire in enumerate(messages)]
        counted = sum(COUNTER.messages(loaded)) - 4 * len(loaded)
        outside = sum(outside_tokens(COUNTER, None, TOOLS))
        return round(self.ratio * (counted + self.tools * outside)) + self.message * len(loaded) + self.added

    def reply(self, messages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        return {"usage": {"prompt_tokens": self.size(messages), "completion_tokens": 9}}


def written(kind: str, size: int, seed: int) -> str:
    if kind != "schema":
        return text(kind, size, seed)
    fields = {f"field_{seed}_{n}": {"type": "string", "description": f"Value {n}."} for n in range(size // 60)}
    return json.dumps({"type": "object", "properties": fields})


def rounds(kind: str, count: int, start: int = 0) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for at in range(start, start + count):
        call = {
            "id": f"c{at}",
            "type": "function",
            "function": {"name": "tool_1", "arguments": f'{{"path":"p{at}"}}'},
        }
        rows += [
            {"role": "user", "content": f"Look at part {at}, please."},
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{at}", "content": written(kind, 3_000, at)},
            {"role": "assistant", "content": f"Part {at} is as it should be."},
        ]
    return rows


PROVIDERS = {
    "16 % more": Provider(1.16, added=350),
    "40 % more": Provider(1.4, added=350),
    "20 % less": Provider(0.8),
    "tools cost less": Provider(1.3, tools=0.7),
    "tools cost more": Provider(1.2, tools=1.2, added=200),
}


@requirement("C-11", "C-12", "C-13")
@pytest.mark.parametrize("provider", PROVIDERS.values(), ids=PROVIDERS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_size_is_near_before_a_report_and_within_three_percent_after_one(kind: str, provider: Provider) -> None:
    messages = rounds(kind, 12)
    compactor = Compactor(window=400_000, model="acme-large")
    first = compactor.fit(messages, tools=TOOLS).receipt
    assert first.origin == "estimated"
    assert 0.7 <= first.tokens_after / provider.size(messages) <= 1.6
    compactor.observe(provider.reply(messages))
    for at in (12, 13, 14):
        messages += rounds(kind, 1, at)
        now = compactor.fit(messages, tools=TOOLS).receipt
        assert now.origin == "reported"
        assert now.tokens_after == pytest.approx(provider.size(messages), rel=0.03)


@requirement("C-13", "C-10", "C-6")
@pytest.mark.parametrize("provider", PROVIDERS.values(), ids=PROVIDERS)
def test_a_compaction_ends_at_the_target_as_the_provider_counts(provider: Provider) -> None:
    """Before and after are on one scale, and the figure is an estimate until the provider reports again."""
    messages = rounds("code", 6)
    compactor = Compactor(window=400_000, trigger=30_000, model="acme-large", target=15_000)
    for at in range(6, 60):
        done = compactor.fit(messages, tools=TOOLS)
        if done.receipt.cycle:
            break
        compactor.observe(provider.reply(done.messages))
        messages += rounds("code", 1, at)
    receipt = done.receipt
    assert receipt.outcome == "compacted"
    assert receipt.origin == "estimated"
    assert receipt.tokens_before > 30_000
    assert receipt.tokens_before == pytest.approx(provider.size(messages), rel=0.03)
    assert receipt.tokens_after == pytest.approx(provider.size(done.messages), rel=0.06)
    assert provider.size(done.messages) <= 15_000 * 1.05
    assert sum(receipt.categories_before.values()) == pytest.approx(receipt.tokens_before, abs=3)
    assert sum(receipt.categories_after.values()) == pytest.approx(receipt.tokens_after, abs=3)
    compactor.observe(provider.reply(done.messages))
    messages += rounds("code", 1, 99)
    again = compactor.fit(messages, tools=TOOLS)
    assert again.receipt.origin == "reported"
    assert again.receipt.tokens_after == pytest.approx(provider.size(again.messages), rel=0.03)


@requirement("C-13")
def test_a_new_process_and_a_new_session_know_the_ratio(tmp_path: Path) -> None:
    provider = Provider(1.4, added=350)
    with Archive.open(tmp_path / "a.db") as archive:
        messages = rounds("code", 10)
        compactor = Compactor(
            window=400_000, model="acme-large", session=archive.session("one", format="openai-chat")
        )
        for at in range(10, 16):
            compactor.fit(messages, tools=TOOLS)
            compactor.observe(provider.reply(messages))
            messages += rounds("code", 1, at)
    with Archive.open(tmp_path / "a.db") as archive:
        for name, sent in (("one", messages), ("two", rounds("code", 20, 50))):
            held = archive.session(name, format="openai-chat")
            found = Compactor(window=400_000, model="acme/acme-large", session=held).fit(sent, tools=TOOLS).receipt
            assert found.tokens_after == pytest.approx(provider.size(sent), rel=0.03)
        stranger = Compactor(window=400_000, model="other", session=archive.session("three", format="openai-chat"))
        assert stranger.fit(rounds("code", 20), tools=TOOLS).receipt.ratio == 1.25
