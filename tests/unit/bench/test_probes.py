from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from requirement import requirement
from unit.bench.talk import lineage
from vademecum.bench.answerers.present import present
from vademecum.bench.passages import Passage, passages
from vademecum.bench.probes.cloze import cloze
from vademecum.bench.probes.constraints import constraints
from vademecum.bench.probes.forms import Forms
from vademecum.bench.probes.future import future
from vademecum.bench.probes.mentions import mentions
from vademecum.bench.probes.planted import planted
from vademecum.bench.probes.probe import BLANK, MOST_WORDS, Probe
from vademecum.bench.probes.region import region_of
from vademecum.bench.shapes import identifiers

REGION = region_of(lineage(120), tail=2_000)


def words_are_ordinary(probe: Probe) -> bool:
    return len(probe.words) <= MOST_WORDS and not any(word in probe.gold.lower() for word in probe.words)


@requirement("B-2")
def test_cloze_golds_stand_where_they_are_said_to_and_not_in_the_tail() -> None:
    found = cloze(REGION, 200, 1)
    assert len({probe.id for probe in found}) == 200
    by_place = {
        where: text
        for where in ("user", "assistant", "call", "result")
        for text in [{(p.message, p.where): p.text for p in passages(REGION.lineage.messages) if p.where == where}]
    }
    for probe in found:
        assert probe.gold in by_place[probe.where][probe.message, probe.where]
        assert probe.message < REGION.stop
        assert BLANK in probe.question
        assert probe.gold not in probe.question
        assert words_are_ordinary(probe)
    assert not [
        probe
        for probe in found
        if any(probe.gold in p.text for p in passages(REGION.lineage.messages[REGION.stop :]))
    ]


@requirement("B-2")
def test_cloze_probes_are_balanced_over_places_and_thirds() -> None:
    found = cloze(REGION, 120, 1)
    for counts in (Counter(probe.where for probe in found), Counter(probe.third for probe in found)):
        assert max(counts.values()) <= 2 * min(counts.values())


@requirement("B-11")
def test_the_same_seed_gives_the_same_probes() -> None:
    assert cloze(REGION, 50, 7) == cloze(REGION, 50, 7)
    assert cloze(REGION, 50, 7) != cloze(REGION, 50, 8)


@requirement("B-2")
def test_future_references_are_typed_later_and_were_seen_before() -> None:
    whole = lineage(120)
    part = whole.prefix(30_000)
    region = region_of(part, tail=2_000)
    assert future(region, whole.messages[len(part.messages) :], 50, 1) == []  # every call types a new identifier
    again = future(region, whole.messages[1:7], 50, 1)
    assert {probe.gold for probe in again} == {"call-000c9", "call-001c9"}
    assert all(words_are_ordinary(probe) for probe in again)


@requirement("B-2")
def test_constraints_are_what_a_person_typed() -> None:
    found = constraints(REGION, 20, 1)
    assert len(found) == 20
    assert all(probe.gold.startswith("Please never touch") for probe in found)


@requirement("B-2")
def test_a_masked_sentence_has_one_answer() -> None:
    said = "- Bead ab-12 is closed and pushed.\n   12→import it from lib/queue.ts again\nkeep port_of_db closed"
    other = "- Bead cd-x is closed and pushed.\nimport it from lib/other.ts again\nkeep port_of_db closed"
    forms = Forms([Passage("user", 1, said), Passage("result", 2, other)])
    bead, queue, port = said.splitlines()
    assert not forms.one(bead, "ab-12")
    assert not forms.one(queue, "lib/queue.ts")
    assert forms.one(port, "port_of_db")
    assert Forms([Passage("user", 1, said)]).one(bead, "ab-12")


@requirement("B-2")
@pytest.mark.parametrize(
    ("sentence", "name", "other"),
    [
        ("const held: FolderRow = parse(text);", "FolderRow", "const held: FileRow = parse(text);"),
        ("the lock is taken with BEGIN EXCLUSIVE there", "EXCLUSIVE", "the lock is taken with BEGIN DEFERRED there"),
        ("the worker gave up after 10 min of waiting", "10 min", "the worker gave up after 110 min of waiting"),
        ("read it from lib/queue.ts first", "lib/queue.ts", "read it from lib/queue.tsx first"),
        ("fetchRows(): Promise<fetchRows> is said", "fetchRows", "nothing of that kind"),
    ],
)
def test_names_of_all_shapes_are_seen_in_the_gap(sentence: str, name: str, other: str) -> None:
    said, twin = Passage("user", 1, sentence), Passage("result", 2, other)
    assert not Forms([said, twin]).one(sentence, name)


@requirement("B-2")
def test_small_words_and_the_same_name_are_no_other_answer() -> None:
    said = "the worker gave up after 10 min of waiting\nkeep the `rowCount` of it"
    again = "the worker gave up after 10 min of waiting\nkeep the `rowCount`, of it\nkeep the number of it"
    forms = Forms([Passage("user", 1, said), Passage("result", 2, again)])
    worker, keep = said.splitlines()
    assert forms.one(worker, "10 min")
    assert forms.one(keep, "rowCount")


@requirement("B-2")
def test_a_name_also_stands_where_it_is_a_piece_of_a_longer_one() -> None:
    texts = [
        Passage("user", 1, "set sync.require_push in auth/guards, says @acme/kit"),
        Passage("result", 2, "/home/a/src/auth/guards/jwt.ts and node_modules/@acme/kit/index"),
        Passage("call", 3, "results.sync.require_push, auth/guards-old, async.require_push"),
    ]
    found, shape = mentions(texts)
    assert found["auth/guards"] == (1, 2)
    assert found["@acme/kit"] == (1, 2)
    assert found["sync.require_push"] == (1, 3)
    assert shape["sync.require_push"] == "config_key"
    assert all(present(name, [texts[at - 1].text]) for name, places in found.items() for at in places)


@requirement("B-2")
def test_an_escape_is_no_part_of_a_name() -> None:
    names = [name for _, name, _ in identifiers(r'prompt = "\nLastPrompt" + nextPrompt + "\tkeep_the_rows"')]
    assert names == ["nextPrompt"]


@requirement("B-2")
def test_what_only_asks_is_no_constraint() -> None:
    text = "Do we need to keep the old queue at all?\nPlease never touch the old queue by hand."
    region = replace(REGION, passages=(Passage("user", REGION.start, text),))
    assert [probe.gold for probe in constraints(region, 20, 1)] == ["Please never touch the old queue by hand."]


@requirement("B-2")
def test_planted_settings_change_and_the_last_value_is_gold() -> None:
    made = planted(REGION, 1)
    assert len(made.latest) == 40
    assert len(made.abstention) == 24
    texts = [passage.text for passage in passages(made.lineage.messages)]
    for probe in made.latest:
        said = [text for text in texts if " ".join(probe.words[-2:]) in text]
        order = [value for text in said for value in (*probe.stale, probe.gold) if f" {value}." in text]
        assert order == [*probe.stale, probe.gold]
        assert [shape for shape, _, _ in identifiers(probe.gold)] == [probe.shape]
    for probe in made.abstention:
        assert not any(probe.words[-2] in text for text in texts)


@pytest.mark.parametrize("kind", ["latest", "abstention"])
def test_planted_questions_are_ordinary_words(kind: str) -> None:
    for probe in getattr(planted(REGION, 1), kind):
        assert words_are_ordinary(probe)
        assert len(probe.words) >= 3
