"""The judge without a model: identifiers and numbers, and whether an answer says that it does not know (B-5)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from vademecum.bench.probes.facts import PHRASE
from vademecum.bench.probes.probe import Probe
from vademecum.bench.shapes import identifiers

RIGHT, PARTLY, WRONG = 2, 1, 0
_AROUND = "\"'`*_“”‘’«»()[]{}<>.,;:!? \t\n"
_SPACE = re.compile(r"\s+")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}\b)")
_UNIT = re.compile(
    r"(?<![\w-])(\d[\d.]*) (ms|s|sec|min|h|[kmg]i?b|px|%)(?!\w)"  # of text without capitals
)
_NUMBER = re.compile(r"[-+]?\d[\d.,]*\s?%?")


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    table = tomllib.loads(files("vademecum.bench").joinpath("judging.toml").read_text("utf-8"))
    return {name: re.compile(pattern) for name, pattern in table.items()}


def normal(text: str) -> str:
    """A value without what does not change it: quotes, case, punctuation around it, blanks before units."""
    value = _SPACE.sub(" ", text).strip(_AROUND).casefold()
    return _UNIT.sub(r"\1\2", _GROUPED.sub("", value))


def says_unknown(answer: str) -> bool:
    """Whether an answer says that it does not know."""
    return _patterns()["unknown"].search(answer.replace("’", "'")) is not None


def by_rule(probe: Probe, answer: str) -> int | None:
    """Points for an answer where no model is needed to tell.

    Args:
        probe: The question.
        answer: What was said.

    Returns:
        2 right, 1 partly right or hedged, 0 wrong; None where a model must judge.
    """
    if probe.kind == "abstention":
        if not says_unknown(answer):
            return WRONG
        return PARTLY if any(shape == probe.shape for shape, _, _ in identifiers(answer)) else RIGHT
    if normal(answer) == normal(probe.gold):
        return RIGHT
    if judged_by_rule(probe):
        return _named(probe, answer)
    return WRONG if says_unknown(answer) and normal(probe.gold) not in normal(answer) else None


def judged_by_rule(probe: Probe) -> bool:
    """Whether a gold is an identifier or a number, so that a comparison tells what is right."""
    return probe.shape not in (PHRASE, "sentence") or _NUMBER.fullmatch(probe.gold) is not None


def _named(probe: Probe, answer: str) -> int:
    """Points for a sentence that should name the gold and nothing else of its kind."""
    gold, said = normal(probe.gold), normal(answer)
    if not _claimed(gold, said):
        return WRONG
    if says_unknown(answer):
        return PARTLY
    asked = normal(probe.question)
    others = [name for name in _others(probe, answer, gold) if name not in asked and _claimed(name, said)]
    return PARTLY if others else RIGHT


def _claimed(name: str, said: str) -> bool:
    """Whether a name stands in an answer, and is not taken back in the same breath."""
    places = re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])", said)
    return any(not _patterns()["denied"].search(said[: found.start()]) for found in places)


def _others(probe: Probe, answer: str, gold: str) -> set[str]:
    """What else of the gold's kind an answer names."""
    if probe.shape == PHRASE:
        names = {normal(found.group()) for found in _NUMBER.finditer(answer)}
    else:
        names = {normal(name) for shape, name, _ in identifiers(answer) if shape == probe.shape}
    # A name that holds the gold, or is a piece of it (a path within a path), is not another one.
    return {name for name in names if name and name not in gold and gold not in name}
