"""Sentences, and the kinds of saying that must survive."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from requirement import requirement
from vademecum.core.facts.sentences import (
    LONGEST,
    error_lines,
    failed_exit,
    is_constraint,
    is_decision,
    sentences,
)


@requirement("C-22")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two.", ["One. Two."]),
        ("- a point\n* another\n3. a third\n## a head", ["a point", "another", "a third", "a head"]),
        ("\n\n---\n| --- | --- |\n===\n", []),
        ("> quoted", ["quoted"]),
        ("A" * 100 + ". " + "B" * 100 + "! " + "C" * 10, ["A" * 100 + ".", "B" * 100 + "!", "C" * 10]),
        ("这是第一句。" * 40, ["这是第一句。"] * 40),
        ("x" * 1_000, ["x" * LONGEST]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert list(sentences(text)) == expected


@given(text=st.text(alphabet=st.characters(), max_size=2_000))
def test_a_sentence_is_a_stretch_of_the_text(text: str) -> None:
    for sentence in sentences(text):
        assert sentence in text
        assert 0 < len(sentence) <= LONGEST
        assert sentence == sentence.strip()


@requirement("C-23")
@pytest.mark.parametrize(
    "rule",
    [
        "Never force push to main.",
        "always run the tests first",
        "Please do not touch the migrations",
        "don't use sleep in tests",
        "You must keep the API stable",
        "use tabs, not spaces",
        "ok, keep it short",
        "make sure the port stays 5433",
        "we need to support Python 3.11",
        "fix it without changing the schema",
        "Nunca altere o arquivo de configuração",
        "不要修改数据库",
        "必ずテストを実行",
        "никогда не удаляй файлы",
        "siempre usa UTC",
    ],
)
def test_rules_are_rules(rule: str) -> None:
    assert is_constraint(rule)


@requirement("C-23")
@pytest.mark.parametrize(
    "other",
    ["The weather is fine.", "I looked at the file.", "What is this?", "Thanks!", "a user story", "mustard"],
)
def test_other_sentences_are_none(other: str) -> None:
    assert not is_constraint(other)


@requirement("C-22")
@pytest.mark.parametrize(
    "text", ["We decided on SQLite", "the root cause is a race", "chose zlib over lz4", "porque falha"]
)
def test_decisions(text: str) -> None:
    assert is_decision(text)


@pytest.mark.parametrize("text", ["I look at it now", "the causal chain", "undecidable"])
def test_no_decisions(text: str) -> None:
    assert not is_decision(text)


@requirement("C-22")
def test_error_lines_are_the_first_that_differ() -> None:
    text = "start\nerror: one thing\nerror: one thing\nfine\nTraceback (most recent call last)\nE0277 mismatched\n"
    assert error_lines(text, 2) == ["error: one thing", "Traceback (most recent call last)"]
    assert error_lines(text, 9)[-1] == "E0277 mismatched"
    assert error_lines("error", 9) == []
    assert error_lines("all is well that ends well", 9) == []
    assert len(error_lines("error " + "x" * 1_990, 1)[0]) == LONGEST


@requirement("C-22")
@pytest.mark.parametrize(
    ("text", "failed"),
    [
        ("Exit code 1", True),
        ("exit status 127", True),
        ("exited with code 2", True),
        ("Exit code 0", False),
        ("exit code 10", True),
        ("rc=3", True),
        ("all good", False),
        ("x" * 3_000 + "\nexit code 1", True),
        ("exit code 1\n" + "x" * 3_000, True),
        ("x" * 3_000 + "\nexit code 1\n" + "x" * 3_000, False),
    ],
)
def test_exits(text: str, failed: bool) -> None:
    assert failed_exit(text) == failed


@given(text=st.text(alphabet=st.characters(), max_size=500))
def test_nothing_raises(text: str) -> None:
    is_constraint(text)
    is_decision(text)
    failed_exit(text)
    error_lines(text, 6)
