"""The page on fallbacks, run from its first line to its last against a server on this machine."""

import re
from pathlib import Path
from typing import Any

import pytest

from provider import Said, provider, streamed, whole

PAGE = Path(__file__).resolve().parents[2] / "docs/how-to/use-models-with-a-fallback.md"


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def answer(path: str, body: Any) -> Said:
        if body["model"] == "gpt-5":
            return Said({"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}, 401)
        return (
            streamed("ollama", "word by word") if path == "/api/chat" else Said(whole("openai-chat", "a slow disk"))
        )

    monkeypatch.chdir(tmp_path)
    text = "\n".join(re.findall(r"^```py\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S))
    with provider(answer) as told:
        text = text.replace('key=os.environ["OPENAI_API_KEY"]', f'url="{told.url}/v1"')
        text = text.replace("http://127.0.0.1:8080", told.url).replace('"ollama")', f'"ollama", url="{told.url}")')
        names: dict[str, Any] = {}
        exec(text, names)
        names["cloud"].close()
        names["local"].close()
        names["chain"].session.archive.close()
    said = capsys.readouterr().out
    assert f"qwen3 at {told.url}/v1 a slow disk" in said
    assert "word by word" in said
    assert told.bodies[0]["reasoning_effort"] == "low"
    assert told.bodies[-1]["options"]["num_ctx"] == 16_384
