"""`vademecum compact --summarizer`: who summarises, with the key of the environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Cli
from provider import Said, provider, whole
from requirement import requirement
from vademecum.core.summary_check import SECTIONS

WINDOW = ("--window", "32K")
GOOD = "\n".join(f"## {section}\nThe build is kept running." for section in SECTIONS)


def answer(path: str, body: Any) -> Said:
    return Said(whole("openai-chat", GOOD))


@requirement("C-42")
def test_the_active_model_summarises_with_the_key_of_the_environment(
    cli: Cli, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VADEMECUM_SUMMARY_KEY", "sk-of-the-environment")
    with provider(answer) as told:
        done = cli(
            "compact", log, *WINDOW, "--model", f"{told.url}#m-1", "--summarizer", "active", "--json", "-o", "o.jsonl"
        )
    receipt = done.json
    assert {body["model"] for body in told.bodies} == {"m-1"}
    assert receipt["summary_model"] == "m-1"
    assert [(way["way"], way["ride"]) for way in receipt["summary_ways"]] == [("separate", None)]
    assert "sk-of-the-environment" not in done.text + done.err


@requirement("C-42")
def test_a_setting_says_it_for_all_runs(cli: Cli, log: Path, home: Path) -> None:
    own = home.parent / "config/vademecum/config.toml"
    own.parent.mkdir(parents=True)
    own.write_text('[summary]\nby = "http://127.0.0.1:9#m-2"\n')
    (warning,) = cli("compact", log, *WINDOW, "--json", "-o", "o.jsonl").json["warnings"]
    assert warning.endswith("no model answers at http://127.0.0.1:9")
    more = ("--summarizer", "off", "--session", "another")
    assert cli("compact", log, *WINDOW, *more, "--json", "-o", "o.jsonl").json["warnings"] == []


@requirement("C-42", "P-7")
@pytest.mark.parametrize(
    "lines",
    [
        '[summary]\nby = "http://203.0.113.9#m"',
        '[summary]\nby = "https://localhost.evil.example#m"',
        '[summary]\nby = "openai:gpt-5"',
        'model = "http://203.0.113.9#m"',
        '[summary]\nby = "active"',
    ],
)
def test_a_project_does_not_say_who_reads_what_is_summarised(
    cli: Cli, log: Path, home: Path, monkeypatch: pytest.MonkeyPatch, lines: str
) -> None:
    monkeypatch.setenv("VADEMECUM_SUMMARY_KEY", "sk-of-the-environment")
    if lines.startswith("model"):
        monkeypatch.setenv("VADEMECUM_SUMMARY_BY", "active")
    elif "active" in lines:
        monkeypatch.setenv("VADEMECUM_MODEL", "openai:gpt-5")
    (home / "vademecum.toml").write_text(lines + "\n")
    cli("compact", log, *WINDOW).refused(2, "a project does not say")


@requirement("C-42")
@pytest.mark.parametrize(
    "text",
    [
        '[summary]\nby = "http://example.org#m"',
        '[summary]\nby = "active"',
        'model = "{url}#m"',
        '[summary]\nby = "groq:m"',
    ],
)
def test_a_project_does_not_say_who_reads_a_session_or_gets_a_key(
    cli: Cli, log: Path, home: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("VADEMECUM_SUMMARY_KEY", "sk-of-the-environment")
    flags = ("--summarizer", "active") if "model" in text else ()
    with provider(answer) as told:
        (home / "vademecum.toml").write_text(text.format(url=told.url))
        done = cli("compact", log, *WINDOW, *flags)
    done.refused(2, "a project does not say")
    assert told.requests == []


@requirement("C-42")
@pytest.mark.parametrize(
    ("given", "said", "hint"),
    [
        ("active", "the active model is not known", "name it with --model"),
        ("often", "'often' is none that is known", "give 'off', 'local', 'active'"),
        ("nobody:m", "it is not known who serves", "name the model as URL#model"),
    ],
)
def test_what_it_cannot_be_is_refused(cli: Cli, log: Path, given: str, said: str, hint: str) -> None:
    cli("compact", log, *WINDOW, "--summarizer", given).refused(2, said, hint)


@requirement("C-42")
def test_the_proxy_has_no_active_model_of_its_own(cli: Cli) -> None:
    done = cli("proxy", "--upstream", "http://127.0.0.1:9", "--summarizer", "active")
    done.refused(2, "the proxy has no key of its own", "name the model")
