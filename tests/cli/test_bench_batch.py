"""A run whose models are asked by files, from the first question to the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Cli
from cli.test_json_shapes import agrees
from requirement import requirement
from unit.bench.answering import reply_to
from unit.bench.serving import Line, server
from unit.bench.talk import rows

ARMS = ("--arm", "nothing", "--arm", "recency")
RUN = ("--tokens", "45000", "--window", "40000", "--target", "8000", "--probes", "5", "--jobs", "1", *ARMS)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def answered(requests: Path, out: Path) -> int:
    """Answers every second request, in two shapes, and adds lines that are none."""
    asked = lines(requests)
    some = asked[::2] if len(asked) > 1 else asked
    told: list[dict[str, Any]] = []
    for number, row in enumerate(some):
        text = reply_to(row["body"]["messages"][1]["content"])
        if number % 2:
            told.append({"custom_id": row["custom_id"], "text": text})
        else:
            body = {"model": "m-1", "choices": [{"message": {"content": text}}]}
            told.append({"custom_id": row["custom_id"], "response": {"status_code": 200, "body": body}})
    out.write_text("".join(json.dumps(row) + "\n" for row in told) + "{torn\n", "utf-8")
    return len(some)


@requirement("B-6", "B-4")
def test_a_run_by_files_to_its_end(cli: Cli, home: Path) -> None:
    log = home / "talk.jsonl"
    log.write_text("".join(json.dumps(row) + "\n" for row in rows(150)), "utf-8")
    made = cli("bench", "run", log, "-o", "out", "--facts", "6", "--abstention", "2", *RUN)
    assert made.code == 0
    assert "vademecum bench batch write out -o requests.jsonl" in made.err
    rounds = 0
    while cli("bench", "batch", "write", "out", "-o", "asked.jsonl", "--model", "m-1").code == 0:
        count = answered(home / "asked.jsonl", home / "answers.jsonl")
        read = cli("bench", "batch", "read", "out", "answers.jsonl", "--json")
        agrees("bench_batch_read", read.json)
        assert (read.json["taken"], read.json["faults"]) == (count, {"malformed": 1})
        rounds += 1
        assert rounds < 40
    again = cli("bench", "batch", "read", "out", "answers.jsonl", "--json")
    assert (again.code, again.json["known"]) == (1, count)
    status = cli("bench", "batch", "status", "out", "--json").json
    agrees("bench_batch_status", status)
    assert status["graded"] == status["cells"] == 2 * 2 * (6 + 2)
    listed = cli("bench", "list", "out", "--json").json
    agrees("bench_runs_asked", listed)
    assert (listed["runs"][0]["models"]["facts"], listed["runs"][0]["summaries"]) == (6, None)
    shown = cli("bench", "show", "out").text
    assert "6 fact questions of" in shown
    card = cli("bench", "show", "out", "--json").json
    by_arm = {arm["arm"]: arm for arm in card["arms"]}
    assert by_arm["nothing"]["closed"]["model"]["overall"]["value"] == 0
    assert by_arm["nothing"]["search"]["model"]["overall"]["value"] > 0.5
    cli("bench", "run", log, "-o", "out", "--facts", "7", *RUN).refused(2, "something else")


def test_what_can_be_asked_of_each_model(cli: Cli, home: Path) -> None:
    log = home / "talk.jsonl"
    log.write_text("".join(json.dumps(row) + "\n" for row in rows(100)), "utf-8")
    assert cli("bench", "run", log, "-o", "out", "--facts", "3", *RUN, "-q").err == ""
    done = cli("bench", "batch", "write", "out", "-o", "asked.jsonl", "--role", "writer", "--json")
    agrees("bench_batch_written", done.json)
    assert done.json["roles"] == {"writer": done.json["requests"]}
    nothing = cli("bench", "batch", "write", "out", "-o", "none.jsonl", "--role", "judge", "--json")
    assert (nothing.code, nothing.json["requests"]) == (1, 0)
    assert "pending" in cli("bench", "batch", "status", "out").text
    cli("bench", "batch", "status", "nowhere").refused(2, "holds no run")


def replies(told: Any) -> Line:
    text = reply_to(told["messages"][1]["content"])
    return 200, {"model": told["model"], "choices": [{"message": {"content": text}}]}, {}


@requirement("B-4", "B-6")
def test_a_run_asks_endpoints_itself(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = home / "talk.jsonl"
    log.write_text("".join(json.dumps(row) + "\n" for row in rows(150)), "utf-8")
    monkeypatch.setenv("OPENAI_API_KEY", "k-other")
    monkeypatch.setenv("VADEMECUM_BENCH_KEY", "k-secret")
    with server(replies) as (where, seen), server(replies) as (judge, _):
        asked = ("--facts", "6", "--abstention", "2", "--model", where, "--judge", judge, "--threads", "3")
        done = cli("bench", "run", log, "-o", "out", *asked, *RUN)
        assert done.code == 0
        assert {headers["authorization"] for _, headers, _ in seen} == {"Bearer k-secret"}
        count = len(seen)
        again = cli("bench", "run", log, "-o", "out", *asked, *RUN)
        assert (len(seen), again.text) == (count, done.text)
    assert "pending" not in done.err
    assert "answerer: local" in done.text
    assert not [path for path in (home / "out").rglob("*") if path.is_file() and b"k-secret" in path.read_bytes()]
    one = cli("bench", "show", "out", "--arm", "nothing").text
    assert "permuted golds" in one


@requirement("B-6")
def test_calls_that_bring_no_answer_are_a_failure_that_is_told(cli: Cli, home: Path) -> None:
    log = home / "talk.jsonl"
    log.write_text("".join(json.dumps(row) + "\n" for row in rows(100)), "utf-8")
    with server((400, {"error": "the context is too long"}, {})) as (where, _):
        done = cli("bench", "run", log, "-o", "out", "--facts", "3", "--model", where, *RUN)
    assert done.code == 3
    assert "calls brought no answer, " in done.err
    assert " refused" in done.err
    assert "hint: run it again" in done.err
    assert "its fact questions are not written yet" in done.text, "what is there is shown all the same"
