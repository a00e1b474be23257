"""What the reader makes of a compacted context, closed book and with one search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vademecum.archive import Session
from vademecum.bench.answerers.reader import Read, answer
from vademecum.bench.material import APART
from vademecum.bench.probes.probe import Probe, Third
from vademecum.bench.searching import found_for

THIRDS: tuple[Third, ...] = ("early", "middle", "late")


@dataclass(frozen=True)
class Question:
    """What is asked after a compaction.

    Attributes:
        third: Of what was seen so far.
        probe: The question.
        golds: What is right: the gold, and its names in later passes, where the same sentence was said again.
    """

    third: Third
    probe: Probe
    golds: frozenset[str]


@dataclass(frozen=True)
class Said:
    """What became of a question.

    Attributes:
        third: Of what was seen so far.
        closed: Whether the answer by the context alone was right.
        search: Whether it was with one search; None without.
        found: Whether what was found names what is right, so that a wrong answer is the reader's.
        full: Whether the answer by everything that was seen, uncompacted, was right.
    """

    third: Third
    closed: bool
    search: bool | None
    found: bool | None
    full: bool


def said_to(
    questions: Sequence[Question], read: Read, session: Session | None, everything: Read
) -> Mapping[str, Said]:
    """Probe id → what became of the question.

    Args:
        questions: The questions.
        read: The context.
        session: What is searched once for each question; None for an arm that does not search.
        everything: All that was seen.
    """
    return {one.probe.id: _said(one, read, session, everything) for one in questions}


def _said(one: Question, read: Read, session: Session | None, everything: Read) -> Said:
    probe = one.probe

    def right(*texts: Read) -> bool:
        return answer(texts, probe.shape, probe.words).text in one.golds

    if session is None:
        return Said(one.third, right(read), None, None, right(everything))
    excerpts = Read(APART.join(hit.text for hit in found_for(session, probe.query)))
    candidates = excerpts.shapes.get(probe.shape)
    found = candidates is not None and not one.golds.isdisjoint(candidates.names)
    return Said(one.third, right(read), right(read, excerpts), found, right(everything))


def recall_of(said: Sequence[Said], again: Sequence[Said]) -> dict[str, Any]:
    """Shares of right answers, over all that was seen and by its thirds.

    Args:
        said: What became of the questions about everything seen so far.
        again: What became of those that were asked after the first compaction, the same each time.
    """
    by_third = {third: [one for one in said if one.third == third] for third in THIRDS}
    return {
        **_shares(said),
        "again": _shares(again),
        "closed_by_third": {third: _share(ones, "closed") for third, ones in by_third.items()},
        "search_by_third": None
        if any(one.search is None for one in said)
        else {third: _share(ones, "search") for third, ones in by_third.items()},
    }


def _shares(said: Sequence[Said]) -> dict[str, Any]:
    return {"asked": len(said), **{mode: _share(said, mode) for mode in ("closed", "search", "found", "full")}}


def _share(said: Sequence[Said], mode: str) -> float | None:
    right = [value for one in said if (value := getattr(one, mode)) is not None]
    return round(sum(right) / len(right), 4) if right else None


def stale_of(settings: Sequence[Probe], read: Read) -> dict[str, int]:
    """How many settings were asked for, and how many answers, closed book, are right or earlier values.

    Args:
        settings: The settings as they stand.
        read: The context.
    """
    said = [(probe, answer([read], probe.shape, probe.words).text) for probe in settings]
    return {
        "asked": len(settings),
        "right": sum(text == probe.gold for probe, text in said),
        "stale": sum(text in probe.stale for probe, text in said),
    }
