"""`vademecum compact FILE` takes bodies of every format, and writes them back in their layout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from contract.wire.convert import FORMATS, session
from requirement import requirement
from vademecum.cli.app import run
from vademecum.sessions import read_chat
from vademecum.wire import dialect
from vademecum.wire.bodies import BODIES

SYSTEM: dict[str, Any] = {
    "openai-responses": {"instructions": "Be kind."},
    "anthropic": {"system": "Be kind."},
    "gemini": {"systemInstruction": {"parts": [{"text": "Be kind."}]}},
    "ollama": {"options": {"num_ctx": 8192}},
}


def body(format: str, turns: int) -> dict[str, Any]:
    tools = [{"name": "bash", "parameters": {"type": "object"}}]
    return {
        "model": "m",
        **SYSTEM.get(format, {}),
        BODIES[format].messages: session(format, turns=turns),
        "tools": tools,
        "x_number": 10**30,
    }


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    return tmp_path


@requirement("C-30", "I4", "I10")
@pytest.mark.parametrize("format", FORMATS)
def test_a_body_goes_in_and_a_smaller_one_comes_out(format: str, home: Path) -> None:
    given = body(format, 30)
    Path("body.json").write_text(json.dumps(given, indent=1))
    assert run(["compact", "body.json", "--window", "16K", "-o", "small.json"]) == 0
    small = json.loads(Path("small.json").read_text())
    key = BODIES[format].messages
    assert {name: value for name, value in small.items() if name != key} == {
        name: value for name, value in given.items() if name != key
    }
    assert list(small) == list(given)
    assert len(small[key]) < len(given[key])
    chosen = dialect(format)
    assert chosen.problems([chosen.load(row, index) for index, row in enumerate(small[key])]) == ()


@requirement("C-30", "I10")
@pytest.mark.parametrize("format", FORMATS)
def test_a_small_body_stays_what_it_is(format: str, home: Path) -> None:
    data = json.dumps(body(format, 1), indent=3).encode()
    Path("body.json").write_bytes(data)
    assert run(["compact", "body.json", "--window", "200K", "-o", "same.json"]) == 0
    assert Path("same.json").read_bytes() == data


@requirement("A-8")
@pytest.mark.parametrize("format", FORMATS)
def test_a_body_says_its_format_and_what_stands_beside(format: str) -> None:
    log = read_chat(json.dumps(body(format, 2)).encode())
    assert log.dialect.name == format
    assert log.tools == body(format, 1)["tools"]
    assert ("kind" in str(log.system)) is (format in ("openai-responses", "anthropic", "gemini"))


@requirement("A-8")
@pytest.mark.parametrize("format", FORMATS)
def test_a_list_says_its_format(format: str) -> None:
    assert read_chat(json.dumps(session(format, turns=2)).encode()).dialect.name == format


def test_a_lone_string_is_a_transcript(home: Path) -> None:
    data = b'{"model": "m", "input": "hello"}'
    Path("body.json").write_bytes(data)
    assert run(["compact", "body.json", "--window", "200K", "-o", "same.json"]) == 0
    assert Path("same.json").read_bytes() == data


def test_an_item_with_a_text_as_its_input_is_no_body(home: Path) -> None:
    call = {"type": "custom_tool_call", "call_id": "c", "name": "f", "input": "x"}
    log = read_chat(json.dumps(call).encode())
    assert (log.layout, log.dialect.name, len(log.messages)) == ("jsonl", "openai-responses", 1)
    assert json.loads(log.messages[0].raw) == call
