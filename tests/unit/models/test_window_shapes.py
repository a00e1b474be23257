"""What servers say of windows: every known reply is read, and nothing is taken for a window that is none."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from fault import fault
from requirement import requirement
from vademecum.models.probe import own_network, requests_for
from vademecum.models.window_shapes import best, count, same_model, shapes, told

CASES = Path(__file__).resolve().parents[3] / "../shared/cases/window_shapes.json"


def reading(request: str, reply: object, model: str = "m"):
    rows = [row for row in shapes() if row.request == request]
    assert rows, request
    return told(rows, reply, model)


def _request(case: dict[str, Any]) -> str:
    """The request of a case as the table writes it."""
    if case["server"] == "any":
        return "GET /v1/models"
    method, _, path = case["request"].split(" (")[0].partition(" ")
    path = path.split(" ")[0].replace("{id}", "{model}")
    for prefix in ("https://api.githubcopilot.com", "/backend-api/codex"):
        path = path.removeprefix(prefix)
    return f"{method} {path.replace('/api/v1/models', '/v1/models') if case['server'] == 'openrouter' else path}"


def _models(case: dict[str, Any]) -> dict[str, int | None]:
    """Model → the window that a context must fit: where input has a limit of its own, the smaller one."""
    expected = case["expected_window"]
    if isinstance(expected, dict) and "window" not in expected:
        return expected
    window = min(expected.values()) if isinstance(expected, dict) else expected
    asked = re.search(r'"model":"([^"]+)"', case["request"])
    reply = case["response"]
    entries = reply if isinstance(reply, list) else reply.get("data") or reply.get("models") or [reply]
    keys = ("id", "key", "name", "model", "slug", "model_name", "model_id")
    name = next((str(entries[0][key]) for key in keys if entries[0].get(key)), "m")
    return {asked[1] if asked else name: window}


@requirement("M-3")
def test_every_case_of_the_shared_file() -> None:
    if not CASES.is_file():
        pytest.skip("data: there is no ../shared/cases/window_shapes.json")
    for case in json.loads(CASES.read_text("utf-8")):
        request = _request(case)
        rows = [row for row in shapes() if row.request == request]
        for model, expected in _models(case).items():
            found = told(rows, case["response"], model)
            assert (None if found is None else found.window) == expected, (case["server"], model)


@fault(7, 8)
@requirement("M-3")
@pytest.mark.parametrize(
    ("request_", "reply", "window", "standing"),
    [
        ("GET /api/ps", {"models": [{"model": "m:latest", "context_length": 4_096}]}, 4_096, "runtime"),
        ("POST /api/show", {"parameters": "stop <x>\nnum_ctx    65536", "model_info": {
            "general.architecture": "q", "q.context_length": 262_144}}, 65_536, "runtime"),
        ("POST /api/show", {"model_info": {"v.context_length": 7_000, "general.architecture": "q",
                                           "q.context_length": 262_144}}, 262_144, "bound"),
        ("POST /api/show", {"parameters": "num_ctx 0", "model_info": {
            "general.architecture": "q", "q.context_length": 8_192}}, 8_192, "bound"),
        ("GET /api/v0/models", {"data": [{"id": "m", "state": "loaded", "max_context_length": 131_072,
                                          "loaded_context_length": 8_192}]}, 8_192, "runtime"),
        ("GET /api/v0/models", {"data": [{"id": "m", "state": "not-loaded", "max_context_length": 131_072,
                                          "loaded_context_length": 8_192}]}, 131_072, "bound"),
        ("GET /api/v1/models", {"models": [{"key": "maker/m", "max_context_length": 131_072, "loaded_instances": [
            {"id": "m", "config": {"context_length": 4_096}}]}]}, 4_096, "runtime"),
        ("GET /api/v1/models", {"models": [{"key": "maker/m", "max_context_length": 131_072,
                                            "loaded_instances": []}]}, 131_072, "bound"),
        ("GET /v1/models", {"data": [{"id": "m", "max_model_len": 32_768}]}, 32_768, "runtime"),
        ("GET /v1/models", {"data": [{"id": "m", "meta": {"n_ctx_train": 262_144}}]}, 262_144, "bound"),
        ("GET /props", {"default_generation_settings": {"n_ctx": 1_024}}, 1_024, "runtime"),
        ("GET /props", {"default_generation_settings": {"n_ctx": 512}}, 512, "runtime"),
        ("GET /info", {"max_total_tokens": 4_096, "max_input_length": 4_000}, 4_000, "runtime"),
        ("GET /v1/model/info", {"data": [
            {"model_name": "m", "model_info": {"max_input_tokens": 200_000, "max_tokens": 64_000}},
            {"model_name": "m", "model_info": {"max_input_tokens": 128_000}},
            {"model_name": "m", "model_info": None}]}, 128_000, "announced"),
        ("GET /v1/models", {"data": [{"id": "m", "context_length": 1_000_000,
                                      "top_provider": {"context_length": 200_000}}]}, 200_000, "announced"),
        ("GET /v1/models", {"data": [{"id": "m", "context_window": 131_072}]}, 131_072, "announced"),
        ("GET /v1/models", [{"id": "m", "context_length": 262_144}], 262_144, "announced"),
    ],
)  # fmt: skip
def test_the_window_of_a_reply(request_: str, reply: object, window: int, standing: str) -> None:
    found = reading(request_, reply)
    assert found is not None
    assert (found.window, found.standing) == (window, standing)
    assert request_ in found.source


@requirement("M-3")
def test_output_limits_are_no_windows() -> None:
    claude = reading("GET /v1/models/{model}", {"id": "m", "max_input_tokens": 1_000_000, "max_tokens": 128_000})
    assert claude is not None
    assert (claude.window, claude.max_output) == (1_000_000, 128_000)
    gemini = {"name": "models/m", "inputTokenLimit": 1_048_576, "outputTokenLimit": 65_536}
    found = reading("GET /v1beta/models/{model}", gemini)
    assert found is not None
    assert (found.window, found.max_output) == (1_048_576, 65_536)
    assert reading("GET /v1/models/{model}", {"id": "m", "max_tokens": 128_000}) is None


@requirement("M-3")
@pytest.mark.parametrize(
    "reply",
    [
        None, [], {}, "text", {"data": None}, {"data": [None, 3]}, {"error": "Unexpected endpoint or method."},
        {"data": [{"id": "other", "context_length": 8_192}]}, {"data": [{"id": "m", "max_tokens": 8_192}]},
        {"data": [{"id": "m", "context_length": True, "max_model_len": 0}]},
        {"data": [{"id": "m", "context_length": -4_096}]}, {"data": [{"id": "m", "context_length": 1_023}]},
        {"data": [{"id": "m", "context_length": 10_000_001}]}, {"data": [{"id": "m", "context_length": "much"}]},
    ],
)  # fmt: skip
def test_what_is_no_answer(reply: object) -> None:
    assert reading("GET /v1/models", reply) is None


@requirement("M-3")
def test_a_figure_of_old_lists_is_not_believed_for_families_that_have_outgrown_it() -> None:
    def listed(model: str) -> object:
        return {"data": [{"id": model, "context_length": 32_768}]}

    assert reading("GET /v1/models", listed("moonshotai/kimi-k2"), "moonshotai/kimi-k2") is None
    assert reading("GET /v1/models", listed("m")) is not None


def test_figures_as_they_are_written() -> None:
    assert [count(value) for value in ("131,072", 131_072, 8_192.0)] == [131_072, 131_072, 8_192]
    assert [count(value) for value in (True, None, "", "8k", 0.5, "9" * 30)] == [None] * 6


def test_names_of_one_model() -> None:
    assert same_model("qwen/qwen3-8b", "qwen3-8b")
    assert same_model("gemma3:latest", "gemma3")
    assert not same_model("qwen3-8b", "qwen3-8b-instruct")
    assert not same_model("a/qwen3", "b/qwen3")
    assert not same_model("", "m")


def test_what_is_set_aside_goes_before_what_is_published() -> None:
    bound = reading("GET /v1/models", {"data": [{"id": "m", "meta": {"n_ctx_train": 262_144}}]})
    real = reading("GET /props", {"default_generation_settings": {"n_ctx": 123_904}})
    assert bound is not None
    assert real is not None
    assert best([bound, real]) == real


def test_what_is_asked_where() -> None:
    def asked(endpoint: str) -> set[str]:
        return {rows[0].request for rows in requests_for(endpoint)}

    assert asked("https://api.openai.com") == set()
    assert asked("https://api.anthropic.com") == {"GET /v1/models/{model}"}
    assert asked("https://models.example.org") == {"GET /v1/models"}
    assert {"GET /props", "GET /api/ps", "POST /api/show", "GET /v1/models"} < asked("http://127.0.0.1:8080")
    assert [own_network(host) for host in ("127.0.0.1", "localhost", "10.1.2.3", "gpu", "::1", "box.local")] == [
        True
    ] * 6
    assert [own_network(host) for host in ("8.8.8.8", "api.example.org")] == [False] * 2
