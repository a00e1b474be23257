"""`vademecum sessions` and `vademecum import`."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from cli.conftest import Cli
from cli.test_json_shapes import agrees
from cli.transcripts import bare_list, blocks, body, chat, dumped, jsonl
from requirement import requirement
from vademecum.archive import Archive
from vademecum.wire.openai_chat import OPENAI_CHAT


def test_no_sessions_yet(cli: Cli, archive_file: Path) -> None:
    done = cli("sessions")
    assert (done.code, done.out) == (0, b"")
    assert "vademecum compact FILE or vademecum import FILE makes one" in done.err
    assert cli("sessions", "list", "--json").json == {"schema": "vademecum.sessions/1", "sessions": []}
    assert not archive_file.exists()


def test_list(cli: Cli, compacted: Path) -> None:
    rows = [line.split() for line in cli("sessions").text.splitlines()]
    assert rows[0] == ["session", "messages", "tokens", "cycles", "last", "source"]
    assert rows[1][:2] == ["nightly", "121"]
    assert cli("sessions").out == cli("sessions", "list").out


def test_options_before_and_after_the_inner_verb(cli: Cli, home: Path, compacted: Path) -> None:
    cli("import", jsonl(home / "small.jsonl", chat(1)), "--session", "other", "--db", "other.db")
    for args in (
        ("sessions", "--db", "other.db", "list", "--json"),
        ("sessions", "list", "--db", "other.db", "--json"),
    ):
        assert [each["id"] for each in cli(*args).json["sessions"]] == ["other"]
    for args in (("--json", "sessions"), ("sessions", "--json", "list")):
        assert [each["id"] for each in cli(*args).json["sessions"]] == ["nightly"]


@requirement("A-1")
def test_export_gives_the_whole_transcript(cli: Cli, log: Path, compacted: Path) -> None:
    assert cli("sessions", "export", "nightly").out == log.read_bytes()


@requirement("A-1")
def test_export_of_the_context_is_what_compact_wrote(cli: Cli, compacted: Path) -> None:
    assert cli("sessions", "export", "nightly", "--context").out == compacted.read_bytes()


@pytest.mark.parametrize("layout", ["jsonl", "jsonl.gz", "list", "body", "anthropic"])
def test_export_keeps_the_layout(cli: Cli, home: Path, layout: str) -> None:
    match layout:
        case "list":
            given = bare_list(home / "rows.json", chat(30))
        case "body":
            given = body(home / "body.json", chat(30), stream=True)
        case "anthropic":
            given = body(home / "body.json", blocks(30), system="You keep a build running.")
        case _:
            given = jsonl(home / f"rows.{layout}", chat(30))
    out = home / ("context" + given.suffix)
    assert cli("compact", given, "--window", "32K", "--session", "s", "-o", out).code == 0
    context, whole = cli("sessions", "export", "s", "--context").out, cli("sessions", "export", "s").out
    assert context == unpacked(out)
    assert whole == unpacked(given)
    cli("sessions", "export", "s", "--context", "-o", "again" + given.suffix)
    assert Path("again" + given.suffix).read_bytes() == out.read_bytes()


def unpacked(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def test_export_as_json(cli: Cli, compacted: Path) -> None:
    with_text = cli("sessions", "export", "nightly", "--context", "--json").json
    assert with_text["text"].encode() == compacted.read_bytes()
    to_file = cli("sessions", "export", "nightly", "--context", "--json", "-o", "out.jsonl").json
    assert to_file == {**with_text, "text": None}
    assert Path("out.jsonl").read_bytes() == compacted.read_bytes()


def test_export_of_what_is_not_there(cli: Cli, compacted: Path) -> None:
    cli("sessions", "export", "nigtly").refused(1, "no session 'nigtly'", "did you mean nightly?")
    cli("sessions", "export").refused(2, "SESSION")
    cli("sessions", "drop").refused(2, "vademecum sessions has no verb 'drop'")
    cli("sessions", "export", "nightly", "-o", "no/such/out").refused(2, "there is no folder no/such")


@requirement("A-8")
def test_import_reports_what_it_took(cli: Cli, home: Path) -> None:
    done = cli("import", jsonl(home / "build.jsonl", chat(3)), "--json")
    (report,) = done.json["files"]
    assert done.err == ""
    assert report["file"] == str(home / "build.jsonl")
    assert (report["kind"], report["messages"], report["new"]) == ("chat", 13, 13)
    assert (report["calls"], report["results"], report["skipped"]) == (3, 3, [])


@requirement("A-8")
def test_import_again_adds_nothing_and_goes_on_with_a_grown_log(cli: Cli, home: Path) -> None:
    log = jsonl(home / "build.jsonl", chat(3))
    cli("import", log)
    assert "(0 new)" in cli("import", log).text
    jsonl(log, chat(4))
    assert "17 messages (4 new)" in cli("import", log).text
    assert len(cli("sessions", "--json").json["sessions"]) == 1


@requirement("A-8")
def test_import_names_bad_lines_and_loses_nothing_else(cli: Cli, home: Path) -> None:
    lines = dumped(chat(2))
    lines[4:4] = ["{torn", '"text"', '{"role": "user"}', '{"no": "role"}']
    (home / "torn.jsonl").write_text("\n".join(lines), "utf-8")
    done = cli("import", "torn.jsonl", "--session", "torn", "--json")
    (report,) = done.json["files"]
    skipped = [each["line"] for each in report["skipped"]]
    assert skipped[:2] == [5, 6]
    assert 8 in skipped
    assert all(each["reason"] for each in report["skipped"])
    assert f"torn.jsonl: line 5 skipped: {report['skipped'][0]['reason']}" in done.err
    kept = [json.loads(line) for line in cli("sessions", "export", "torn").out.splitlines()]
    assert [row for row in kept if row != {"role": "user"}] == chat(2)


@requirement("A-8")
def test_import_of_many_files_goes_on_after_a_bad_one(cli: Cli, home: Path) -> None:
    jsonl(home / "a.jsonl.gz", chat(1))
    (home / "b.txt").write_text("no log", "utf-8")
    bare_list(home / "c.json", blocks(2, start=5))
    done = cli("import", "a.jsonl.gz", "b.txt", "none.jsonl", "c.json", "--json")
    reports = done.json["files"]
    assert done.code == 3
    assert [report["messages"] for report in reports] == [5, 0, 0, 8]
    assert ["error" in report for report in reports] == [False, True, True, False]
    assert {frozenset(report) - {"error"} for report in reports} == {frozenset(reports[0])}
    assert "error: b.txt: " in done.err
    assert "error: no file none.jsonl\nhint: use - for standard input" in done.err
    assert len(cli("sessions", "--json").json["sessions"]) == 2


def test_import_of_one_missing_file(cli: Cli) -> None:
    done = cli("import", "none.jsonl")
    assert (done.code, done.out) == (2, b"")


def test_import_with_the_kind(cli: Cli, home: Path, feed) -> None:
    jsonl(home / "night.jsonl", chat(1))
    assert cli("import", "chat", "night.jsonl", "--session", "s").code == 0
    feed((home / "night.jsonl").read_bytes())
    assert "5 messages (0 new)" in cli("import", "-", "--session", "s").text
    jsonl(home / "chat", chat(2))
    assert "9 messages (4 new)" in cli("import", "chat", "--session", "s").text


def test_import_refusals(cli: Cli, home: Path) -> None:
    jsonl(home / "a.jsonl", chat(1))
    cli("import", "chat").refused(2, "no file is named")
    cli("import", "--session", "s").refused(2, "none is named")
    cli("import", "a.jsonl", "a.jsonl", "--session", "s").refused(2, "--session names one session", "import them one")


def test_import_of_an_empty_file(cli: Cli, home: Path) -> None:
    (home / "empty.jsonl").touch()
    (report,) = cli("import", "empty.jsonl", "--json").json["files"]
    assert (report["messages"], report["session"]) == (0, "")
    assert cli("sessions", "--json").json["sessions"] == []


def test_a_file_name_that_is_no_text(cli: Cli, home: Path) -> None:
    name = b"caf\xe9.jsonl".decode("utf-8", "surrogateescape")
    jsonl(home / name, chat(1))
    assert cli("import", name, "--session", "s", "--json").code == 0
    assert cli("sessions", "--json").json["sessions"][0]["source"] == "caf\\xe9.jsonl"


def test_imported_sessions_are_compacted_later(cli: Cli, home: Path, log: Path) -> None:
    cli("import", log, "--session", "nightly")
    assert cli("context", "nightly", "--json").json["categories"]["carry"] == 0
    done = cli("compact", log, "--window", "32K", "--session", "nightly", "-o", "out.jsonl", "--json")
    assert done.json["cycle"] == 1
    assert cli("sessions", "--json").json["sessions"][0]["messages"] == 121


@requirement("P-9")
def test_live_sessions_are_those_that_a_proxy_served_just_now(cli: Cli, archive_file: Path, compacted: Path) -> None:
    none = cli("sessions", "--live", "--json")
    assert (none.code, none.json["sessions"]) == (1, [])
    assert "no proxy has served a session within the last 10 minutes" in cli("sessions", "--live").err
    with Archive.open(archive_file) as archive:
        for name, ts in (("new", None), ("old", 1_700_000_000.0)):
            session = archive.session(name, format="openai-chat", source="proxy")
            rows = [replace(OPENAI_CHAT.load(row, index), ts=ts) for index, row in enumerate(chat(2))]
            session.append(rows, [10] * len(rows))
            session.remember_state("anchor:main", {"tokens": 1_234, "model": "m"})
            session.remember_state("window", {"tokens": 8_000})
            session.remember_state("chain", {"active": "m at http://127.0.0.1:1"})
    told = cli("sessions", "--live", "--json").json
    agrees("live", told)
    (row,) = told["sessions"]
    assert (row["id"], row["context"], row["window"]) == ("new", 1_234, 8_000)
    assert (row["upstream"], row["idle"] < 600) == ("m at http://127.0.0.1:1", True)
    assert "1,234" in cli("sessions", "--live").text
