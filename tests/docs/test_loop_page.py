"""The last block of the tutorial on a loop of one's own: the real SDK in the stand-in's place."""

import re
from pathlib import Path
from typing import Any

import pytest

from docs.blocks import blocks_of
from provider import Said, provider, whole
from vademecum import Compactor

PAGE = Path(__file__).resolve().parents[2] / "docs/tutorials/an-agent-loop-of-your-own.md"


def test_the_sdk_takes_the_place_of_the_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    (block,) = [text for kind, text in blocks_of(PAGE) if kind == "py"]
    (agent,) = [text for _, text in blocks_of(PAGE) if "def tool" in text]
    tools = re.search(r"^def tool.*?^TOOLS.*?$", agent, re.M | re.S)
    assert tools is not None
    names: dict[str, Any] = {}
    with provider(lambda path, body: Said(whole("openai-chat", "looking", 321, call=True))) as told:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{told.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        exec(block + tools[0], names)
        compactor = Compactor(model="openai:gpt-5-mini", max_output=1_000)
        messages: list[Any] = [{"role": "user", "content": "Read the logs."}]
        context = compactor.fit(messages, tools=names["TOOLS"])
        answer = names["ask"](context.messages, names["TOOLS"], **context.limits)
        names["client"].close()
    usage = compactor.observe(answer)
    assert usage is not None
    assert usage.prompt_tokens == 321
    said = answer["choices"][0]["message"]
    assert said["tool_calls"][0]["function"]["name"] == "look"
    compactor.fit([*messages, said, {"role": "tool", "tool_call_id": "c1", "content": "seen"}])
    assert [body["max_completion_tokens"] for body in told.bodies] == [1_000]
