"""What a purge takes out of texts that quote what was removed."""

import pytest

from requirement import requirement
from vademecum.archive.sqlite.upkeep.redaction import NOTICE, Redaction


@requirement("A-9")
@pytest.mark.parametrize(
    ("removed", "text", "left"),
    [
        ("the token was accepted by the server", 'carry: "token was accepted by" it', 'carry: "[purged]" it'),
        ("the token was accepted by the server", "a token was accepted", "a token was accepted"),
        ("The token\nwas accepted by the server", "THE TOKEN WAS ACCEPTED by the server.", "[purged]."),
        ("key sk-1234abcd works", "I used sk-1234abcd, then sk-1234abce", "I used [purged], then sk-1234abce"),
        ("hunter2", "it is hunter2!", "it is [purged]!"),
        ("yes", "yes, do so", "yes, do so"),
        ("", "nothing is removed", "nothing is removed"),
        ("two words", "the two words here", "the [purged] here"),
        ("die Schlüssel-Datei für den Server", "Die Schlüssel Datei für den Server?", "[purged]?"),
        ("a.b(c) [x] {y} z_1234", "regex a.b(c) [x] {y} z_1234 stays safe", "regex [purged] stays safe"),
    ],
)
def test_quotations_are_taken_out(removed: str, text: str, left: str) -> None:
    assert Redaction([removed]).text(text) == left


@requirement("A-9")
def test_a_name_that_stands_elsewhere_gives_nothing_away() -> None:
    redaction = Redaction(["see src/app.py and key-77xyz"], lambda word: word == "src/app.py")
    assert redaction.text("src/app.py, key-77xyz") == "src/app.py, [purged]"


@requirement("A-9")
def test_values_keep_their_form_and_are_themselves_where_nothing_was_in_them() -> None:
    redaction = Redaction(["assistant hunter2-77"])
    value = {"role": "assistant", "content": [{"type": "text", "text": "hunter2-77"}], "n": 1, "id": "hunter2-77"}
    made = redaction.value(value)
    assert made == {**value, "content": [{"type": "text", "text": "[purged]"}]}
    assert value["content"] == [{"type": "text", "text": "hunter2-77"}]
    same = {"role": "user", "content": ["nothing", {"a": None}]}
    assert redaction.value(same) is same


def test_a_notice_is_not_taken_out() -> None:
    said = f"{NOTICE}2026-01-02]"
    assert Redaction([said]).text(said) is said
