"""Which of a person's sentences bind the agent, and which of a message the person typed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from requirement import requirement
from unit.bench.talk import lineage
from vademecum.bench.passages import Passage
from vademecum.bench.probes.binding import is_rule, rules, typed
from vademecum.bench.probes.constraints import constraints
from vademecum.bench.probes.region import region_of

RULE = "Please never touch the garden schedule by hand."


@requirement("B-2")
@pytest.mark.parametrize(
    "sentence",
    [
        RULE,
        "and also don't rename the planting calendar",
        "ok, dont push the seed catalogue to the server",
        "Always water the northern beds before sunrise.",
        "keep the `soil` table sorted by acidity",
        "only count beds that carry living plants",
        "Use the shared rake instead of a private one per gardener.",
        "Preserve the climbing roses along the fence",
        "make sure every greenhouse reports its temperature",
        "yes, but never open the greenhouse windows overnight",
        "The watering plan must not mention private gardens.",
        "The catalogue should never list frozen bulbs.",
        "Workers should not edit the harvest ledger.",
        "I'd rather plant tulips along the southern fence",
        "we don't want automatic watering during winter",
        "let's not store harvest figures inside the calendar",
        "maybe let's not store harvest figures inside the calendar",
        "Every bed needs a label with its planting date.",
        "One folder per season should hold the harvest, not one shared ledger.",
        "Spawn extra gardeners only once the greenhouse is heated.",
        "Repaint the fence without touching the climbing roses.",
        "Não altere o calendário das estufas.",
        "Nunca cambies el calendario del invernadero.",
        "Évite les engrais chimiques dans la serre.",
        "Der Gießplan darf niemals private Gärten nennen.",
    ],
)
def test_rules(sentence: str) -> None:
    assert is_rule(sentence)


@requirement("B-2")
@pytest.mark.parametrize(
    "sentence",
    [
        # Questions, with and without their mark.
        "must we keep the planting calendar sorted",
        "can you make sure the greenhouse windows stay closed",
        "so should we always water the northern beds first",
        "the beds must be watered before sunrise, right",
        "is the greenhouse never heated during winter",
        "please confirm that gardeners must label their beds",
        "why should gardeners never water the northern beds",
        "devo sempre regar os canteiros antes do inverno",
        # Told, guessed, or felt.
        "I never saw the northern beds flooded before",
        "I don't think gardeners must water the northern beds",
        "don't know why the northern beds were flooded",
        "there must be another gardener watering the northern beds",
        "the beds must have been watered yesterday evening",
        "perhaps gardeners should never water the northern beds",
        "the pump keeps stopping and it never waters the northern beds",
        "this should not happen during watering of northern beds",
        "the northern beds only flood during heavy autumn storms",
        "only the northern beds flooded during autumn storms",
        "Fixed the pump without touching the northern beds.",
        # Of something else, or pieces.
        "water the northern beds and repaint the wooden fence",
        'the label says "never water the northern beds" in red',
        "never water the northern beds (and that includes e.g.",
        'only if the gardener changed the northern beds."',
        "Always remember the following while gardening outdoors:",
        "don't do that again",
    ],
)
def test_no_rules(sentence: str) -> None:
    assert not is_rule(sentence)


@requirement("B-2")
@pytest.mark.parametrize(
    "pasted",
    [
        f"```text\n{RULE}\n```",
        f"> {RULE}",
        f'"{RULE}"',
        f"| rule | {RULE} |",
        f"<review>\nnote\n{RULE}\n</review>",
        f"<note>{RULE}</note>",
        f"12:03:44 {RULE}",
        f"WARN {RULE}",
        f"⎿ {RULE}",
        f"// {RULE}",
        f"garden.py:12: {RULE}",
        f"- **Care**: {RULE} [3](#0-2)",
        f"# Care of gardens\n\n{RULE}",
        f"**Care of gardens**\n{RULE}",
        f"here is the review:\nnothing to add\n{RULE}",
    ],
)
def test_what_is_pasted_is_not_the_persons(pasted: str) -> None:
    assert list(rules(f"look at this\n{pasted}")) == []


@requirement("B-2")
def test_what_stands_around_a_paste_is_the_persons() -> None:
    text = f"- {RULE}\n```\nnever water the garden at noon\n```\n2) Always water the northern beds before sunrise."
    assert list(rules(text)) == [RULE, "Always water the northern beds before sunrise."]


@requirement("B-2")
def test_what_a_person_announces_to_do_is_no_paste() -> None:
    assert list(rules(f"Plant the southern bed step by step:\n{RULE}")) == [RULE]


@requirement("B-2")
def test_of_a_long_message_that_is_mostly_a_paste_only_the_beginning_counts() -> None:
    log = "\n".join(f"12:03:{second:02} the pump of bed {second} has started" for second in range(60))
    after = "Always water the northern beds before sunrise."
    assert list(rules(f"{RULE}\n{log}\n{after}")) == [RULE]
    assert list(rules(f"{RULE}\n{log[:200]}\n{after}")) == [RULE, after]


@requirement("B-2")
def test_a_tag_that_is_never_closed_hides_its_line_only() -> None:
    assert typed(f"<p>\n{RULE}") == [RULE]


@requirement("B-2")
def test_a_rule_that_is_said_in_the_tail_too_is_not_asked_for() -> None:
    region = region_of(lineage(120), tail=2_000)
    other = "Always water the northern beds before sunrise."
    said = (Passage("user", region.start, RULE), Passage("user", region.start + 3, f"{RULE}\n{other}"))
    found = constraints(replace(region, passages=said), 20, 1)
    assert {probe.gold: probe.stated for probe in found} == {RULE: 2, other: 1}
    again = replace(region, passages=(*said, Passage("assistant", region.stop, f"As you said: {RULE}")))
    assert [probe.gold for probe in constraints(again, 20, 1)] == [other]
