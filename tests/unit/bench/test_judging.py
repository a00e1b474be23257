from __future__ import annotations

from dataclasses import replace

import pytest

from requirement import requirement
from vademecum.bench.calls.tolerant import objects, score_in
from vademecum.bench.judging import by_rule, says_unknown
from vademecum.bench.probes.probe import Probe

FACT = Probe(
    "f_1", "fact", "id", "id", "assistant", 2, "early", 1, "Which run does the build use?", ("build",), "run-00a1b8"
)
NUMBER = replace(FACT, shape="number", gold="1,200 ms", question="How long does it wait?")
PHRASE = replace(FACT, shape="phrase", gold="the cache was stale", question="Why did it fail?")
NOTHING = replace(FACT, kind="abstention", gold="", question="What is the memory ceiling now?", shape="number")


@requirement("B-5")
@pytest.mark.parametrize(
    ("probe", "answer", "points"),
    [
        (FACT, "run-00a1b8", 2),
        (FACT, "`RUN-00a1b8`.", 2),
        (FACT, 'It is "run-00a1b8", as of now.', 2),
        (FACT, "run-00a1b8 or run-00a1b9", 1),
        (FACT, "I do not know, perhaps run-00a1b8", 1),
        (FACT, "run-00a1b9", 0),
        (FACT, "run-00a1b80", 0),
        (FACT, "It is not run-00a1b8.", 0),
        (FACT, "run-00a1b8, not run-00a1b9", 2),
        (FACT, "run-00a1b9 rather than run-00a1b8", 0),
        (FACT, "I do not know", 0),
        (NUMBER, "1200ms", 2),
        (NUMBER, "It waits 1,200 ms.", 2),
        (NUMBER, "300 ms or 1,200 ms", 1),
        (NUMBER, "11,200 ms", 0),
        (PHRASE, "The cache was stale.", 2),
        (PHRASE, "I don't know", 0),
        (PHRASE, "The cache held old values", None),
        (PHRASE, "I do not know, maybe the cache was stale", None),
        (NOTHING, "I do not know", 2),
        (NOTHING, "That is not mentioned in the context.", 2),
        (NOTHING, "I don’t know, but it may be 300 MB", 1),
        (NOTHING, "300 MB", 0),
        (replace(PHRASE, gold="17"), "17", 2),
        (replace(PHRASE, gold="17"), "There were 17 of them", 2),
        (replace(PHRASE, gold="17"), "There were 18", 0),
    ],
)
def test_the_judge_without_a_model(probe: Probe, answer: str, points: int | None) -> None:
    assert by_rule(probe, answer) == points


def test_a_name_that_the_question_has_is_not_counted_as_another_answer() -> None:
    probe = replace(FACT, question="Which run came after run-00a1b7?")
    assert by_rule(probe, "After run-00a1b7 came run-00a1b8") == 2


def test_unknown_is_said_and_not_merely_a_word() -> None:
    assert says_unknown("I cannot tell from this.")
    assert not says_unknown("The known limit is 7; I know it.")


@requirement("B-5")
@pytest.mark.parametrize(
    ("text", "score"),
    [
        ('{"score": 2}', 2),
        ('```json\n{"score": 1}\n```', 1),
        ('Well: {"score": "0"} since it is wrong', 0),
        ("2", 2),
        ("Score: 1/2", 1),
        ("**2**", 2),
        ("", None),
        ("correct", None),
        ('{"score": 5}', None),
        ('{"score": true}', None),
        ("I give it 2 of 3", None),
    ],
)
def test_a_score_is_read_or_not(text: str, score: int | None) -> None:
    assert score_in(text) == score


@requirement("B-2")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('[{"a": 1}, {"a": 2}]', [1, 2]),
        ('Sure [1]:\n```json\n[{"a": 1}]\n```\nbye {"a": 9}', [1]),
        ('{"questions": [{"a": 1}]}', [1]),
        ('{"a": 1}\n{"a": 2}', [1, 2]),
        ('[{"a": 1}, {"a": 2', [1]),
        ("[]", []),
        ("none at all", None),
        ("see [1] and {x}", None),
        ("[" * 5_000, None),
    ],
)
def test_json_is_found_in_talk(text: str, found: list[int] | None) -> None:
    rows = objects(text)
    assert (None if rows is None else [row["a"] for row in rows]) == found
