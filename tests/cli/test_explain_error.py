"""`vademecum models explain-error`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Cli
from cli.published import held_against
from requirement import requirement

TOO_LONG = "prompt is too long: 210266 tokens > 200000 maximum"


@requirement("M-5", "M-6")
def test_one_error_as_json(cli: Cli, feed: Callable[[bytes], None]) -> None:
    expected = {
        "schema": "vademecum.explain-error/1",
        "id": None,
        "kind": "context_overflow",
        "limit": 200_000,
        "observed_input": 210_266,
        "learned_window": 200_000,
        "action": "compact",
    }
    assert cli("models", "explain-error", TOO_LONG, "--status", "400", "--json").json == expected
    body = json.dumps({"type": "error", "error": {"type": "invalid_request_error", "message": TOO_LONG}})
    Path("error.json").write_text(body, "utf-8")
    assert cli("models", "explain-error", "error.json", "--json").json == expected
    feed(body.encode())
    assert cli("models", "explain-error", "-", "--json").json == expected


def test_one_error_for_a_person(cli: Cli) -> None:
    done = cli("models", "explain-error", "Rate limit reached, please try again in 1m30s", "--status", "429")
    assert done.code == 0
    assert "rate_limit" in done.text
    assert "wait, then send it again" in done.text
    assert "90 s" in done.text
    assert "a window of 200,000 tokens" in cli("models", "explain-error", TOO_LONG).text


def test_what_is_no_error_is_a_no(cli: Cli) -> None:
    whole = json.dumps({"choices": [{"finish_reason": "stop", "message": {"content": "Done."}}]})
    done = cli("models", "explain-error", whole, "--status", "200", "--json")
    assert (done.code, done.json["kind"], done.json["action"]) == (1, None, None)


@requirement("M-5", "M-7")
@pytest.mark.parametrize("how", ["file", "stdin", "alone"])
def test_a_batch_gives_a_line_for_each(cli: Cli, feed: Callable[[bytes], None], how: str) -> None:
    rows = [
        {
            "id": "a",
            "provider": "anthropic",
            "transport": "http",
            "status": 400,
            "body": {"error": {"message": TOO_LONG}},
        },
        {"id": "b", "provider": "nginx", "transport": "http", "status": 502, "body": "<html>502 Bad Gateway</html>"},
        {"id": 3, "provider": "x", "transport": "sse", "status": None, "body": {"error": {"message": "Overloaded"}}},
        {"id": "d", "provider": "x", "transport": "http", "status": 200, "body": None},
    ]
    data = "\n".join(json.dumps(row) for row in rows).encode() + b"\n\n"
    Path("errors.jsonl").write_bytes(data)
    given = {"file": ["--batch", "errors.jsonl"], "stdin": ["-", "--batch", "--json"], "alone": ["--batch"]}[how]
    feed(b"" if how == "file" else data)
    done = cli("models", "explain-error", *given)
    lines = [json.loads(line) for line in done.out.splitlines()]
    for line in lines:
        held_against(line)
    assert done.code == 0
    assert [(line["id"], line["kind"], line["action"]) for line in lines] == [
        ("a", "context_overflow", "compact"),
        ("b", "unavailable", "retry"),
        (3, "unavailable", "retry"),
        ("d", None, None),
    ]


def test_what_cannot_be_read_is_said(cli: Cli, feed: Callable[[bytes], None]) -> None:
    cli("models", "explain-error").refused(2, "no error is given")
    cli("models", "explain-error", "--batch", "missing.jsonl").refused(2, "there is no file missing.jsonl")
    feed(b"[1]\n")
    cli("models", "explain-error", "--batch").refused(2, "line 1 is no JSON object")


@requirement("M-5")
def test_wordings_of_ones_own(cli: Cli, home: Path) -> None:
    own, row = home / "errors.toml", "[[input]]\nname = 'our gateway'\nkind = 'context_overflow'\n"
    own.write_text(f"{row}says = ['the pot is full']\n", "utf-8")
    said = ("models", "explain-error", "The pot is full.", "--status", "400", "--json")
    assert cli(*said).json["kind"] == "bad_request"
    assert cli("config", "set", "errors", "errors.toml", "--project").code == 0
    done = cli(*said).json
    assert (done["kind"], done["action"]) == ("context_overflow", "compact")
    assert "our gateway (errors.toml, line 1)" in cli("models", "explain-error", "The pot is full.").text
    (home / "batch.jsonl").write_text('{"id": "a", "status": 400, "body": "the pot is full"}\n', "utf-8")
    assert b"context_overflow" in cli("models", "explain-error", "batch.jsonl", "--batch").out
    own.write_text("\n[[input]]\nkind = 'overflow'\n", "utf-8")
    cli("models", "explain-error", "x").refused(2, "errors.toml, line 2: ")
