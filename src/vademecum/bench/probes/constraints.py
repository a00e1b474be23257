"""User constraints: what a person said must, or must not, be done. Each is to be alive after a compaction."""

from __future__ import annotations

from vademecum.bench.probes.binding import rules
from vademecum.bench.probes.cloze import sample
from vademecum.bench.probes.probe import FEWEST_WORDS, Probe, probe_id, third_of
from vademecum.bench.probes.region import Region
from vademecum.bench.shapes import ordinary_words

_SHORTEST, _LONGEST = 25, 300


def constraints(region: Region, most: int, seed: int) -> list[Probe]:
    """Probes for sentences that a person typed in the region and nowhere else, and that bind the agent.

    Args:
        region: What is removed.
        most: How many at most.
        seed: Of the choice.
    """
    chance = region.chance(seed, "constraints")
    found: dict[str, Probe] = {}
    for text in region.asked():
        if text.where != "user":
            continue
        for sentence in rules(text.text):
            words = ordinary_words(sentence)
            if sentence in found or len(words) < FEWEST_WORDS or not _SHORTEST <= len(sentence) <= _LONGEST:
                continue
            places = {other.message for other in region.passages if sentence in other.text}
            if not all(region.start <= place < region.stop for place in places):
                continue
            found[sentence] = Probe(
                id=probe_id("constraint", sentence),
                kind="constraint",
                shape="sentence",
                about="constraint",
                where="user",
                message=text.message,
                third=third_of(text.message, region.stop),
                stated=len(places),
                question="What did the user ask for or forbid about: " + ", ".join(words[:6]) + "?",
                words=sample(words, chance),
                gold=sentence,
            )
    chosen = list(found.values())
    chance.shuffle(chosen)
    return chosen[:most]
