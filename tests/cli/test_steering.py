"""`pin`, `undo` and `compact --workspace`."""

import json
from pathlib import Path

from cli.conftest import Cli
from cli.transcripts import chat, jsonl
from requirement import requirement

RULE = "Deploys go to zeus-17 only."


def compacted(cli: Cli, home: Path, *more: str, turns: int = 30) -> str:
    log = jsonl(home / "log.jsonl", chat(turns))
    return cli("compact", log, "--window", "32K", "--session", "nightly", "-o", "out.jsonl", *more).text


@requirement("C-39")
def test_pin_a_text_list_it_and_take_it_back(cli: Cli, home: Path) -> None:
    compacted(cli, home)
    pinned = cli("pin", RULE, "--session", "nightly")
    assert pinned.code == 0
    assert "holds from the next compaction on" in pinned.err
    listed = cli("pin", "--list", "--json").json
    assert listed["schema"] == "vademecum.pins/1"
    assert [pin["text"] for pin in listed["pins"]] == [RULE]
    assert listed["tokens"] == listed["pins"][0]["tokens"] > 0
    assert f"pin {listed['pins'][0]['id']}" in cli("context", "nightly").text
    assert cli("context", "nightly", "--json").json["pins_tokens"] == listed["tokens"]
    compacted(cli, home, turns=60)
    assert RULE in (home / "out.jsonl").read_text("utf-8")
    assert cli("pin", RULE, "--session", "nightly", "--remove").code == 0
    assert cli("pin", RULE, "--session", "nightly", "--remove").code == 1
    assert cli("pin", "--list").text == "nothing is pinned\n"


@requirement("C-39")
def test_pin_a_message_by_its_id(cli: Cli, home: Path) -> None:
    compacted(cli, home)
    id = cli("search", "listener 5433", "--json").json["hits"][0]["id"]
    cli("pin", id)
    found = cli("pin", "--list", "--json").json["pins"]
    assert [pin["id"] for pin in found] == [id]


@requirement("C-39")
def test_pins_over_the_cap_are_refused(cli: Cli, home: Path) -> None:
    compacted(cli, home)
    (home / "vademecum.toml").write_text("pin_cap = 20\n")
    refused = cli("pin", "word " * 200, "--session", "nightly")
    assert refused.code == 2
    assert "the cap is 20" in refused.err
    assert cli("pin", "--list").text == "nothing is pinned\n"


def test_pin_wants_one_thing_or_the_list(cli: Cli, home: Path) -> None:
    compacted(cli, home)
    assert cli("pin").code == 2
    assert cli("pin", "x", "--list").code == 2
    assert cli("pin", "t_aaaaaaaaaa").code == 1


@requirement("C-39")
def test_undo_takes_the_newest_compaction_back(cli: Cli, home: Path) -> None:
    compacted(cli, home)
    before = len((home / "out.jsonl").read_text("utf-8").splitlines())
    undone = cli("undo", "nightly")
    assert undone.code == 0
    assert "cycle 1 taken back" in undone.text
    assert "the whole transcript stands" in undone.text
    again = compacted(cli, home)
    assert "undone" in again
    assert len((home / "out.jsonl").read_text("utf-8").splitlines()) > before
    nothing = cli("undo", "nightly", "--json")
    assert nothing.code == 1
    assert nothing.json["undone_cycle"] is None


@requirement("C-26")
def test_compact_shows_edited_files_of_a_workspace(cli: Cli, home: Path) -> None:
    (home / "work").mkdir()
    (home / "work" / "a.py").write_text("value = 2\n")
    function = {"name": "Write", "arguments": json.dumps({"file_path": "a.py", "content": "value = 2\n"})}
    call = {"role": "assistant", "tool_calls": [{"id": "w1", "type": "function", "function": function}]}
    answer = {"role": "tool", "tool_call_id": "w1", "content": "ok"}
    rows = chat(30)
    log = jsonl(home / "log.jsonl", [rows[0], call, answer, *rows[1:]])
    args = ("compact", log, "--window", "32K", "-o", "out.jsonl")
    cli(*args, "--session", "without")
    assert "as it is now" not in (home / "out.jsonl").read_text("utf-8")
    cli(*args, "--session", "with", "--workspace", "work")
    assert "a.py, as it is now" in (home / "out.jsonl").read_text("utf-8")
    assert cli(*args, "--session", "none", "--workspace", "nowhere").code == 2


@requirement("C-36")
def test_diff_shows_what_became_of_each_message(cli: Cli, home: Path) -> None:
    compacted(cli, home)
    compacted(cli, home, turns=60)
    shown = cli("diff", "nightly").text
    assert "nightly cycle 2 (trigger): " in shown
    assert "new → kept" in shown
    assert "carry: " in shown
    first, second = (cli("diff", "nightly", "--cycle", n, "--json").json for n in (1, 2))
    assert first["cycle"] == 1
    assert {run["before"] for run in first["ranges"]} == {"kept"}
    assert {run["after"] for run in first["ranges"]} >= {"kept", "folded"}
    assert any(run["before"] == "folded" for run in second["ranges"])
    assert second["carry"]["text"].startswith("<vademecum:carry session=nightly cycle=2>")
    assert cli("diff", "nightly", "--cycle", 7).code == 2
    assert cli("diff", "nobody").code == 1
