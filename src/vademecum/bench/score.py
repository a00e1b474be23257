"""One arm on one lineage: what it keeps, and what the answerers without a model make of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from vademecum.bench.answerers.present import present
from vademecum.bench.answerers.reader import Answer, Read, answer
from vademecum.bench.answerers.stands import plain, stands
from vademecum.bench.passages import reading_of
from vademecum.bench.probes.probe import Probe
from vademecum.bench.shapes import identifiers
from vademecum.core.messages import Message

#: From this share of the question's weight on, the reader claims to know; below it a question without answer is
#: rightly left open.
CLAIMS = 0.9
_EVIDENCE = 120


@dataclass(frozen=True)
class Outcome:
    """What came of one probe, closed context or with one search.

    Attributes:
        present: The gold stands somewhere in what could be read.
        points: The reader's: 2 right, 1 in part, 0 wrong.
        stale: It gave an earlier value as the present one.
        answer: What it said.
        evidence: The text around what it said.
    """

    present: bool
    points: int
    stale: bool = False
    answer: str = ""
    evidence: str = ""

    def as_dict(self) -> dict[str, Any]:
        """JSON data."""
        return asdict(self)


class Context:
    """A context that probes are answered from, read once.

    Args:
        messages: What an arm keeps.
    """

    def __init__(self, messages: Sequence[Message]) -> None:
        self.read = Read(reading_of(messages))

    @cached_property
    def plain(self) -> str:
        """The text as quotations are looked for in it."""
        return plain(self.read.text)

    @cached_property
    def names(self) -> frozenset[str]:
        """Its identifiers."""
        return frozenset(name for _, name, _ in identifiers(self.read.text))


def outcome(probe: Probe, context: Context, found: Read | None = None) -> Outcome:
    """Answers one probe without a model.

    Args:
        probe: The question.
        context: What is kept.
        found: What one search brought; None for a closed context.
    """
    reads = [context.read] if found is None else [context.read, found]
    if probe.kind == "constraint":
        points = max(stands(probe.gold, context.plain), stands(probe.gold, plain(found.text)) if found else 0)
        return Outcome(points == 2, points)
    said = answer(reads, probe.shape, probe.words)
    if probe.kind == "abstention":
        claims = said.share >= CLAIMS
        return Outcome(not claims, 0 if claims else 2, answer=said.text if claims else "")
    texts = [read.text for read in reads]
    return Outcome(
        present(probe.gold, texts),
        2 if said.text == probe.gold else 0,
        said.text in probe.stale,
        said.text,
        _around(said, reads),
    )


def _around(said: Answer, reads: Sequence[Read]) -> str:
    if not said.text:
        return ""
    text = reads[said.text_number].text
    return text[max(0, said.start - _EVIDENCE) : said.start + len(said.text) + _EVIDENCE]


def answered(probes: Sequence[Probe], context: Context, found: Mapping[str, Read] | None) -> list[dict[str, Any]]:
    """What came of every probe, as JSON rows.

    Args:
        probes: The questions.
        context: What is kept.
        found: What one search for each brought; None for an arm that does not search.
    """
    rows: list[dict[str, Any]] = []
    for probe in probes:
        row: dict[str, Any] = {"probe": probe.id, "closed": outcome(probe, context).as_dict()}
        if found is not None:
            row["search"] = outcome(probe, context, found[probe.id]).as_dict()
        rows.append(row)
    return rows
