"""`import`, `compact` and `context` on logs of every sort; `import` without a file; copies, branches, other runs."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Cli
from requirement import requirement
from unit.sessions.made import CHAT, CLAUDE, MADE, TAU, claude, document, lines
from vademecum.sessions import places


def put(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def imported(cli: Cli, *files: object) -> list[dict[str, Any]]:
    done = cli("import", *files, "--json")
    assert done.code == 0, done.err
    return done.json["files"]


@requirement("A-8")
@pytest.mark.parametrize("name", MADE)
def test_every_kind_is_taken_in_once(cli: Cli, home: Path, name: str) -> None:
    made = MADE[name]
    log = put(home / "log", made.data)
    first = imported(cli, log)
    assert {report["kind"] for report in first} == {made.kind}
    keys = ("messages", "calls", "results")
    assert tuple(sum(report[key] for report in first) for key in keys) == made.counts
    assert cli("search", "alpha question").code == 0
    held = cli("sessions", "--json").json
    assert [report["new"] for report in imported(cli, log)] == [0] * len(first)
    assert cli("sessions", "--json").json == held
    assert cli("import", made.kind, log).code == 0
    assert cli("import", "codex" if made.kind != "codex" else "pi", log).code == 2


@requirement("A-8")
@pytest.mark.parametrize("name", MADE)
def test_every_kind_is_compacted_in_its_wire_format(cli: Cli, home: Path, name: str) -> None:
    made = MADE[name]
    log = put(home / "log", made.data)
    if name in ("tau", "hermes-lines", "openhands-output"):
        cli("compact", log, "--window", "32K").refused(2, "has 2 sessions", "say which with --session")
        return
    done = cli("compact", log, "--window", "32K")
    assert done.code == 0, done.err
    if made.kind in ("claude-code", "droid", "cursor", "cline") and name != "droid-stream":
        assert json.loads(done.out)["messages"][0]["role"] == "user"
    elif name not in ("chat-list", "chat-body"):
        rows = [json.loads(line) for line in done.out.splitlines()]
        assert len(rows) == made.counts[0]
        assert made.kind == "chat" or not {"native", "ts", "meta"} & {key for row in rows for key in row}
    assert cli("context", log, "--window", "32K", "--json").json["measured"]["tokens"] > 0


@requirement("A-8")
def test_one_of_several_sessions_is_compacted_when_it_is_named(cli: Cli, home: Path) -> None:
    log = put(home / "results.json", document(TAU))
    done = cli("compact", log, "--window", "32K", "--session", "tau-bench/task/0/1")
    assert "bye 1" in done.text


@requirement("A-8")
def test_a_grown_log_is_continued_and_a_rewound_one_branches(cli: Cli, home: Path) -> None:
    log = put(home / "log", lines(*CLAUDE))
    imported(cli, log)
    put(log, lines(*CLAUDE, claude("u5", "a4", "user", "more of it")))
    (report,) = imported(cli, log)
    assert (report["new"], report["branches"]) == (1, 0)
    put(log, lines(*CLAUDE, claude("u5", "a4", "user", "more of it"), claude("u6", "a4", "user", "rather this")))
    (report,) = imported(cli, log)
    assert (report["messages"], report["new"], report["branches"]) == (5, 1, 1)
    assert [imported(cli, log)[0]["new"] for _ in range(2)] == [0, 0]
    assert "rather this" in cli("sessions", "export", "c-1").text
    assert "more of it" in cli("search", "more of it").text


@requirement("A-8")
def test_an_older_copy_changes_nothing(cli: Cli, home: Path) -> None:
    log = put(home / "log", lines(*CLAUDE))
    imported(cli, log)
    (report,) = imported(cli, put(home / "old", lines(*CLAUDE[:4])))
    assert report["new"] == 0
    assert cli("sessions", "--json").json["sessions"][0]["messages"] == 4


@requirement("A-8")
def test_a_resumed_copy_shares_what_it_begins_with(cli: Cli, home: Path) -> None:
    imported(cli, put(home / "log", lines(*CLAUDE)))
    copied = [{**row, "sessionId": "c-2"} for row in CLAUDE]
    (whole,) = imported(cli, put(home / "copy", lines(*copied)))
    assert (whole["session"], whole["new"]) == ("c-1", 0)
    more = {**claude("u5", "a4", "user", "resumed work"), "sessionId": "c-2"}
    (report,) = imported(cli, put(home / "resumed", lines(*copied, more)))
    assert (report["session"], report["messages"], report["new"]) == ("c-2", 5, 1)
    assert "alpha question" in cli("sessions", "export", "c-2").text


@requirement("A-8")
def test_two_runs_of_one_task_are_two_sessions(cli: Cli, home: Path) -> None:
    other = MADE["mini-swe-agent"].data.replace(b"eta answer", b"another end")
    files = put(home / "a", MADE["mini-swe-agent"].data), put(home / "b", other)
    first = imported(cli, *files)
    assert first[0]["session"] != first[1]["session"]
    again = imported(cli, *files)
    assert [(report["session"], report["new"]) for report in again] == [(r["session"], 0) for r in first]


@requirement("A-8")
def test_another_log_of_the_same_id_is_another_session(cli: Cli, home: Path) -> None:
    other = MADE["atif"].data.replace(b"theta rules", b"other rules")
    first = imported(cli, put(home / "a", MADE["atif"].data), put(home / "b", other))
    assert first[0]["session"] == "at-1"
    assert first[1]["session"].startswith("at-1~")
    assert [report["new"] for report in imported(cli, home / "a", home / "b", home / "a")] == [0, 0, 0]


@requirement("A-8")
def test_without_a_file_it_says_what_it_would_take(cli: Cli, home: Path, archive_file: Path) -> None:
    base = home.parent / "home"
    put(base / ".claude/projects/-x/c-1.jsonl", MADE["claude"].data)
    put(base / ".codex/sessions/2026/05/rollout-1.jsonl", MADE["codex"].data)
    put(base / ".gemini/tmp/abc/chats/session-1.json", MADE["gemini"].data)
    found = cli("import", "--json").json["places"]
    assert [(place["kind"], place["files"]) for place in found] == [
        ("claude-code", 1),
        ("codex", 1),
        ("gemini-cli", 1),
    ]
    assert found[0]["bytes"] == len(MADE["claude"].data)
    shown = cli("import")
    assert "claude-code" in shown.text
    assert "--yes" in shown.err
    assert not archive_file.exists()
    assert {report["kind"] for report in imported(cli, "codex", "--yes")} == {"codex"}
    assert {report["kind"] for report in imported(cli, "--yes")} == {"claude-code", "codex", "gemini-cli"}
    assert sum(report["new"] for report in imported(cli, "--yes")) == 0


@requirement("A-8")
def test_without_a_file_and_without_logs(cli: Cli, home: Path) -> None:
    assert cli("import", "--json").json["places"] == []
    assert "no logs in the usual places" in cli("import").text


@requirement("A-8")
def test_a_variable_moves_a_place(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(home / "elsewhere/sessions/r.jsonl", MADE["codex"].data)
    monkeypatch.setenv("CODEX_HOME", str(home / "elsewhere"))
    (place,) = cli("import", "--json").json["places"]
    assert place["place"] == str(home / "elsewhere/sessions")


def test_the_places_are_below_the_home_folder_and_of_known_kinds() -> None:
    from vademecum.sessions.kinds import NAMES

    for place in places.PLACES:
        assert place.kind in NAMES
        assert not Path(place.folder).is_absolute()


@requirement("A-8")
def test_a_chat_log_that_is_imported_again_after_an_edit(cli: Cli, home: Path) -> None:
    log = put(home / "chat.jsonl", lines(*CHAT))
    imported(cli, log)
    put(log, lines(*CHAT[:3], {"role": "assistant", "content": "edited"}))
    assert imported(cli, log)[0]["new"] == 1
    put(log, lines(*CHAT))
    assert imported(cli, log)[0]["new"] == 0


@requirement("A-8")
def test_an_older_branch_moves_nothing_and_is_gone_on_from(cli: Cli, home: Path) -> None:
    def log(*texts: str) -> Path:
        rows = [{"role": "user" if at % 2 == 0 else "assistant", "content": text} for at, text in enumerate(texts)]
        return put(home / "rows.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())

    def held() -> list[str]:
        return [json.loads(line)["content"] for line in cli("sessions", "export", "s").text.splitlines()]

    def rows() -> int:
        return cli("db", "status", "--json").json["counts"]["messages"]

    older, newer = ("a", "b", "c old", "d old"), ("a", "b", "c new")
    for texts in (older, newer):
        cli("import", log(*texts), "--session", "s")
    assert (held(), rows()) == ([*newer], 5)
    assert imported(cli, log(*older), "--session", "s")[0]["new"] == 0
    assert (held(), rows()) == ([*newer], 5)
    assert imported(cli, log(*older, "e old"), "--session", "s")[0]["new"] == 1
    assert (held(), rows()) == ([*older, "e old"], 6)
    assert imported(cli, log(*newer, "d new"), "--session", "s")[0]["new"] == 1
    assert (held(), rows()) == ([*newer, "d new"], 7)
    assert cli("db", "verify").code == 0
