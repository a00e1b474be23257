"""What is published for the tests of others."""

import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings

from vademecum.errors import ConfigError
from vademecum.testing import ScriptedModel, sample, transcripts
from vademecum.testing.texts import KINDS, text
from vademecum.wire import dialect

FORMATS = ("openai-chat", "anthropic")


def test_importing_it_does_not_load_hypothesis() -> None:
    code = "import vademecum.testing, sys; sys.exit('hypothesis' in sys.modules)"
    assert subprocess.run([sys.executable, "-I", "-c", code], check=False).returncode == 0


def test_without_hypothesis_one_line_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    monkeypatch.delitem(sys.modules, "vademecum.testing.strategies", raising=False)
    with pytest.raises(ConfigError) as caught:
        transcripts("openai-chat")
    assert "hypothesis" in str(caught.value)
    assert "vademecum[testing]" in caught.value.hint


def test_an_unknown_format_is_refused_at_once() -> None:
    with pytest.raises(ConfigError):
        transcripts("smoke-signals")
    with pytest.raises(ConfigError):
        sample("smoke-signals")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("sound", [True, False])
def test_every_row_is_a_message_of_the_format(format: str, sound: bool) -> None:
    @settings(max_examples=15, suppress_health_check=list(HealthCheck))
    @given(transcripts(format, sound=sound))
    def holds(rows: list) -> None:
        loaded = [dialect(format).load(row, at) for at, row in enumerate(rows)]
        assert loaded
        if sound:
            assert dialect(format).problems(loaded) == ()

    holds()


@pytest.mark.parametrize("format", FORMATS)
def test_a_sample_is_the_same_each_time_and_goes_on(format: str) -> None:
    whole = sample(format, turns=8)
    assert whole == sample(format, turns=8)
    assert whole == [*sample(format, turns=5), *sample(format, turns=3, start=5)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [0, 1, 7, 500, 20_000])
def test_texts_have_the_length_that_was_asked_for(kind: str, size: int) -> None:
    assert len(text(kind, size, 4)) == size
    assert text(kind, size, 4) == text(kind, size, 4)
    if size >= 7:
        assert text(kind, size, 4) != text(kind, size, 5)


def test_the_scripted_model_is_published() -> None:
    assert ScriptedModel(["yes"]).name == "scripted"
