"""Latest-value and abstention probes: settings planted into a copy of a lineage, stated and later changed.

Real transcripts change few values cleanly, and nobody could say which ones count; what is planted is known.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from vademecum.bench.lineage import Lineage
from vademecum.bench.probes.probe import Probe, probe_id, third_of
from vademecum.bench.probes.region import Region
from vademecum.bench.shapes import identifiers, ordinary_words
from vademecum.core.messages import Message

#: A setting has so many values in the course of the lineage, the last of which holds.
MOST_VALUES = 4


@dataclass(frozen=True)
class Planted:
    """A lineage with planted settings, and the probes for them.

    Attributes:
        lineage: The copy.
        latest: A probe for each setting.
        abstention: Probes for settings that were never stated.
    """

    lineage: Lineage
    latest: tuple[Probe, ...]
    abstention: tuple[Probe, ...]


@cache
def _words() -> dict[str, Any]:
    return tomllib.loads(files("vademecum.bench.probes").joinpath("planted.toml").read_text("utf-8"))


def planted(region: Region, seed: int, *, latest_most: int = 40, absent_most: int = 24) -> Planted:
    """Plants settings into a region.

    Args:
        region: The region of the lineage's prefix.
        seed: Of values and places.
        latest_most: How many settings.
        absent_most: How many questions without answer.
    """
    chance = region.chance(seed, "planted")
    words = _words()
    owners = list(words["owners"])
    chance.shuffle(owners)
    pairs = [(chance.choice(words["setting"]), owner) for owner in owners]
    asked, absent = pairs[:latest_most], pairs[latest_most : latest_most + absent_most]
    places = _Places(region, chance)
    if not places:  # all that there is belongs to the tail
        asked = []
    sentences: dict[int, list[str]] = {}
    latest: list[Probe] = []
    for setting, owner in asked:
        at = places.take(chance.randint(2, MOST_VALUES))
        values = _values(setting, len(at), chance)
        for number, (place, value) in enumerate(zip(at, values, strict=True)):
            phrase = chance.choice(words["phrases"]["again" if number else "first"])
            said = phrase.format(setting=setting["name"], owner=owner, value=value)
            sentences.setdefault(place, []).append(said)
        latest.append(_probe(region, setting, owner, at[-1], values))
    nowhere = [_probe(region, setting, owner, -1, _values(setting, 1, chance)) for setting, owner in absent]
    return Planted(_with(region.lineage, sentences), tuple(latest), tuple(nowhere))


class _Places:
    """Messages that a sentence can be added to, each taken once as long as they last: neighbours would confuse.

    Args:
        region: Where they are.
        chance: Of their order.
    """

    def __init__(self, region: Region, chance: random.Random) -> None:
        self._all = sorted({text.message for text in region.asked() if text.where in ("user", "assistant")})
        self._chance = chance
        self._left: list[int] = []

    def __bool__(self) -> bool:
        return bool(self._all)

    def take(self, count: int) -> list[int]:
        """So many different places, in the transcript's order."""
        count = min(count, len(self._all))
        if len(self._left) < count:
            self._left = list(self._all)
            self._chance.shuffle(self._left)
        taken, self._left = self._left[:count], self._left[count:]
        return sorted(taken)


def _values(setting: dict[str, Any], count: int, chance: random.Random) -> list[str]:
    found: list[str] = []
    while len(found) < count:
        value = chance.choice(setting["values"]).format(
            n=chance.randrange(101, 9_900),
            p=chance.randrange(3, 98),
            h=f"{chance.randrange(16**6):06x}1a",
            c=f"{chance.randrange(16**8):08x}a1",
        )
        if value not in found:
            found.append(value)
    return found


def _probe(region: Region, setting: dict[str, Any], owner: str, message: int, values: Sequence[str]) -> Probe:
    question = _words()["phrases"]["asked"].format(setting=setting["name"], owner=owner)
    known = message >= 0
    return Probe(
        id=probe_id("latest" if known else "abstention", setting["name"], owner),
        kind="latest" if known else "abstention",
        shape=next(shape for shape, _, _ in identifiers(values[-1])),
        about="setting",
        where=_where(region, message) if known else "nowhere",
        message=message,
        third=third_of(max(0, message), region.stop),
        stated=len(values) if known else 0,
        question=question,
        words=tuple(word for word in ordinary_words(question) if word not in ("what", "now")),
        gold=values[-1] if known else "",
        stale=tuple(values[:-1]) if known else (),
    )


def _where(region: Region, message: int) -> str:
    return "user" if region.lineage.messages[message].role == "user" else "assistant"


def _with(lineage: Lineage, sentences: dict[int, list[str]]) -> Lineage:
    """The lineage with sentences added to the last text of some messages."""
    messages = list(lineage.messages)
    for index, added in sentences.items():
        messages[index] = _said_too(lineage, messages[index], index, added)
    return replace(lineage, name=f"{lineage.name}+planted", messages=tuple(messages))


def _said_too(lineage: Lineage, message: Message, index: int, added: Sequence[str]) -> Message:
    number = max(at for at, part in enumerate(message.parts) if part.kind == "text" and part.text)
    wire = lineage.dialect.edited(message, {number: "\n\n".join((message.parts[number].text, *added))})
    assert wire is not None  # noqa: S101  # a text was added, so something is left
    harness = message.role == "user" and not message.typed
    return lineage.dialect.load(wire, index, harness=harness)
