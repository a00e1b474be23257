"""`vademecum compact`: layouts in and out, sessions that go on, dry runs, refusals."""

import gzip
import itertools
import json
from pathlib import Path

import pytest

from cli.conftest import Cli
from cli.transcripts import FACT, bare_list, blocks, body, chat, dumped, jsonl
from requirement import requirement
from vademecum.models.tokenizer import count_tokens

WINDOW = ("--window", "32K")


def test_the_context_goes_to_stdout_and_the_receipt_to_stderr(cli: Cli, log: Path) -> None:
    done = cli("compact", log, *WINDOW, "--session", "nightly")
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 0
    assert rows[0] == {"role": "system", "content": "You keep a build running."}
    assert "<vademecum:carry session=nightly cycle=1>" in json.dumps(rows[1])
    assert done.err.startswith("nightly cycle 1: ")
    assert "by local_summary" in done.err


def test_with_an_output_file_the_receipt_is_on_stdout(cli: Cli, log: Path, home: Path) -> None:
    done = cli("compact", log, *WINDOW, "--session", "nightly", "-o", "out.jsonl")
    assert done.text.startswith("nightly cycle 1: ")
    assert done.err == ""
    assert (home / "out.jsonl").stat().st_size < log.stat().st_size


def test_quiet_leaves_the_context_alone_on_stdout(cli: Cli, log: Path) -> None:
    loud = cli("compact", log, *WINDOW)
    silent = cli("compact", log, *WINDOW, "-q")
    assert silent.out == loud.out
    assert silent.err == ""


@requirement("C-6")
@pytest.mark.parametrize(("given", "most"), [("0.3", 4_800), ("6000", 6_000), ("6K", 6_000), ("5_000", 5_000)])
def test_a_target_is_a_fraction_or_tokens(cli: Cli, log: Path, given: str, most: int) -> None:
    receipt = cli("compact", log, *WINDOW, "--target", given, "--json", "-o", "out.jsonl").json
    assert receipt["target_tokens"] == most
    assert receipt["tokens_after"] <= most
    assert receipt["outcome"] == "compacted"


@pytest.mark.parametrize("wrong", ["1.5", "0", "-1", "abc", "40%", "0.0", "", "nan", "1e3", "20K"])
def test_a_target_that_is_neither_is_refused(cli: Cli, log: Path, wrong: str) -> None:
    cli("compact", log, *WINDOW, "--target", wrong, "-o", "out.jsonl").refused(2, "target")
    assert not Path("out.jsonl").exists()


def test_the_receipt_tells_its_tiers_and_what_left(cli: Cli, log: Path) -> None:
    receipt = cli("compact", log, *WINDOW, "--json", "-o", "out.jsonl").json
    sizes = [tier["tokens_after"] for tier in receipt["tiers"]]
    assert [tier["name"] for tier in receipt["tiers"]] == ["summary", "tool_results", "images", "local_summary"]
    assert sizes == sorted(sizes, reverse=True)
    assert all(id.startswith("t_") for id in receipt["removed"])
    assert len(receipt["removed"]) == len(set(receipt["removed"]))
    assert receipt["tokens_before"] == sum(receipt["categories_before"].values())
    assert receipt["tokens_after"] == sum(receipt["categories_after"].values())


def test_what_is_small_enough_comes_out_as_it_went_in(cli: Cli, home: Path) -> None:
    small = jsonl(home / "small.jsonl", chat(2))
    done = cli("compact", small, *WINDOW)
    assert done.code == 0
    assert done.out == small.read_bytes()
    assert "nothing to do" in done.err


def test_json_lines_in_json_lines_out(cli: Cli, log: Path) -> None:
    lines = cli("compact", log, *WINDOW).out.splitlines()
    given = log.read_bytes().splitlines()
    assert lines[0] == given[0]
    assert lines[-1] == given[-1], "an untouched row keeps its bytes"


def test_a_bare_list_comes_out_as_a_list(cli: Cli, home: Path) -> None:
    given = bare_list(home / "rows.json", chat(30))
    out = cli("compact", given, *WINDOW).out
    rows = json.loads(out)
    assert rows[0] == chat(1)[0]
    assert out.startswith(b"[\n  ")
    assert out.endswith(b"\n]\n")
    assert given.read_bytes().endswith(out[-80:])


def test_a_body_keeps_everything_around_its_messages(cli: Cli, home: Path) -> None:
    tools = [{"type": "function", "function": {"name": "shell", "parameters": {"type": "object"}}}]
    given = body(home / "body.json", chat(30), tools=tools, stream=True)
    out = cli("compact", given, *WINDOW).text
    inside, outside = json.loads(out), json.loads(given.read_text("utf-8"))
    assert len(inside.pop("messages")) < len(outside.pop("messages"))
    assert inside == outside
    assert out.endswith('], "temperature": 0.10}')
    assert out.partition("[")[0] == given.read_text("utf-8").partition("[")[0]


def test_an_anthropic_body_is_recognised(cli: Cli, home: Path) -> None:
    given = body(home / "body.json", blocks(30), max_tokens=900, system="You keep a build running.")
    done = cli("compact", given, *WINDOW, "--json", "-o", "out.json")
    out = json.loads((home / "out.json").read_text("utf-8"))
    assert out["system"] == "You keep a build running."
    assert done.json["categories_before"]["system"] > 0
    roles = [row["role"] for row in out["messages"]]
    assert roles[0] == "user"
    assert all(one != other for one, other in itertools.pairwise(roles))
    calls = [part["id"] for row in out["messages"] for part in row["content"] if is_kind(part, "tool_use")]
    results = [
        part["tool_use_id"] for row in out["messages"] for part in row["content"] if is_kind(part, "tool_result")
    ]
    assert calls == results != []


def is_kind(part: object, kind: str) -> bool:
    return isinstance(part, dict) and part["type"] == kind


def test_a_format_may_be_named(cli: Cli, home: Path) -> None:
    plain = jsonl(home / "plain.jsonl", [{"role": "user", "content": "hello"}])
    named = ("--session", "mine", "--format")
    assert cli("compact", plain, *WINDOW, *named, "anthropic").code == 0
    cli("compact", plain, *WINDOW, *named, "openai-chat").refused(2, "has the format anthropic", "use another")
    cli("compact", plain, *WINDOW, "--format", "klingon").refused(2, "klingon")


def test_compressed_files_are_read_and_written(cli: Cli, home: Path) -> None:
    packed = jsonl(home / "build.jsonl.gz", chat(30))
    plain = cli("compact", packed, *WINDOW)
    cli("compact", packed, *WINDOW, "-o", "out.jsonl.gz")
    assert gzip.decompress((home / "out.jsonl.gz").read_bytes()) == plain.out
    assert json.loads(plain.out.splitlines()[0])["role"] == "system"


@requirement("A-1")
def test_again_on_the_same_file_changes_nothing(cli: Cli, log: Path, archive_file: Path) -> None:
    first = cli("compact", log, *WINDOW)
    second = cli("compact", log, *WINDOW, "--json", "-o", "again.jsonl")
    assert Path("again.jsonl").read_bytes() == first.out
    assert (second.json["outcome"], second.json["cycle"]) == ("nothing_needed", 1)
    assert len(cli("sessions", "--json").json["sessions"]) == 1


def test_a_grown_file_goes_on_with_its_session(cli: Cli, home: Path) -> None:
    log = jsonl(home / "build.jsonl", chat(30))
    first = cli("compact", log, *WINDOW, "--json", "-o", "one.jsonl").json
    jsonl(log, chat(32))
    between = cli("compact", log, *WINDOW, "--json", "-o", "two.jsonl").json
    one, two = (Path(name).read_bytes() for name in ("one.jsonl", "two.jsonl"))
    assert two == one + "".join(line + "\n" for line in dumped(chat(32))[121:]).encode()
    assert between["outcome"] == "nothing_needed"
    jsonl(log, chat(60))
    third = cli("compact", log, *WINDOW, "--json", "-o", "three.jsonl").json
    assert (first["cycle"], between["cycle"], third["cycle"]) == (1, 1, 2)
    assert first["session"] == between["session"] == third["session"]
    assert third["tokens_after"] <= third["trigger_tokens"]
    info = cli("sessions", "--json").json["sessions"]
    assert [(each["messages"], each["cycles"]) for each in info] == [(241, 2)]


def test_a_log_names_its_own_session(cli: Cli, home: Path) -> None:
    rows = [{**row, "meta": {"session": "from-the-log"}} for row in chat(2)]
    named = jsonl(home / "named.jsonl", rows)
    assert "from-the-log cycle 0" in cli("compact", named, *WINDOW).err
    assert "mine cycle 0" in cli("compact", named, *WINDOW, "--session", "mine").err
    cli("compact", named, *WINDOW, "--session", " ").refused(2, "needs an id", "any text will do")


@requirement("A-8")
def test_rows_of_earlier_compactions_are_no_transcript(cli: Cli, home: Path) -> None:
    summary = {"role": "user", "content": "This is what happened.", "meta": {"compact_summary": True}}
    rows = chat(2)
    done = cli("compact", jsonl(home / "log.jsonl", [*rows[:3], summary, *rows[3:]]), *WINDOW)
    assert [json.loads(line) for line in done.out.splitlines()] == rows


def test_standard_input_is_a_file_too(cli: Cli, log: Path, feed) -> None:
    expected = cli("compact", log, *WINDOW)
    feed(log.read_bytes())
    assert cli("compact", "-", *WINDOW).out == expected.out


def test_bad_lines_are_named_and_skipped(cli: Cli, home: Path) -> None:
    lines = dumped(chat(2))
    path = home / "torn.jsonl"
    path.write_text("\n".join([*lines[:2], '{"role": "user", "cont', "[1]", *lines[2:]]) + "\n", "utf-8")
    done = cli("compact", path, *WINDOW)
    assert done.out == "".join(line + "\n" for line in lines).encode()
    assert "line 3 skipped: is not JSON" in done.err
    assert "line 4 skipped: is list, not an object" in done.err


@requirement("A-1")
def test_a_dry_run_changes_nothing(cli: Cli, home: Path, log: Path, compacted: Path, archive_file: Path) -> None:
    jsonl(log, chat(60))
    before, listed = archive_file.read_bytes(), cli("sessions", "--json").out
    done = cli("compact", log, *WINDOW, "--session", "nightly", "--dry-run", "-o", "never.jsonl")
    assert done.text.startswith("nightly cycle 2: ")
    assert "carry: " in done.text
    assert not (home / "never.jsonl").exists()
    assert archive_file.read_bytes() == before
    assert cli("sessions", "--json").out == listed


def test_a_dry_run_makes_no_archive(cli: Cli, log: Path, archive_file: Path) -> None:
    plan = cli("compact", log, *WINDOW, "--dry-run", "--json").json
    assert not archive_file.parent.exists()
    assert plan["receipt"]["outcome"] == plan["plan"]["outcome"] == "compacted"
    assert plan["plan"]["carry"].startswith("<vademecum:carry ")


def test_what_a_dry_run_says_is_what_happens(cli: Cli, log: Path) -> None:
    planned = cli("compact", log, *WINDOW, "--dry-run", "--json").json["receipt"]
    done = cli("compact", log, *WINDOW, "-o", "out.jsonl", "--json").json
    untimed = [{**tier, "ms": 0} for tier in done["tiers"]]
    assert [{**tier, "ms": 0} for tier in planned["tiers"]] == untimed
    left = {"schema", "timing", "tiers"}
    assert {k: v for k, v in planned.items() if k not in left} == {k: v for k, v in done.items() if k not in left}


@requirement("C-12")
def test_the_size_is_what_the_tokenizer_counts(cli: Cli, log: Path) -> None:
    receipt = cli("compact", log, *WINDOW, "-o", "out.jsonl", "--json").json
    texts = [json.dumps(json.loads(line)) for line in Path("out.jsonl").read_text("utf-8").splitlines()]
    counted = sum(count_tokens(tuple(texts)))
    assert receipt["origin"] == "counted"
    assert 0.7 * counted < receipt["tokens_after"] < 1.1 * counted


def test_json_needs_an_output_file(cli: Cli, log: Path, archive_file: Path) -> None:
    cli("compact", log, *WINDOW, "--json").refused(2, "--json without -o", "add -o OUT")
    assert not archive_file.exists()


def test_a_window_must_be_known(cli: Cli, log: Path) -> None:
    cli("compact", log).refused(2, "the window is not known", "give the model's window")


@pytest.mark.parametrize("wrong", ["abc", "0", "-5", "1.5", "100", "99999999999999999999"])
def test_a_window_must_be_a_count(cli: Cli, log: Path, wrong: str) -> None:
    cli("compact", log, "--window", wrong).refused(2, "window")


def test_a_missing_file_and_a_folder_are_refused(cli: Cli, home: Path) -> None:
    cli("compact", "none.jsonl", *WINDOW).refused(2, "no file none.jsonl", "use - for standard input")
    cli("compact", home, *WINDOW).refused(2, "is a folder", "name a file")


def test_what_is_no_log_is_refused(cli: Cli, home: Path) -> None:
    (home / "notes.txt").write_text("Dear diary,\n", "utf-8")
    cli("compact", "notes.txt", *WINDOW).refused(3, "line 1 is not JSON", "is it a session log?")
    (home / "torn.gz").write_bytes(b"\x1f\x8b\x08\x00broken")
    cli("compact", "torn.gz", *WINDOW).refused(3, "the gzip data is damaged")
    (home / "torn.json").write_text('[{"role": "user", "content": "a"}, {"role"', "utf-8")
    cli("compact", "torn.json", *WINDOW).refused(3, "message 1: is not valid JSON", "is the file complete?")


def test_an_empty_file_is_no_session(cli: Cli, home: Path, compacted: Path) -> None:
    (home / "empty.jsonl").touch()
    done = cli("compact", "empty.jsonl", *WINDOW, "--session", "nightly")
    assert (done.code, done.out) == (0, b"")
    listed = cli("sessions", "--json").json["sessions"]
    assert [(each["id"], each["messages"]) for each in listed] == [("nightly", 121)]


def test_the_transcript_is_never_overwritten(cli: Cli, log: Path, archive_file: Path) -> None:
    before = log.read_bytes()
    cli("compact", log, *WINDOW, "-o", log).refused(2, "is the transcript itself", "write to another file")
    Path("link.jsonl").symlink_to(log)
    cli("compact", log, *WINDOW, "-o", "link.jsonl").refused(2, "is the transcript itself")
    assert log.read_bytes() == before
    assert not archive_file.exists(), "it is refused before anything is done"


def test_a_place_that_cannot_be_written_is_refused_first(cli: Cli, log: Path, archive_file: Path) -> None:
    cli("compact", log, *WINDOW, "-o", "no/such/out.jsonl").refused(2, "there is no folder no/such", "make it first")
    cli("compact", log, *WINDOW, "-o", ".").refused(2, ". is a folder", "name a file in it")
    assert not archive_file.exists()


def test_an_old_output_file_keeps_its_mode(cli: Cli, log: Path) -> None:
    out = Path("out.jsonl")
    cli("compact", log, *WINDOW, "-o", out)
    assert out.stat().st_mode & 0o777 == 0o600
    out.chmod(0o644)
    cli("compact", log, *WINDOW, "-o", out)
    assert out.stat().st_mode & 0o777 == 0o644
    assert [path.name for path in Path().iterdir() if path.name.startswith(".")] == []


def test_a_device_is_written_to_and_not_replaced(cli: Cli, log: Path) -> None:
    assert cli("compact", log, *WINDOW, "-o", "/dev/null").code == 0
    assert Path("/dev/null").is_char_device()


def test_focus_and_preset_are_taken(cli: Cli, log: Path) -> None:
    done = cli("compact", log, *WINDOW, "--preset", "agent", "--focus", "the port", "-o", "out.jsonl", "--json")
    assert done.json["target_tokens"] == done.json["trigger_tokens"]
    cli("compact", log, *WINDOW, "--preset", "other", "-o", "out.jsonl").refused(2, "one of half, agent, hermes")


def test_an_absolute_trigger_is_taken(cli: Cli, log: Path) -> None:
    receipt = cli("compact", log, "--window", "200K", "--trigger", "9000", "-o", "out.jsonl", "--json").json
    assert receipt["trigger_tokens"] == 9_000
    assert receipt["outcome"] == "compacted"


def test_nothing_compactable_says_so(cli: Cli, home: Path) -> None:
    rows = [{"role": "system", "content": "word " * 9_000}, {"role": "user", "content": "Hello."}]
    log = jsonl(home / "system.jsonl", rows)
    done = cli("compact", log, "--window", "16K", "--trigger", "5000")
    assert done.code == 0
    assert done.out == log.read_bytes()
    assert "nothing can be compacted" in done.err


def test_what_can_never_fit_is_an_error(cli: Cli, home: Path) -> None:
    rows = [{"role": "system", "content": "word " * 40_000}, {"role": "user", "content": "Hello."}]
    log = jsonl(home / "system.jsonl", rows)
    cli("compact", log, *WINDOW).refused(3, "the smallest possible context has", "use a model with a larger window")


def test_the_archive_lies_where_db_says(cli: Cli, log: Path, archive_file: Path) -> None:
    assert cli("compact", log, *WINDOW, "--db", "mine.db", "-o", "out.jsonl").code == 0
    assert Path("mine.db").stat().st_mode & 0o777 == 0o600
    assert not archive_file.exists()
    assert cli("search", FACT.split()[1], "--db", "mine.db").code == 0
    assert cli("--db", "mine.db", "search", FACT.split()[1]).code == 0
