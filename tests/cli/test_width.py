"""What a person reads stays within a hundred columns."""

from pathlib import Path

import pytest

from cli.conftest import Cli
from cli.transcripts import chat, jsonl
from vademecum.cli.output import WIDTH, paragraph, table


def widest(text: str) -> int:
    return max(len(line) for line in text.splitlines())


def test_the_last_column_gives_way(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [("name", "path"), ("a" * 36, f"/begin{'/x' * 90}/the-end")]
    table(rows, cut="start")
    table(rows, cut="end")
    said = capsys.readouterr().out.splitlines()
    assert (len(said[1]), len(said[3])) == (WIDTH, WIDTH)
    assert (said[1].endswith("/the-end"), said[3].endswith("…")) == (True, True)
    assert (said[1].split()[1][0], said[3].split()[1][:6]) == ("…", "/begin")


def test_a_paragraph_keeps_its_words(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(f"word-{number}" for number in range(60))
    paragraph(text)
    said = capsys.readouterr().out
    assert widest(said) <= WIDTH
    assert said.split() == text.split()


def test_sessions_diff_and_pins(cli: Cli, home: Path) -> None:
    folder = home / "a-folder-with-a-long-name" / "and-another-one-below-it" / "where-the-logs-are-kept"
    folder.mkdir(parents=True)
    log = jsonl(folder / "session.jsonl", chat(60))
    assert cli("compact", log, "--window", "64K", "--session", "n" * 36, "-o", home / "c.jsonl").code == 0
    listed = cli("sessions").text
    assert widest(listed) <= WIDTH
    assert listed.splitlines()[1].endswith("session.jsonl")
    assert "$ saved" not in listed, "no provider has reported anything"
    assert widest(cli("diff", "n" * 36).text) <= WIDTH
    assert widest(cli("pin", "word " * 40, "--session", "n" * 36).text) <= WIDTH


def test_a_lost_file_is_told(cli: Cli) -> None:
    done = cli("context", "lost.jsonl")
    assert (done.code, done.out) == (1, b"")
    assert "there is no file lost.jsonl" in done.err


def test_one_of_a_thing(cli: Cli, home: Path) -> None:
    (home / "one.jsonl").write_text('{"role": "user", "content": "hello"}\n', "utf-8")
    assert ": 1 message (1 new), 0 calls, 0 results" in cli("import", "one.jsonl").text
