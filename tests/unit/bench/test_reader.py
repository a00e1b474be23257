from __future__ import annotations

import pytest

from requirement import requirement
from vademecum.bench.answerers.present import present
from vademecum.bench.answerers.reader import Read, answer
from vademecum.bench.answerers.stands import plain, stands

APART = "\n" + "- " * 300 + "\n"


@requirement("B-4")
def test_the_reader_names_the_identifier_whose_surroundings_share_the_rarest_words() -> None:
    text = APART.join(
        [
            "the harbour build used run-00a1b2",
            "the meadow build used run-00a1b3",
            "the meadow build of the violin used run-00a1b4",
        ]
    )
    assert answer([Read(text)], "id", ("violin", "meadow", "build")).text == "run-00a1b4"
    assert answer([Read(text)], "id", ("harbour", "build")).text == "run-00a1b2"


@requirement("B-4")
def test_a_bag_of_identifiers_tells_it_nothing() -> None:
    bag = Read("\n".join(f"run-00a1b{number}" for number in range(9)))
    assert answer([bag], "id", ("violin", "meadow")).text == ""
    assert present("run-00a1b3", [bag.text])


def test_among_equals_the_later_statement_holds() -> None:
    text = APART.join(f"the delay of the falcon is now {number} ms" for number in (100, 200, 300))
    assert answer([Read(text)], "number", ("delay", "falcon")).text == "300 ms"


def test_what_was_found_is_read_together_with_what_is_kept() -> None:
    kept = Read("the harbour build used run-00a1b2")
    found = Read("the violin build used run-00a1b9")
    assert answer([kept, found], "id", ("violin", "build")).text == "run-00a1b9"
    assert answer([kept, found], "id", ("harbour", "build")).text == "run-00a1b2"


@requirement("B-2")
def test_words_that_nowhere_stand_lower_what_it_claims() -> None:
    read = Read("the delay of the falcon is now 100 ms, the weather was fine all day long in the valley")
    assert answer([read], "number", ("delay", "falcon")).share == pytest.approx(1)
    assert answer([read], "number", ("delay", "osprey")).share < 0.9


def test_present_is_whole_words_only() -> None:
    assert present("run-1a", ["x run-1a."])
    assert not present("run-1a", ["x run-1ab", "prerun-1a"])


@requirement("B-4")
def test_present_ends_a_word_where_the_reader_does() -> None:
    text = "see src/hooks.go:235-238 for it"
    assert "src/hooks.go:235" in Read(text).shapes["path"].names
    assert present("src/hooks.go:235", [text])
    assert not present("src/hooks.go:23", [text])
    assert not present("hooks.go:235", [text])


@requirement("B-2")
def test_a_constraint_stands_word_for_word_or_in_other_words() -> None:
    said = "Never push to the main branch without a review."
    assert stands(said, plain("as the user said:\n> Never push to the\n> main branch without a review.")) == 2
    assert stands(said, plain("the main branch: never push there without asking for a review first")) == 1
    assert stands(said, plain("push to main whenever you like")) == 0
