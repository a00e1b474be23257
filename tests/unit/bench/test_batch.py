from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from requirement import requirement
from vademecum.bench.calls.batch import body as body_of
from vademecum.bench.calls.batch import given_of, line_of, read, write
from vademecum.bench.calls.prompts import wording
from vademecum.bench.calls.request import Request, request_id
from vademecum.bench.calls.store import Given

REQUESTS = [
    Request(request_id("answerer", number), "answerer", "Be brief.", f"Question {number}?", 50) for number in range(3)
] + [Request(request_id("judge", 0), "judge", "Be just.", "Is it right?", 20)]


def output(id: str, body: Any, status: int = 200) -> str:
    """A line of OpenAI's batch output."""
    return json.dumps(
        {
            "id": "batch_req_1",
            "custom_id": id,
            "response": {"status_code": status, "request_id": "r", "body": body},
            "error": None,
        }
    )


def body(content: Any) -> dict[str, Any]:
    return {"model": "m-1", "choices": [{"index": 0, "message": {"role": "assistant", "content": content}}]}


@requirement("B-6")
def test_requests_are_lines_of_the_batch_format(tmp_path: Path) -> None:
    made = write(REQUESTS, tmp_path / "out.jsonl", {"answerer": "small", "judge": "large"})
    assert made.counts == {"answerer": 3, "judge": 1}
    assert made.files == (tmp_path / "out.jsonl",)
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [line["custom_id"] for line in lines] == [request.id for request in REQUESTS]
    assert all(len(line["custom_id"]) <= 64 for line in lines)
    assert {(line["method"], line["url"]) for line in lines} == {("POST", "/v1/chat/completions")}
    assert [line["body"]["model"] for line in lines] == ["small"] * 3 + ["large"]
    assert lines[0]["body"]["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Question 0?"},
    ]
    assert lines[0]["body"]["max_tokens"] == 50


@requirement("B-6")
def test_a_part_of_them_and_no_model(tmp_path: Path) -> None:
    assert write(REQUESTS, tmp_path / "out.jsonl", {}, most=2).counts.total() == 2
    assert "model" not in json.loads((tmp_path / "out.jsonl").read_text().splitlines()[0])["body"]


@requirement("B-6")
def test_a_file_is_no_longer_than_a_provider_takes(tmp_path: Path) -> None:
    """Neither by requests nor by bytes; a request that is longer than that has a file of its own."""
    size = len(line_of(REQUESTS[0], "m"))
    models = dict.fromkeys(("answerer", "judge"), "m")
    for limits, wanted in (
        ({"requests_each": 3}, [3, 1]),
        ({"bytes_each": 2 * size + 1}, [2, 2]),
        ({"bytes_each": size}, [1, 1, 1, 1]),
        ({"bytes_each": 10}, [1, 1, 1, 1]),
    ):
        made = write(REQUESTS, tmp_path / "out.jsonl", models, **limits)
        assert [path.name for path in made.files] == ["out.jsonl", "out-2.jsonl", "out-3.jsonl", "out-4.jsonl"][
            : len(wanted)
        ]
        held = [path.read_bytes().splitlines() for path in made.files]
        assert [len(lines) for lines in held] == wanted
        ids = [json.loads(line)["custom_id"] for lines in held for line in lines]
        assert ids == [request.id for request in REQUESTS]
    assert not list(tmp_path.glob("*.part"))


@requirement("B-6", "B-8")
def test_what_a_completion_tells_of_its_tokens_and_its_end() -> None:
    told = {**body("half"), "usage": {"prompt_tokens": 90, "completion_tokens": 7}}
    told["choices"][0]["finish_reason"] = "length"
    given = given_of(output("a", told))
    assert (given.finish, given.input, given.output, given.cached) == ("length", 90, 7, 0)
    told["usage"]["prompt_tokens_details"] = {"cached_tokens": 60}
    assert (given_of(output("a", told)).input, given_of(output("a", told)).cached) == (30, 60)
    for wrong in ({"usage": "none"}, {"usage": {"prompt_tokens": "many"}}, {"usage": {"prompt_tokens": -4}}):
        assert given_of(output("a", {**body("yes"), **wrong})) == Given("a", "yes", "m-1")


def test_a_model_that_thinks_has_room_for_it_and_no_temperature() -> None:
    plain, thinking = body_of(REQUESTS[0], "m"), body_of(REQUESTS[0], "m", 4_000)
    assert (plain["max_tokens"], plain["temperature"]) == (50, 0)
    assert thinking["max_completion_tokens"] == 4_050
    assert not {"max_tokens", "temperature"} & thinking.keys()


@requirement("B-6")
@pytest.mark.parametrize(
    ("line", "given"),
    [
        (output("a", body("yes")), Given("a", "yes", "m-1")),
        (
            output("a", body([{"type": "text", "text": "y"}, {"type": "text", "text": "es"}])),
            Given("a", "yes", "m-1"),
        ),
        ('{"custom_id": "a", "text": "yes"}', Given("a", "yes")),
        ('{"custom_id": "a", "text": "yes", "model": "own"}', Given("a", "yes", "own")),
        (output("a", body("yes"), status=500), Given("a", "", fault="error")),
        ('{"custom_id": "a", "response": null, "error": {"code": "batch_expired"}}', Given("a", "", fault="error")),
        (output("a", body("  ")), Given("a", "", "m-1", "empty")),
        (output("a", body(None)), Given("a", "", "m-1", "empty")),
        (output("a", body(7)), Given("a", "", "m-1", "malformed")),
        (output("a", {"choices": []}), Given("a", "", fault="malformed")),
        (output("a", None), Given("a", "", fault="malformed")),
        ('{"custom_id": "a"}', Given("a", "", fault="malformed")),
        ('{"custom_id": 3, "text": "yes"}', Given("", "", fault="malformed")),
        ("[1]", Given("", "", fault="malformed")),
        ('{"custom_id": "a", "te', Given("", "", fault="malformed")),
    ],
)
def test_an_answer_is_read_or_told_as_a_fault(line: str, given: Given) -> None:
    assert given_of(line) == given


def test_torn_bytes_and_empty_lines(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'\n{"custom_id": "a", "text": "yes"}\n\xff\xfe\n')
    assert list(read(tmp_path / "a.jsonl")) == [Given("a", "yes"), Given("", "", fault="malformed")]


def test_prompts_have_a_version_and_say_that_what_is_shown_is_data() -> None:
    for name in ("write", "query", "answer", "judge"):
        prompt = wording(name)
        assert prompt.version >= 1
        assert "data" in prompt.system
        assert "$" in prompt.user
    assert wording("judge").filled(question="q", gold="${g}", answer="$a").endswith("Given answer: $a")


def test_an_id_depends_on_all_that_is_asked() -> None:
    assert request_id("judge", "a", 1) == request_id("judge", "a", 1)
    assert len({request_id("judge", "a", 1), request_id("judge", "a", 2), request_id("writer", "a", 1)}) == 3
