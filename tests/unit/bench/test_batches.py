"""Batch files know every model of a run: the one that summarises, and those that ask, answer and judge."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from pathlib import Path

import pytest

from requirement import requirement
from unit.bench.answering import reply_to
from unit.bench.summing import summarizes
from unit.bench.talk import lineage
from vademecum.bench.arms.table import chosen
from vademecum.bench.batches import Batches
from vademecum.bench.calls.batch import given_of
from vademecum.bench.calls.request import EVERY_ROLE, Request
from vademecum.bench.calls.store import Given
from vademecum.bench.interview.prepare import plan_of, prepare
from vademecum.bench.lineage import save
from vademecum.bench.listing import listing
from vademecum.bench.run import Run, run
from vademecum.bench.setting import Setting
from vademecum.bench.summaries.desk import Desk
from vademecum.bench.summaries.drive import summarized
from vademecum.bench.summaries.plan import Plan
from vademecum.errors import ConfigError

SETTING = Setting(tokens=30_000, window=30_000, target=6_000, cloze=20, others=5)
PLAN = Plan("small", window=9_000)
ARMS = ("nothing", "summary-only", "vademecum-active")


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run whose summaries wait."""
    folder = tmp_path_factory.mktemp("batches")
    asked = Run(folder / "run", {"made": save(lineage(90), folder)}, SETTING, chosen(ARMS, model=True))
    run(asked)
    PLAN.begin(asked.folder)
    assert summarized(asked, Desk(asked.folder, PLAN)) == 2
    return asked


@pytest.fixture
def copy(waiting: Run, tmp_path: Path) -> Run:
    shutil.copytree(waiting.folder, tmp_path / "run")
    return Run(tmp_path / "run", waiting.lineages, SETTING, waiting.rows)


def answers(requests: list[Request]) -> list[Given]:
    return [
        summarizes(request) if request.role == "summarizer" else Given(request.id, reply_to(request.prompt), "m-1")
        for request in requests
    ]


def results(asked: Run) -> dict[str, str]:
    return {name: asked.result("made", name).read_text("utf-8") for name in ARMS[1:]}


@requirement("B-6", "B-11")
def test_answers_in_parts_lead_to_the_results_that_an_endpoint_leads_to(copy: Run, tmp_path: Path) -> None:
    rounds = 0
    while True:
        with Batches(copy.folder) as batches:
            requests = list(batches.pending())
            if not requests:
                break
            assert batches.status()["pending"] == {**dict.fromkeys(EVERY_ROLE, 0), "summarizer": len(requests)}
            # A part of the answers; one error, one empty text, a torn line, one of another run, one of another role.
            told = answers([request for at, request in enumerate(requests) if at % 3 != 1])
            lost = [given_of('{"torn'), *(Given(request.id, "", fault="error") for request in requests[1:2])]
            others = [Given("summarizer-0", "of another run"), Given("judge-0", "of nobody")]
            taken = batches.take([*lost, *others, *told, told[0]])
            in_part = {one.id for one in told}
            assert (taken.taken, taken.known, taken.unknown) == (len(in_part), 1, 2)
            assert taken.faults.total() == len(lost)
        rounds += 1
        assert rounds < 40
    assert rounds > 2, "notes are joined after all stretches are summarised"
    whole = Run(tmp_path / "whole", copy.lineages, SETTING, copy.rows)
    run(whole)
    PLAN.begin(whole.folder)
    assert summarized(whole, Desk(whole.folder, PLAN, ask=summarizes)) == 0
    assert results(copy) == results(whole)
    assert not (copy.folder / "summary_pending.jsonl").exists()
    with Batches(copy.folder) as batches:
        status = batches.status()
    assert status["faults"]["error"] > 0
    assert status["answered"]["summarizer"] == len((copy.folder / "summary_answers.jsonl").read_text().splitlines())
    assert status["models"] == {"summarizer": ["small-1"]}


@requirement("B-6")
def test_answers_to_what_others_lead_to_are_taken_at_once(copy: Run) -> None:
    known: dict[str, Given] = {}

    def remembered(request: Request) -> Given:
        return known.setdefault(request.id, summarizes(request))

    whole = Run(copy.folder.parent / "whole", copy.lineages, SETTING, copy.rows)
    run(whole)
    PLAN.begin(whole.folder)
    summarized(whole, Desk(whole.folder, PLAN, ask=remembered))
    with Batches(copy.folder) as batches:
        taken = batches.take(reversed(known.values()))
        assert (taken.taken, taken.unknown) == (len(known), 0)
        assert list(batches.pending()) == []
    assert results(copy) == results(whole)


@requirement("B-6")
def test_one_run_has_calls_of_all_its_models(copy: Run) -> None:
    with Batches(copy.folder) as batches:
        while requests := list(batches.pending()):
            batches.take(answers(requests))
    prepare(copy, plan_of(copy, 3, 1, 1))
    roles: set[str] = set()
    with Batches(copy.folder) as batches:
        while requests := list(batches.pending()):
            roles |= {request.role for request in requests}
            batches.take(answers(requests))
        status = batches.status()
    assert roles >= {"writer", "answerer"}
    assert "summarizer" not in roles
    assert {role for role, count in status["answered"].items() if count} == {*roles, "summarizer"}
    assert status["graded"] == status["cells"] > 0
    assert status["models"]["summarizer"] == ["small-1"]


@requirement("B-6")
def test_a_run_makes_no_more_calls_than_allowed_by_files_either(copy: Run) -> None:
    summarized(copy, Desk(copy.folder, PLAN, most=2))
    with Batches(copy.folder) as batches:
        requests = list(batches.pending())
        assert (len(requests), batches.held_back) == (2, batches.status()["pending"]["summarizer"] - 2)
        assert batches.take(answers(requests)).taken == 2
        assert list(batches.pending()) == []
        assert batches.held_back > 0


@requirement("B-6")
def test_a_list_of_runs_tells_what_waits_for_summaries(copy: Run) -> None:
    (told,) = listing([copy.folder])
    with Batches(copy.folder) as batches:
        pending = len(list(batches.pending()))
    assert told["summaries"] == {"model": "small", "replicates": 1, "answers": 0, "pending": pending}
    assert told["missing"] == [["made", name] for name in sorted(ARMS[1:])]


@requirement("B-6")
def test_what_the_run_was_made_of_may_be_gone(copy: Run) -> None:
    begun = json.loads((copy.folder / "summary_begun.json").read_text("utf-8"))
    (copy.folder / "summary_begun.json").write_text(
        json.dumps({**begun, "lineages": {"made": str(copy.folder / "gone.jsonl")}}), "utf-8"
    )
    with Batches(copy.folder) as batches:
        requests = list(batches.pending())
        with pytest.raises(ConfigError, match=r"gone\.jsonl"):
            batches.take(answers(requests))
        assert list(batches.pending()) == [], "the answers are kept"


def test_a_run_without_models_has_no_calls(waiting: Run, tmp_path: Path) -> None:
    plain = Run(tmp_path / "plain", waiting.lineages, SETTING, chosen(["nothing"]))
    run(plain)
    with pytest.raises(ConfigError, match="model"):
        Batches(plain.folder)


def test_requests_are_written_and_read_as_they_are(copy: Run) -> None:
    rows = [json.loads(line) for line in (copy.folder / "summary_pending.jsonl").read_text("utf-8").splitlines()]
    with Batches(copy.folder) as batches:
        assert [asdict(request) for request in batches.pending()] == rows
