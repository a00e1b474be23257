"""`vademecum models`, and `--model` where a window is needed."""

from pathlib import Path

import pytest

from cli.conftest import Cli
from requirement import requirement


@requirement("M-2", "M-4")
def test_the_window_of_a_model(cli: Cli, log: Path) -> None:
    model = ("--model", "anthropic:claude-3-5-haiku-20241022")
    for found in (cli("budget", *model, "--json").json, cli("context", log, *model, "--json").json):
        assert found["window"] == {"tokens": 200_000, "origin": "catalog"}
    done = cli("compact", log, *model, "--trigger", "10K", "-o", "out.jsonl", "--json")
    assert done.json["window"] == {"tokens": 200_000, "origin": "catalog"}
    assert done.err == ""


@requirement("M-2")
def test_what_the_user_says_goes_before_the_catalog(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VADEMECUM_MODEL", "openai:gpt-4.1")
    assert cli("budget", "--json").json["window"] == {"tokens": 1_047_576, "origin": "catalog"}
    assert cli("budget", "--window", "50K", "--json").json["window"] == {"tokens": 50_000, "origin": "user"}


@requirement("M-2")
def test_a_model_that_is_not_known(cli: Cli) -> None:
    done = cli("budget", "--model", "ollama:qwen3:8b", "--json")
    assert done.json["window"] == {"tokens": 32_000, "origin": "default"}
    assert "the window of ollama:qwen3:8b is not known" in done.err
    assert "32,000 tokens are taken" in done.err
    assert "did you mean" in cli("budget", "--model", "anthropic:claude-sonet-4-5").err
    assert cli("budget", "--model", "none", "-q").err == ""


@requirement("M-4")
def test_a_file_of_ones_own(cli: Cli, home: Path) -> None:
    (home / "models.toml").write_text('["qwen3:8b"]\nwindow = 40_960\n', "utf-8")
    assert cli("config", "set", "catalog", "models.toml", "--project").code == 0
    assert cli("budget", "--model", "ollama:qwen3:8b", "--json").json["window"] == {
        "tokens": 40_960,
        "origin": "catalog",
    }
    assert cli("models", "show", "qwen3:8b", "--json").json["model"]["source"] == str(home / "models.toml")
    (home / "models.toml").write_text("[m]\nwindw = 1\n", "utf-8")
    cli("budget", "--model", "m").refused(2, "m has no key 'windw'", "did you mean window?")


def test_list(cli: Cli) -> None:
    found = cli("models", "list", "haiku", "--provider", "anthropic", "--json").json
    assert {model["provider"] for model in found["models"]} == {"anthropic"}
    assert found["models"][0]["window"] == 200_000
    done = cli("models", "list")
    assert len(done.text.splitlines()) == 41
    assert done.text.splitlines()[1].startswith("anthropic:")
    assert "more; say what they are called" in done.err
    assert (cli("models", "list", "none-such").code, cli("models", "list", "none-such", "--json").code) == (1, 1)


def test_a_model_by_flag_goes_before_a_window_in_a_file(cli: Cli) -> None:
    cli("config", "set", "window", "64K", "--user")
    assert cli("budget", "--model", "gpt-4.1", "--json").json["window"] == {"tokens": 1_047_576, "origin": "catalog"}
    unknown = cli("budget", "--model", "none-such-at-all", "--json")
    assert unknown.json["window"] == {"tokens": 64_000, "origin": "user"}
    assert "the window of none-such-at-all is not known" in unknown.err
    both = cli("budget", "--model", "gpt-4.1", "--window", "32K", "--json")
    assert both.json["window"] == {"tokens": 32_000, "origin": "user"}


def test_show(cli: Cli) -> None:
    rows = dict(line.split(maxsplit=1) for line in cli("models", "show", "gpt-4.1").text.splitlines())
    assert (rows["model"], rows["window"], rows["output"]) == ("openai:gpt-4.1", "1,047,576", "32,768")
    unknown = cli("models", "show", "claude-sonet-4-5", "--json")
    assert (unknown.code, unknown.json["model"]) == (1, None)
    assert "claude-sonnet-4-5" in unknown.json["near"]
    assert (cli("models", "show", "none-such-at-all").code, cli("models", "show", "none-such-at-all").out) == (1, b"")
