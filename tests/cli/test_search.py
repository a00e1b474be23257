"""`vademecum search`, `restore` and `show`: what left can be found and comes back byte for byte."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cli.conftest import Cli
from cli.transcripts import FACT, blocks, chat, dumped, jsonl, output
from requirement import requirement
from vademecum.archive.sqlite.rows import short_text


@pytest.fixture
def fact(cli: Cli, compacted: Path) -> str:
    """The id of the tool result that has the fact."""
    return cli("search", "gatekeeper listener port", "--json").json["hits"][0]["id"]


@requirement("A-4", "A-6")
def test_what_left_is_found(cli: Cli, compacted: Path) -> None:
    assert FACT not in compacted.read_text("utf-8")
    first = cli("search", "listener", "port", "5433", "--json").json["hits"][0]
    assert FACT in first["text"]
    assert (first["role"], first["tool"], first["session"]) == ("tool", "shell", "nightly")
    assert first["in_context"] is False


@requirement("A-6")
def test_what_stands_in_the_context_is_marked(cli: Cli, compacted: Path) -> None:
    hits = cli("search", "artefact app-29.bin", "--json").json["hits"]
    assert hits[0]["in_context"] is True
    assert "  in the context\n" in cli("search", "artefact app-29.bin").text


def test_hits_for_a_person(cli: Cli, compacted: Path) -> None:
    done = cli("search", "gatekeeper listener", "--limit", "1")
    head, text = done.text.splitlines()[:2]
    assert head.split() == [head.split()[0], "nightly", "tool", "shell", "archived"]
    assert text == FACT
    assert done.err == ""


def test_nothing_found_is_an_answer(cli: Cli, compacted: Path) -> None:
    done = cli("search", "xylophone")
    assert (done.code, done.out, done.err) == (1, b"", "nothing found\n")
    silent = cli("search", "xylophone", "-q", "--json")
    assert (silent.code, silent.err) == (1, "")
    assert silent.json == {"schema": "vademecum.search/1", "hits": []}


def test_searching_before_there_is_an_archive_makes_none(cli: Cli, archive_file: Path) -> None:
    done = cli("search", "anything")
    assert (done.code, done.out) == (1, b"")
    assert f"there is no archive at {archive_file} yet" in done.err
    assert not archive_file.parent.exists()


@requirement("A-6")
@pytest.mark.parametrize(
    ("args", "roles"),
    [
        (("--role", "user"), {"user"}),
        (("--role", "assistant"), {"assistant"}),
        (("--role", "tool"), {"tool"}),
        (("--tool", "shell"), {"assistant", "tool"}),
        (("--tool", "SHELL"), {"assistant", "tool"}),
    ],
)
def test_filters_by_role_and_tool(cli: Cli, compacted: Path, args: tuple[str, ...], roles: set[str]) -> None:
    hits = cli("search", "build", "--limit", "20", "--json", *args).json["hits"]
    assert {hit["role"] for hit in hits} == roles


def test_a_tool_that_nobody_called(cli: Cli, compacted: Path) -> None:
    assert cli("search", "build", "--tool", "browser").code == 1


@requirement("A-6")
def test_a_session_and_a_query_are_both_honoured(cli: Cli, home: Path, compacted: Path) -> None:
    other = [{"role": "user", "content": "The listener of the other place is on port 5433."}]
    cli("import", jsonl(home / "other.jsonl", other), "--session", "other")
    both = cli("search", "listener port 5433", "--json").json["hits"]
    one = cli("search", "listener port 5433", "--session", "other", "--json").json["hits"]
    assert {"nightly", "other"} <= {hit["session"] for hit in both}
    assert [hit["session"] for hit in one] == ["other"]
    cli("search", "port", "--session", "othr").refused(1, "no session 'othr'", "did you mean other?")


@requirement("A-6")
def test_since(cli: Cli, home: Path) -> None:
    rows = [
        {"role": "user", "content": f"Ticket {day} is about the harbour.", "ts": 1_700_000_000 + day * 86_400}
        for day in range(5)
    ]
    cli("import", jsonl(home / "dated.jsonl", rows))

    def found(since: str) -> int:
        return len(cli("search", "harbour ticket", "--limit", "20", "--since", since, "--json").json["hits"])

    assert found("2023-11-14") == 5
    assert found("2023-11-17T23:00:00") == 1
    assert found("2023-11-18T01:00:00+02:00") == 1
    assert found("3650000d") == 5
    assert cli("search", "harbour", "--since", "2d").code == 1


@pytest.mark.parametrize("wrong", ["yesterday", "2x", "", "2026-13-01", "d"])
def test_since_that_is_no_time(cli: Cli, compacted: Path, wrong: str) -> None:
    cli("search", "build", "--since", wrong).refused(2, f"--since {wrong!r} is no time", "such as 2026-11-30")


def test_limits(cli: Cli, compacted: Path) -> None:
    hits = cli("search", "build step", "--limit", "3", "--max-chars", "100", "--json").json["hits"]
    assert len(hits) == 3
    assert all(len(hit["text"]) <= 100 for hit in hits)
    cli("search", "build", "--limit", "0").refused(2, "--limit")
    cli("search", "build", "--max-chars", "9").refused(2, "--max-chars")
    cli("search", "build", "--role", "robot").refused(2, "robot")
    cli("search").refused(2, "QUERY")


@requirement("A-4")
@pytest.mark.parametrize(
    "query", ['"', "'", "(", "NEAR(", "a AND", "*", "-", "--", "\\", "\0", "🜂", "^", "col:x", "%"]
)
def test_any_string_is_a_query(cli: Cli, compacted: Path, query: str) -> None:
    assert cli("search", "--json", "--", query).code in (0, 1)


@requirement("A-4")
@pytest.mark.parametrize("query", ["東京", "京", "cafe", "café", "GATEKEEPER", "7f3a", "gatekeeper-7f3a"])
def test_words_of_other_scripts_and_pieces_of_names(cli: Cli, compacted: Path, query: str) -> None:
    assert FACT in cli("search", query, "--json").json["hits"][0]["text"]


@requirement("A-7", "I1")
def test_restore_gives_the_exact_bytes(cli: Cli, fact: str) -> None:
    done = cli("restore", fact)
    assert done.code == 0
    assert done.err.startswith(f"{fact}: tool result of shell "), "where it comes from"
    assert done.out == output(0, 2_400).encode()
    assert cli("restore", fact, "-q").err == ""


@requirement("A-7")
def test_every_id_in_the_receipt_comes_back(cli: Cli, log: Path) -> None:
    receipt = cli("compact", log, "--window", "32K", "-o", "out.jsonl", "--json").json
    known = {part for row in chat(30) for part in texts(row)}
    for id in receipt["removed"]:
        done = cli("restore", id)
        assert done.code == 0
        assert done.text in known or json.loads(done.out)["function"]["name"] == "shell"


def texts(row: dict) -> list[str]:
    return [row["content"], *(call["function"]["arguments"] for call in row.get("tool_calls", ()))]


@requirement("A-7")
def test_restore_tells_where_it_is_from(cli: Cli, fact: str) -> None:
    found = cli("restore", fact, "--json").json
    assert found["text"] == output(0, 2_400)
    assert (found["tool"], json.loads(found["arguments"])) == ("shell", {"command": "make build-0"})
    assert (found["age_s"], found["stale"], found["kind"]) == (None, None, "tool_result")


@requirement("A-7")
def test_restore_in_pages(cli: Cli, fact: str) -> None:
    whole, pages, at = cli("restore", fact).out, [], 0
    while page := cli("restore", fact, "--offset", at, "--limit", 50).out:
        page.decode()  # pages end between characters
        pages.append(page)
        at += len(page)
    assert b"".join(pages) == whole
    assert cli("restore", fact, "--limit", 0).out == b""
    cli("restore", fact, "--limit", "-1").refused(2, "--limit")


@requirement("A-7")
def test_restore_by_pattern(cli: Cli, fact: str) -> None:
    assert cli("restore", fact, "--pattern", "gate.*7f").text == FACT + "\n"
    assert cli("restore", fact, "--pattern", "^nothing$").out == b""
    cli("restore", fact, "--pattern", "(").refused(2, "'(' is not a regular expression")


@requirement("A-7")
def test_restore_as_wire_json(cli: Cli, fact: str) -> None:
    row = json.loads(cli("restore", fact, "--wire").out)
    assert row == output(0, 2_400) or row["content"] == output(0, 2_400)


@requirement("A-7")
def test_restore_a_range(cli: Cli, compacted: Path, fact: str) -> None:
    around = cli("show", fact, "--around", "2", "--json").json["messages"]
    first, last = around[0]["id"], around[-1]["id"]
    expected = "".join(line + "\n" for line in dumped(chat(30))[1:6]).encode()
    assert cli("restore", f"{first}..{last}").out == expected
    assert cli("restore", f"{last}..{first}").out == expected
    assert cli("restore", f"{first}..{last}", "--json").json["kind"] == "range"


ODD = ["a\r\nb", "\ttab", "line\n\n", "\x1b[31mred\x1b[0m", "nul\0", "e\u0301", "\ufeffbom", "\u2028"]


@requirement("A-7")
@pytest.mark.parametrize("text", ODD)
def test_nothing_is_lost_on_the_way_out(cli: Cli, home: Path, text: str) -> None:
    cli("import", jsonl(home / "odd.jsonl", [{"role": "user", "content": f"marker {text}"}]))
    id = cli("search", "marker", "--json").json["hits"][0]["id"]
    assert cli("restore", id).out == f"marker {text}".encode()
    assert cli("restore", id, "--json").json["text"] == f"marker {text}"


def test_half_a_surrogate_pair_does_not_end_the_run(cli: Cli, home: Path) -> None:
    (home / "half.jsonl").write_text('{"role": "user", "content": "broken \\ud83d emoji"}\n', "utf-8")
    assert cli("import", "half.jsonl", "--session", "half").code == 0
    id = cli("search", "broken emoji", "--json").json["hits"][0]["id"]
    assert cli("restore", id, "--json").json["text"] == "broken \ud83d emoji"
    assert cli("sessions", "export", "half").out == (home / "half.jsonl").read_bytes()


@requirement("A-7")
def test_an_unknown_id_names_the_nearest(cli: Cli, fact: str) -> None:
    almost = fact[:-1] + ("a" if fact[-1] != "a" else "b")
    cli("restore", almost).refused(1, f"no part {almost!r} in the archive", "the nearest ids are t_")
    cli("show", almost).refused(1, f"no part {almost!r}")
    cli("restore", f"{fact}.7").refused(1, f"no part '{fact}.7'", f"the nearest ids are {fact}")
    cli("restore", f"{fact}..{almost}").refused(1, f"no part {almost!r}")
    cli("restore", fact, "--session", "none").refused(1, "no session 'none'")


@pytest.mark.parametrize("wrong", ["port", "t_", "t_abc", "t_k3x9mq2v7a", "..", "T_ABCDEFGHIJ", "t_abcdefghij.", ""])
def test_what_is_no_id(cli: Cli, compacted: Path, wrong: str) -> None:
    cli("restore", wrong).refused(2, "is not an id", "ids look like")


@requirement("A-7")
def test_one_id_for_two_messages_is_ambiguous(cli: Cli, home: Path, archive_file: Path) -> None:
    for name in ("one", "two"):
        cli("import", jsonl(home / "log.jsonl", [{"role": "user", "content": f"marker {name}"}]), "--session", name)
    with closing(sqlite3.connect(archive_file)) as db, db:
        db.execute("UPDATE messages SET short = (SELECT min(short) FROM messages)")
        ids = [short_text(row[0]) for row in db.execute("SELECT short FROM messages")]
    assert len(ids) == 2
    cli("restore", ids[0]).refused(2, f"{ids[0]!r} names 2 different messages: ", "give the session too")
    assert cli("restore", ids[0], "--session", "two").out == b"marker two"


def test_show_a_message_with_its_parts(cli: Cli, fact: str) -> None:
    call = cli("show", fact, "--around", "1", "--json").json["messages"][0]
    assert [part["kind"] for part in call["parts"]] == ["text", "tool_call"]
    assert [part["id"] for part in call["parts"]] == [f"{call['id']}.1", f"{call['id']}.2"]
    assert call["in_context"] is False
    text = cli("show", call["id"]).text
    assert text.startswith(f"{call['id']}  assistant  position 2  ")
    assert f"  {call['id']}.2  tool_call shell\n" in text
    assert "I start build 0.\n" in text


@requirement("A-6")
def test_show_what_stands_around_it(cli: Cli, fact: str) -> None:
    around = cli("show", fact, "--around", "3", "--json").json["messages"]
    assert [message["position"] for message in around] == list(range(7))
    cli("show", fact, "--around", "900").refused(2, "--around")


def test_anthropic_parts(cli: Cli, home: Path) -> None:
    cli("import", jsonl(home / "blocks.jsonl", blocks(3)), "--session", "blocks")
    hit = cli("search", "gatekeeper", "--json").json["hits"][0]
    assert hit["tool"] == "shell"
    assert cli("restore", hit["id"]).out == output(0, 2_400).encode()
