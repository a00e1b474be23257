"""A run whose arms a model summarises for: by files, and by an endpoint."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Cli
from cli.test_json_shapes import agrees
from requirement import requirement
from unit.bench.serving import Line, server
from unit.bench.summing import summary_of
from unit.bench.talk import rows

ARMS = ("--arm", "nothing", "--arm", "summary-only", "--arm", "vademecum-active")
SIZES = ("--tokens", "30000", "--window", "30000", "--target", "6000", "--probes", "20", "--jobs", "1")
SMALL = ("--summary-window", "12000")


@pytest.fixture
def log(home: Path) -> Path:
    path = home / "talk.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows(90)), "utf-8")
    return path


def replies(told: Any) -> Line:
    text = summary_of(told["messages"][1]["content"])
    usage = {"prompt_tokens": 1_000, "completion_tokens": 200}
    return 200, {"model": told["model"], "choices": [{"message": {"content": text}}], "usage": usage}, {}


@requirement("B-3", "B-6", "B-8")
def test_files_and_an_endpoint_come_to_the_same_recall(cli: Cli, home: Path, log: Path) -> None:
    run = ("bench", "run", log, *SIZES, *ARMS, *SMALL)
    by_files = (*run, "-o", "files", "--summary-batch", "asked", "--summary-model", "local")
    rounds = 0
    while (done := cli(*by_files)).code == 1:
        assert "2 results wait for summaries" in done.err
        assert "put the answers as *.jsonl into asked" in done.err
        told: list[str] = []
        for line in (home / "asked" / "requests.jsonl").read_text("utf-8").splitlines():
            asked = json.loads(line)
            assert asked["body"]["model"] == "local"
            _, body, _ = replies(asked["body"])
            response = {"status_code": 200, "body": body}
            told.append(json.dumps({"custom_id": asked["custom_id"], "response": response}))
        (home / "asked" / f"answers-{rounds}.jsonl").write_text("\n".join([*told, "{torn"]), "utf-8")
        rounds += 1
        assert rounds < 9
    assert done.code == 0
    assert rounds > 1
    assert not (home / "asked" / "requests.jsonl").exists(), "nothing is pending"
    with server(replies) as (where, seen):
        asked = (*run, "-o", "sent", "--summary-model", where)
        sent = cli(*asked, "--json")
        count = len(seen)
        assert cli(*asked).code == 0
        assert len(seen) == count, "what is done is not asked again"
    card = cli("bench", "show", "files", "--json").json
    assert (sent.code, sent.json) == (0, {**card, "arms": sent.json["arms"]})
    for ours, theirs in zip(sent.json["arms"], card["arms"], strict=True):
        assert (ours["arm"], ours["tokens"], ours["closed"]) == (theirs["arm"], theirs["tokens"], theirs["closed"])
        assert (ours["model"], ours["details"]) == (theirs["model"], theirs["details"])
    assert {arm["model"] for arm in card["arms"]} == {None, "local"}
    assert card["summaries"]["calls"] == count
    assert "summaries by local" in cli("bench", "show", "files").text


@requirement("B-6")
def test_calls_are_bounded(cli: Cli, home: Path, log: Path) -> None:
    run = ("bench", "run", log, *SIZES, *ARMS, *SMALL, "--max-calls", "3")
    done = cli(*run, "-o", "files", "--summary-batch", "asked")
    assert done.code == 1
    assert len((home / "asked" / "requests.jsonl").read_text("utf-8").splitlines()) == 3
    assert "model" not in json.loads((home / "asked" / "requests.jsonl").read_text("utf-8").splitlines()[0])["body"]
    assert "--max-calls 3" in done.err
    with server(replies) as (where, seen):
        done = cli(*run, "-o", "sent", "--summary-model", where)
        assert (done.code, len(seen)) == (1, 3)
        assert "--max-calls 3 is reached: 2 results wait" in done.err


@requirement("B-6")
def test_a_model_that_refuses_is_a_failure_and_the_options_have_to_agree(cli: Cli, home: Path, log: Path) -> None:
    run = ("bench", "run", log, *SIZES, *ARMS)
    with server((400, {"error": "too long"}, {})) as (where, _):
        done = cli(*run, "-o", "out", "--summary-model", where)
        done.refused(3, "calls of local brought no text", "run it again")
        assert "refused" in done.err
        cli(*run, "-o", "out", "--summary-model", where, "--summary-batch", "b").refused(2, "asks nobody")
    cli(*run, "-o", "out", "--summary-model", "other", "--summary-batch", "b").refused(2, "another plan")
    cli(*run, "-o", "out", "--summary-model", "other").refused(2, "no URL#MODEL")
    cli(*run, "-o", "out").refused(2, "no model is there to summarise", "give --summary-model")


@requirement("B-6")
def test_batch_verbs_carry_summaries_too(cli: Cli, home: Path, log: Path) -> None:
    run = (
        "bench",
        "run",
        log,
        *SIZES,
        *ARMS,
        *SMALL,
        "-o",
        "out",
        "--summary-batch",
        "asked",
        "--summary-model",
        "m",
    )
    assert cli(*run).code == 1
    status = cli("bench", "batch", "status", "out", "--json").json
    agrees("bench_batch_status_summaries", status)
    assert status["pending"]["summarizer"] > 0
    assert status["cells"] == 0
    listed = cli("bench", "list", "out", "--json").json
    agrees("bench_runs_summaries", listed)
    assert listed["runs"][0]["summaries"]["pending"] == status["pending"]["summarizer"]
    rounds = 0
    while (made := cli("bench", "batch", "write", "out", "-o", "requests.jsonl", "--json")).code == 0:
        assert made.json["roles"] == {"summarizer": made.json["requests"]}
        told: list[str] = []
        for line in (home / "requests.jsonl").read_text("utf-8").splitlines():
            asked = json.loads(line)
            assert asked["body"]["model"] == "m", "as the run was begun"
            text = summary_of(asked["body"]["messages"][1]["content"])
            told.append(json.dumps({"custom_id": asked["custom_id"], "text": text}))
        (home / "answers.jsonl").write_text("\n".join([*told, "{torn"]), "utf-8")
        read = cli("bench", "batch", "read", "out", "answers.jsonl", "--json")
        assert (read.json["taken"], read.json["faults"]) == (len(told), {"malformed": 1})
        rounds += 1
        assert rounds < 9
    assert rounds > 1
    assert cli("bench", "batch", "read", "out", "answers.jsonl", "--json").json["known"] == len(told)
    assert cli("bench", "batch", "write", "out", "-o", "none.jsonl", "--role", "writer").code == 1
    assert "summaries by m" in cli("bench", "show", "out").text
    assert cli(*run).code == 0, "nothing waits"
