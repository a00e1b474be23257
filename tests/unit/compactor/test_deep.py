"""Values that are nested too deeply for JSON: an error of ours, or the request goes out as it is."""

from typing import Any

import pytest

from requirement import requirement
from vademecum import Compactor
from vademecum.errors import WireError


def deep() -> Any:
    value: Any = "x"
    for _ in range(10_000):
        value = [value]
    return value


@requirement("C-29")
@pytest.mark.parametrize("format", ["openai-chat", "anthropic", "openai-responses", "gemini", "ollama"])
@pytest.mark.parametrize("begun", [False, True])
def test_a_deep_value_never_escapes_as_a_recursion_error(format: str, begun: bool) -> None:
    rows: dict[str, Any] = {
        "openai-chat": {"role": "user", "content": "a", "x": deep()},
        "ollama": {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"function": {"name": "b", "arguments": {"d": deep()}}}],
        },
        "anthropic": {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "a", "name": "b", "input": {"d": deep()}}],
        },
        "openai-responses": {"type": "x_new", "d": deep()},
        "gemini": {"role": "model", "parts": [{"functionCall": {"name": "b", "args": {"d": deep()}}}]},
    }
    first: dict[str, Any] = {"role": "user", "content": "go", "parts": [{"text": "go"}]}
    if format != "gemini":
        del first["parts"]
    else:
        del first["content"]
    compactor = Compactor(window=8_000)
    if begun:
        compactor.fit([first], format=format)
    messages = [first, rows[format]]
    try:
        said = compactor.fit(messages, format=format, forced=True).receipt.failure
    except WireError as error:
        said = str(error)
    assert "nested too deeply" in said
