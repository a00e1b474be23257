"""The model that runs the agent as its own summariser, by its name alone; what rides goes out as it was sent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from provider import Said, provider, whole
from requirement import requirement
from vademecum import Archive, Client, Compactor
from vademecum.core.summary_check import SECTIONS
from vademecum.errors import ConfigError
from vademecum.models.clients import body_of
from vademecum.models.clients.served_model import ServedModel
from vademecum.models.served import key_variables, served_by
from vademecum.models.tokenizer import count_tokens
from vademecum.testing import sample

GOOD = "\n".join(f"## {section}\nService svc-{at % 3} is up." for at, section in enumerate(SECTIONS))
ROWS: list[Any] = [*sample(turns=60)]
TOOLS = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]
BUDGET: dict[str, Any] = {"window": 64_000, "trigger": 8_000, "target": 5_000}


@requirement("C-42", "C-15", "M-10")
def test_the_active_model_is_asked_and_rides_byte_for_byte() -> None:
    def answer(path: str, body: Any) -> Said:
        size = sum(count_tokens([json.dumps(message) for message in body["messages"]]))
        said = whole("openai-chat", GOOD, size)
        said["usage"]["prompt_tokens_details"] = {"cached_tokens": int(0.98 * size)}
        return Said({**said, "model": body["model"]})

    with provider(answer) as told:
        compactor = Compactor(model=f"{told.url}#m-1", summarizer="active", **BUDGET)
        with Client("openai-chat", url=f"{told.url}/v1") as client:
            for length in range(20, len(ROWS), 6):
                fitted = compactor.fit(ROWS[:length], system="Be brief.", tools=TOOLS)
                if fitted.receipt.cycle:
                    break
                body = body_of("openai-chat", "m-1", fitted.messages, system="Be brief.", tools=TOOLS)
                compactor.observe(client.send(body).raw)
        *_, before, ride = told.bodies
    assert fitted.receipt.summary_ways[0].way == "ride", fitted.receipt
    assert fitted.receipt.summary_model == "m-1", fitted.receipt.tiers
    assert (ride["model"], json.dumps(ride["tools"])) == ("m-1", json.dumps(before["tools"]))
    same = len(before["messages"])
    assert same < len(ride["messages"])
    assert json.dumps(ride["messages"][:same]) == json.dumps(before["messages"])
    assert "Stop here" in ride["messages"][-1]["content"]


@requirement("C-42")
def test_the_key_is_sent_and_neither_shown_nor_kept() -> None:
    with provider(lambda path, body: Said({"error": {"message": "no such key sk-secret-123"}}, 401)) as told:
        archive = Archive.memory()
        session = archive.session("a", format="openai-chat")
        compactor = Compactor(
            model=f"{told.url}#m-1", summarizer="active", key="sk-secret-123", session=session, **BUDGET
        )
        done = compactor.fit(ROWS)
    assert done.receipt.outcome == "compacted"
    assert done.receipt.tiers[0].outcome.startswith("unavailable: AuthFailed")
    assert "sk-secret-123" not in json.dumps(done.receipt.as_dict())


@requirement("C-42")
@pytest.mark.parametrize(
    ("name", "format", "url"),
    [
        ("anthropic:claude-sonnet-4-5", "anthropic", ""),
        ("openai:gpt-5", "openai-chat", ""),
        ("gpt-5", "openai-chat", ""),
        ("gemini:gemini-2.5-pro", "gemini", ""),
        ("groq:llama-3.3-70b-versatile", "openai-chat", "https://api.groq.com/openai/v1"),
        ("deepseek:deepseek-chat", "openai-chat", "https://api.deepseek.com"),
        ("ollama:qwen3:8b", "ollama", "http://127.0.0.1:11434"),
        ("http://127.0.0.1:11434#qwen3:8b", "ollama", "http://127.0.0.1:11434"),
        ("https://api.anthropic.com#claude-x", "anthropic", "https://api.anthropic.com"),
        ("http://127.0.0.1:8080/v1#m", "openai-chat", "http://127.0.0.1:8080/v1"),
    ],
)
def test_who_serves_a_model(name: str, format: str, url: str) -> None:
    served = served_by(name)
    assert (served.format, served.url) == (format, url)
    assert served.model in name


@requirement("C-42")
def test_its_key_has_the_name_that_its_provider_gives_it() -> None:
    assert key_variables("anthropic:claude-sonnet-4-5") == ("ANTHROPIC_API_KEY",)
    assert "GEMINI_API_KEY" in key_variables("google:gemini-2.5-pro")
    assert key_variables("http://127.0.0.1:8080#m") == ()


@requirement("C-42")
@pytest.mark.parametrize(
    ("given", "model", "said"),
    [
        ("active", None, "needs the model's name"),
        ("active", "m-nobody-serves", "it is not known who serves"),
        ("nobody:m", None, "it is not known who serves"),
        ("sometimes", None, "is none that is known"),
        (7, None, "is no function"),
        ("active", "http://127.0.0.1:8080", "names no model"),
        ("active", "https://me:sk-1@host#m", "a URL with a key"),
    ],
)
def test_what_it_cannot_be_is_said_at_once(given: Any, model: str | None, said: str) -> None:
    with pytest.raises(ConfigError, match=said) as refused:
        Compactor(window=64_000, model=model, summarizer=given)
    assert refused.value.hint


@requirement("C-42")
def test_every_kind_is_taken() -> None:
    for given in ("off", "local", "active", "anthropic:claude-haiku-4-5", "http://127.0.0.1:9#m", lambda ask: "x"):
        assert Compactor(model="openai:gpt-5", summarizer=given).session is None
    assert ServedModel("anthropic:claude-haiku-4-5").window == 200_000
    with pytest.raises(ConfigError, match="window of model"):
        ServedModel("http://127.0.0.1:9#unheard")
