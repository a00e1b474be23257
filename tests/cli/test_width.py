"""What a person reads stays within a hundred columns."""

from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Cli
from cli.transcripts import chat, jsonl
from requirement import requirement
from vademecum.bench.arms.table import ARMS, CHEATS
from vademecum.cli.bench.compare import shown as comparison
from vademecum.cli.bench.model_tables import models_table
from vademecum.cli.bench.tables import arms_table
from vademecum.cli.output import WIDTH, paragraph, table
from vademecum.cli.verb import Common


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


def card(names: list[str]) -> dict[str, Any]:
    """A scorecard with figures as wide as they come."""
    full = {"value": 1.0, "low": 0.991, "high": 1.0}
    model = {
        "overall": full, "asked": 1_000, "pending": 88, "parse_failures": 12, "permuted": full,
        "abstention": {**full, "asked": 8}, "needed": 385,
    }  # fmt: skip
    figures = {
        "overall": full, "present": full, "relative": 1.0, "permuted": full, "needed": 385, "replicates": [],
        "kinds": {"latest": {"stale": 40}}, "model": model,
    }  # fmt: skip
    about = {"asked": 60, "written": 100, "rejects": {f"reason_{at}": at for at in range(9)}, "unreadable": 0}
    arm = {"tokens": 499_580, "seconds": 1_000.1, "model": None, "invented": 999, "details": {}}
    return {
        "arms": [{"arm": name, **arm, "closed": figures, "search": figures} for name in names],
        "probes": {name: {"cloze": 1_000} for name in ("first", "second", "third")},
        "summaries": {"model": "m" * 30, "window": 128_000, "calls": 999, "faults": {"refused": 3}},
        "models": {"questions": {"first": about}, "replicates": 3, "models": {"answerer": ["m" * 20] * 4}},
    }


@requirement("B-5", "B-10")
def test_tables_of_the_bench(capsys: pytest.CaptureFixture[str]) -> None:
    told = card([row.name for row in (*ARMS, *CHEATS)])
    arms_table(told)
    models_table(told)
    said = capsys.readouterr().out
    assert widest(said) <= WIDTH
    said = " ".join(said.split())
    for answerer in ("reader", "model"):
        assert f"controls, {answerer} %: no context 100.0 [99–100]; search only 100.0" in said
    assert said.count("permuted golds at most 100.0") == 2
    assert "independent questions" in said
    told["arms"] = [arm for arm in told["arms"] if arm["arm"] != "nothing"]
    arms_table(told)
    assert "no context – (arm nothing was not run)" in " ".join(capsys.readouterr().out.split())


def test_two_runs_of_the_bench(capsys: pytest.CaptureFixture[str]) -> None:
    row = {
        "mode": "search", "asked": 3_000, "before": 1.0, "after": 1.0, "p_holm": 1.0, "verdict": "better",
        "difference": {"value": -1.0, "low": -1.0, "high": -1.0},
    }  # fmt: skip
    names = [row.name for row in ARMS]
    rows = [{"arm": name, "answerer": answerer, **row} for answerer in ("reader", "model") for name in names]
    tokens = {name: [499_580, 40_000 + at] for at, name in enumerate(names[1:])}
    found = {"rows": rows, "tokens": tokens | {names[0]: [1, 1]}, "setting": {}, "runs": ["a", "b"], "only": [[], []]}
    comparison(Common(), found)
    said = capsys.readouterr().out
    assert widest(said) <= WIDTH
    assert "499,580 → 40,003" in said
    assert "the same in 1 arm" in said


def test_a_lost_file_is_told(cli: Cli) -> None:
    done = cli("context", "lost.jsonl")
    assert (done.code, done.out) == (1, b"")
    assert "there is no file lost.jsonl" in done.err


def test_one_of_a_thing(cli: Cli, home: Path) -> None:
    (home / "one.jsonl").write_text('{"role": "user", "content": "hello"}\n', "utf-8")
    assert ": 1 message (1 new), 0 calls, 0 results" in cli("import", "one.jsonl").text
