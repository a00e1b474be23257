"""`vademecum sessions continue`, and links that imported logs bring."""

import json
from pathlib import Path

import pytest

from cli.conftest import Cli
from cli.test_json_shapes import agrees
from cli.transcripts import blocks, body, chat, jsonl
from requirement import requirement
from vademecum.wire import dialect


@pytest.fixture
def nightly(cli: Cli, home: Path) -> None:
    """A session with a rule, and a request that nobody has answered."""
    rows = [
        *chat(20),
        {"role": "user", "content": "You must never restart db-beta. Say so when you have read it."},
        {
            "role": "assistant",
            "content": "Understood: I will never restart db-beta.\n\nThe migration is done; 14 tests pass.",
        },
        {"role": "user", "content": "Now find out why port 5433 refuses connections."},
    ]
    cli("import", jsonl(home / "rows.jsonl", rows), "--session", "nightly")


@requirement("C-38")
def test_the_first_context(cli: Cli, nightly: None) -> None:
    done = cli("sessions", "continue", "nightly")
    assert done.err == "session nightly-2 continues nightly\n"
    rows = [json.loads(line) for line in done.text.splitlines()]
    assert [row["role"] for row in rows] == ["system", "user"]
    material, asked = [part["text"] for part in rows[1]["content"]]
    assert asked == "Now find out why port 5433 refuses connections."
    assert "never restart db-beta" in material
    assert "14 tests pass" in material
    assert "vademecum search" in material
    assert "--session nightly-2" in material
    assert (
        dialect("openai-chat").problems([dialect("openai-chat").load(row, at) for at, row in enumerate(rows)]) == ()
    )
    sessions = {info["id"]: info for info in cli("sessions", "--json").json["sessions"]}
    assert (sessions["nightly-2"]["parent"], sessions["nightly-2"]["messages"]) == ("nightly", 0)
    assert "continues nightly" in cli("sessions").text


@requirement("C-38", "A-6")
def test_it_goes_on_from_there(cli: Cli, home: Path, nightly: None) -> None:
    cli("sessions", "continue", "nightly", "--as", "second", "-o", "first.jsonl")
    with Path("first.jsonl").open("a") as file:
        file.write(json.dumps({"role": "assistant", "content": "It listens on loopback only."}) + "\n")
    assert cli("compact", "first.jsonl", "--session", "second", "--window", "32K", "-o", "out.jsonl").code == 0
    hits = cli("search", "db-beta", "--session", "second", "--json").json["hits"]
    assert {hit["session"] for hit in hits} == {"nightly"}, "what was carried over is found where it was said"
    assert {
        hit["session"] for hit in cli("search", "loopback only", "--session", "second", "--json").json["hits"]
    } == {"second"}
    assert cli("restore", hits[0]["id"], "--session", "second").code == 0


@requirement("C-38")
def test_json_sizes_and_names(cli: Cli, home: Path, nightly: None) -> None:
    agrees("continued", cli("sessions", "continue", "nightly", "-o", "a.jsonl", "--json").json)
    assert cli("sessions", "continue", "nightly", "-o", "b.jsonl", "--json").json["session"] == "nightly-3"
    cli("sessions", "continue", "nightly", "--json").refused(2, "would both go to stdout")
    cli("sessions", "continue", "nightly", "--as", "nightly-2").refused(2, "there is a session 'nightly-2' already")
    assert cli("sessions", "continue", "none").code == 1
    small = cli("sessions", "continue", "nightly", "--tokens", "600").out
    assert len(small) < len(Path("a.jsonl").read_bytes())


@requirement("C-38")
def test_a_request_body_stays_one(cli: Cli, home: Path) -> None:
    given = body(home / "body.json", blocks(20), system="You keep a build running.")
    cli("import", given, "--session", "build")
    made = json.loads(cli("sessions", "continue", "build").out)
    assert made["system"] == "You keep a build running."
    assert [message["role"] for message in made["messages"]] == ["user"]


@requirement("A-8", "A-6")
def test_a_rotated_session_of_hermes_is_linked(cli: Cli, home: Path) -> None:
    def exported(id: str, text: str, **more: object) -> str:
        return json.dumps(
            {"session_id": id, "id": id, "platform": "cli", "messages": [{"role": "user", "content": text}], **more}
        )

    lines = [exported("b", "the second on port 5432", parent_session_id="a"), exported("a", "the first on port 5431")]
    (home / "hermes.jsonl").write_text("\n".join(lines) + "\n")
    assert cli("import", "hermes", "hermes.jsonl").code == 0
    assert {info["id"]: info["parent"] for info in cli("sessions", "--json").json["sessions"]} == {
        "a": None,
        "b": "a",
    }
    assert len(cli("search", "port", "--session", "b", "--json").json["hits"]) == 2
    assert len(cli("search", "port", "--session", "a", "--json").json["hits"]) == 1


@requirement("A-8", "A-6")
def test_a_resumed_log_of_claude_code_is_linked_to_the_session_that_it_names(cli: Cli, home: Path) -> None:
    def row(id: str, parent: str | None, role: str, text: str, session: str) -> str:
        message = {"role": role, "content": text, **({"id": f"m-{id}"} if role == "assistant" else {})}
        fields = {"uuid": id, "parentUuid": parent, "sessionId": session, "timestamp": "2026-01-02T03:04:05Z"}
        return json.dumps({"type": role, **fields, "message": message})

    old = [row("u1", None, "user", "the first on port 5431", "c-1"), row("a1", "u1", "assistant", "done", "c-1")]
    new = [
        row("u2", None, "user", "where we were", "c-1"),
        row("a2", "u2", "assistant", "on port 5432", "c-2"),
        row("u3", "a2", "user", "go on", "c-2"),
    ]
    (home / "c-1.jsonl").write_text("\n".join(old) + "\n")
    (home / "c-2.jsonl").write_text("\n".join(new) + "\n")
    assert cli("import", "c-2.jsonl", "c-1.jsonl").code == 0
    parents = {info["id"]: info["parent"] for info in cli("sessions", "--json").json["sessions"]}
    assert parents == {"c-1": None, "c-2": "c-1"}


@requirement("A-8", "A-6")
def test_a_forked_rollout_of_codex_is_linked(cli: Cli, home: Path) -> None:
    def row(kind: str, **payload: object) -> str:
        return json.dumps({"timestamp": "2026-01-02T03:04:05Z", "type": kind, "payload": payload})

    def said(text: str) -> str:
        return row("response_item", type="message", role="user", content=[{"type": "input_text", "text": text}])

    (home / "x-2.jsonl").write_text(
        row("session_meta", id="x-2", cwd="/w", forked_from_id="x-1") + "\n" + said("the second on port 5432") + "\n"
    )
    assert cli("import", "codex", "x-2.jsonl").code == 0
    assert cli("sessions", "--json").json["sessions"][0]["parent"] == "x-1"
    assert len(cli("search", "port", "--session", "x-2", "--json").json["hits"]) == 1
    (home / "x-1.jsonl").write_text(
        row("session_meta", id="x-1", cwd="/w") + "\n" + said("the first on port 5431") + "\n"
    )
    assert cli("import", "codex", "x-1.jsonl").code == 0
    assert len(cli("search", "port", "--session", "x-2", "--json").json["hits"]) == 2
