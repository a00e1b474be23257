from __future__ import annotations

from typing import Any

import pytest

from requirement import requirement
from unit.bench.talk import lineage
from vademecum.bench.lineage import Lineage
from vademecum.bench.probes.facts import PHRASE, Facts, facts
from vademecum.bench.probes.region import region_of
from vademecum.bench.probes.slices import slices, spread

REGION = region_of(lineage(120), tail=2_000)
GOOD = {
    "question": "Which delegation does the first build depend on since the change?",
    "gold": "run-000b8",
    "message": 2,
}


def checked(*rows: Any, most: int = 60) -> Facts:
    return facts(REGION, {0: rows}, most, 1)


@requirement("B-2")
@pytest.mark.parametrize("facts_wanted", [15, 60])
def test_slices_are_the_whole_region(facts_wanted: int) -> None:
    made = slices(REGION, facts_wanted, tokens=2_000)
    assert "".join(record.text for part in made for record in part.records) == "".join(
        text.text for text in REGION.asked()
    )
    sizes = [sum(len(record.text) for record in part.records) for part in made]
    assert max(sizes) <= 8_000
    assert min(sizes) > 0.8 * max(sizes)
    assert sum(part.count for part in made) >= 1.5 * facts_wanted - len(made)
    assert [record.message for record in made[-1].records][-1] == REGION.asked()[-1].message


def test_a_spread_order_has_every_number_and_no_end_first() -> None:
    for count in (1, 2, 7, 40):
        assert sorted(spread(count)) == list(range(count))
    first = spread(40)[:10]
    assert max(b - a for a, b in zip(sorted(first), sorted(first)[1:], strict=False)) <= 8


@requirement("B-2")
def test_a_good_question_is_located_and_can_be_searched_for() -> None:
    (probe,) = checked(GOOD).probes
    assert (probe.kind, probe.shape, probe.where, probe.message) == ("fact", "id", "assistant", 2)
    assert (probe.third, probe.stated) == ("early", 1)
    assert 3 <= len(probe.words) <= 6
    assert set(probe.words) <= set(GOOD["question"].lower().rstrip("?").split())


@requirement("B-2")
@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"gold": "run-77777"}, "not_there"),
        ({"gold": "plain filler line of the report", "message": 1}, "in_tail"),
        ({"gold": "run-077b8", "message": None}, "in_tail"),
        ({"gold": "large project"}, "in_head"),
        ({"question": "What is run-000b8, on which the build depends?"}, "names_gold"),
        ({"question": "What is it?"}, "no_words"),
        ({"gold": ""}, "malformed"),
        ({"gold": 7}, "malformed"),
        ({"question": None}, "malformed"),
        ({"gold": "x" * 300}, "malformed"),
    ],
)
def test_a_bad_question_is_refused_for_what_is_wrong_with_it(change: dict[str, Any], why: str) -> None:
    found = checked({**GOOD, **change})
    assert (found.probes, dict(found.rejects), found.written) == ((), {why: 1}, 1)


@requirement("B-2")
def test_a_gold_that_stands_in_several_messages_must_be_where_the_writer_says() -> None:
    rows = [*lineage(120).messages]
    again = rows[2].wire | {"content": "As said, run-000b8 is what the build depends on."}
    rows[8] = lineage(1).dialect.load({key: again[key] for key in ("role", "content")}, 8)
    region = region_of(Lineage("twice", lineage(1).dialect, tuple(rows)), tail=2_000)
    assert [probe.message for probe in facts(region, {0: [{**GOOD, "message": 8}]}, 9, 1).probes] == [8]
    assert dict(facts(region, {0: [{**GOOD, "message": 5}]}, 9, 1).rejects) == {"not_located": 1}


@requirement("B-2")
def test_duplicates_are_asked_once() -> None:
    other = {**GOOD, "question": "On which delegation did the work of the first round depend?"}
    same = {**GOOD, "gold": "run-001b8", "message": 5}
    assert dict(checked(GOOD, other, same, GOOD).rejects) == {"duplicate": 3}


def test_what_is_wrongly_numbered_is_found_where_it_stands() -> None:
    for told in (999, "4", None, "2"):
        (probe,) = checked({**GOOD, "message": told}).probes
        assert probe.message == 2


def test_a_gold_in_words_is_a_phrase() -> None:
    (probe,) = checked({**GOOD, "gold": "settings of round user-000a7", "message": 1}).probes
    assert (probe.shape, probe.where) == (PHRASE, "user")


@requirement("B-2", "B-11")
def test_few_questions_are_chosen_from_everywhere() -> None:
    written = {
        number: [
            {
                "question": f"Which delegation did round number {number} {word} depend on?",
                "gold": f"run-{3 * number + at:03x}b8",
                "message": 2 + 3 * (3 * number + at),
            }
            for at, word in enumerate(("early", "middle", "late"))
        ]
        for number in range(36)
    }
    found = facts(REGION, written, 6, 1)
    assert len(found.probes) == 6
    assert len({probe.third for probe in found.probes}) == 3
    assert found == facts(REGION, written, 6, 1)
    assert found.spare == found.written - sum(found.rejects.values()) - 6
