"""A server that repeats the key in its answer: it stands in no error, no traceback and no repr."""

from __future__ import annotations

import traceback
from typing import Any

import pytest

from provider import Said, provider
from requirement import requirement
from vademecum import Client
from vademecum.errors import ModelError
from vademecum.models.clients.retrying import Retries

KEY = "sk-of-mine-0123456789abcdef"
SAID = [{"role": "user", "content": "hello"}]
BODIES: dict[str, dict[str, Any]] = {
    "openai-chat": {"model": "m", "messages": SAID},
    "openai-responses": {"model": "m", "input": SAID},
    "anthropic": {"model": "m", "messages": SAID, "max_tokens": 9},
    "gemini": {"model": "m", "contents": [{"role": "user", "parts": [{"text": "hello"}]}]},
    "ollama": {"model": "m", "messages": SAID, "options": {"num_ctx": 8_192}},
}


def echoing(_: str, __: Any) -> Said:
    return Said({"error": {"message": f"Incorrect API key provided: {KEY}", "code": "invalid_api_key"}}, 401)


def events(_: str, __: Any) -> Said:
    return Said(events=[{"error": {"message": f"Incorrect API key provided: {KEY}", "code": "invalid_api_key"}}])


@requirement("P-7")
@pytest.mark.parametrize("format", BODIES)
@pytest.mark.parametrize("stream", [False, True])
def test_an_error_that_repeats_the_key_is_shown_without_it(format: str, stream: bool) -> None:
    with (
        provider(echoing) as told,
        Client(format, url=told.url, key=KEY, timeout=5, retries=Retries(tries=1)) as client,
    ):
        with pytest.raises(ModelError) as caught:
            list(client.stream(BODIES[format])) if stream else client.send(BODIES[format])
        shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
        assert "Incorrect API key provided" in shown
        assert KEY not in shown
        assert KEY not in repr(client) + str(vars(caught.value))


@requirement("P-7", "M-7")
def test_an_error_within_a_stream_too() -> None:
    with (
        provider(events) as told,
        Client("openai-chat", url=f"{told.url}/v1", key=KEY, timeout=5, retries=Retries(tries=1)) as client,
        pytest.raises(ModelError) as caught,
    ):
        list(client.stream({"model": "m", "messages": []}))
    assert KEY not in "".join(traceback.format_exception(caught.value))
