"""Which format a list of messages has."""

import pytest
from hypothesis import HealthCheck, given, settings

from vademecum.errors import ConfigError
from vademecum.testing import sample, transcripts
from vademecum.wire import dialect
from vademecum.wire.detect import detect

USER = {"role": "user", "content": "hello"}


@pytest.mark.parametrize("format", ["openai-chat", "anthropic"])
def test_a_session_tells_its_format(format: str) -> None:
    assert detect(sample(format, turns=1)) == format


@pytest.mark.parametrize(
    ("messages", "outside", "format"),
    [
        ([], None, "openai-chat"),
        ([USER], None, "openai-chat"),
        ([USER], {"system": "be brief"}, "anthropic"),
        ([USER], {"anthropic_version": "x"}, "anthropic"),
        ([USER], {"tools": [{"name": "f", "input_schema": {}}]}, "anthropic"),
        ([USER], {"tools": [{"type": "function", "function": {}}]}, "openai-chat"),
        ([USER], {"tools": "odd"}, "openai-chat"),
        (["odd", None, USER], None, "openai-chat"),
        ([{"role": "developer", "content": "x"}], None, "openai-chat"),
        ([{"role": "tool", "tool_call_id": "a", "content": "x"}], None, "openai-chat"),
        ([{"role": "user", "content": [{"type": "image", "source": {}}]}], None, "anthropic"),
        ([{"role": "user", "content": [{"type": "image_url", "image_url": {}}]}], None, "openai-chat"),
        ([{"role": "assistant", "content": [{"type": "thinking", "thinking": "x"}]}], None, "anthropic"),
        ([{"role": "user", "content": ["odd", 7, None]}], None, "openai-chat"),
    ],
)
def test_what_tells(messages: list, outside: dict | None, format: str) -> None:
    assert detect(messages, outside) == format


@settings(max_examples=8, suppress_health_check=list(HealthCheck))
@given(transcripts("openai-chat"))
def test_no_openai_transcript_is_taken_for_anothers(rows: list) -> None:
    assert detect(rows) == "openai-chat"


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigError) as caught:
        dialect("smoke-signals")
    assert "openai-chat" in caught.value.hint
