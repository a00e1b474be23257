"""Input and output must fit into the window together: the output limit is lowered where they do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from proxy.harness import CHAT, ENDPOINTS, GEMINI, MESSAGES, between, run
from proxy.transcripts import MAKERS, body, limit_in, limited
from requirement import requirement

WINDOW = 20_000


async def sent(db: Path, path: str, rounds: int, fields: dict[str, Any], trigger: int | None = None) -> Any:
    data = json.dumps(body(path, MAKERS[path](rounds), **fields), indent=2).encode()
    async with between(db, window=WINDOW, trigger=trigger) as proxy:
        reply = await proxy.send(path, data)
        assert reply.status == 200
        return data, proxy.last.body, int(reply.headers["x-vademecum-tokens"])


@requirement("C-5")
@pytest.mark.parametrize("path", [CHAT, MESSAGES])
@pytest.mark.parametrize("key", ["max_tokens", "max_completion_tokens"])
def test_a_limit_that_does_not_fit_is_lowered_and_nothing_else(db: Path, path: str, key: str) -> None:
    data, got, tokens = run(sent(db, path, 30, {key: 64_000, "after": [64_000, 1.10]}, trigger=9_000))
    limit = json.loads(got)[key]
    assert 256 <= limit < 64_000
    assert tokens + limit <= WINDOW
    assert got == data.replace(b"64000", str(limit).encode(), 1)


@requirement("C-5")
@pytest.mark.parametrize("path", ENDPOINTS)
def test_the_limit_of_each_format_is_lowered_where_it_stands(db: Path, path: str) -> None:
    data, got, tokens = run(sent(db, path, 30, limited(path, 64_000), trigger=9_000))
    limit = limit_in(path, got)
    assert 256 <= limit < 64_000
    assert tokens + limit <= WINDOW
    assert got == data.replace(b"64000", str(limit).encode(), 1)


@requirement("C-5")
@pytest.mark.parametrize("field", ["generation_config", "generationConfig"])
@pytest.mark.parametrize("key", ["max_output_tokens", "maxOutputTokens"])
def test_gemini_takes_its_keys_in_two_ways(db: Path, field: str, key: str) -> None:
    data, got, _ = run(sent(db, GEMINI, 3, {field: {key: 64_000}}))
    assert got == data.replace(b"64000", str(json.loads(got)[field][key]).encode(), 1) != data


@requirement("C-5")
@pytest.mark.parametrize("path", ENDPOINTS)
def test_a_limit_that_fits_stays(db: Path, path: str) -> None:
    data, got, _ = run(sent(db, path, 3, limited(path, 2_000)))
    assert got == data


@requirement("C-5")
@pytest.mark.parametrize("path", ENDPOINTS)
@pytest.mark.parametrize("unset", [None, 0, -1, -2, "64000", True, [64_000], 1e9], ids=str)
def test_a_limit_that_is_not_set_stays_unset(db: Path, path: str, unset: object) -> None:
    data, got, _ = run(sent(db, path, 3, limited(path, unset)))
    assert got == data
    data, got, _ = run(sent(db, path, 3, {}))
    assert got == data


@requirement("C-5")
@pytest.mark.parametrize("path", ENDPOINTS)
def test_with_a_compaction_both_change(db: Path, path: str) -> None:
    data, got, tokens = run(sent(db, path, 90, limited(path, 18_000)))
    limit = limit_in(path, got)
    assert len(got) < len(data)
    assert limit <= 18_000
    assert tokens + limit <= WINDOW


@requirement("C-5")
def test_more_than_the_model_may_think_is_left(db: Path) -> None:
    fields = {"max_tokens": 64_000, "thinking": {"type": "enabled", "budget_tokens": 30_000}}
    _, got, _ = run(sent(db, MESSAGES, 10, fields))
    assert json.loads(got)["max_tokens"] == 30_001
    config = {"maxOutputTokens": 64_000, "thinkingConfig": {"thinkingBudget": 30_000}}
    _, got, _ = run(sent(db, GEMINI, 10, {"generationConfig": config}))
    assert limit_in(GEMINI, got) == 30_001
