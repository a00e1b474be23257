"""What the reader makes of a compacted context, closed book and with one search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vademecum.archive import Session
from vademecum.bench.answerers.reader import Read, answer
from vademecum.bench.material import APART
from vademecum.bench.passages import reading_of
from vademecum.bench.probes.probe import Probe, Third
from vademecum.bench.searching import found_for
from vademecum.core.messages import Message

THIRDS: tuple[Third, ...] = ("early", "middle", "late")
Right = Mapping[str, list[bool]]


def recall_of(
    asked: Sequence[tuple[Third, Probe]], messages: Sequence[Message], session: Session | None
) -> dict[str, Any]:
    """Shares of right answers, over all that was seen and by its thirds.

    Args:
        asked: The questions.
        messages: The context.
        session: What is searched once for each question; None for an arm that does not search.
    """
    read = Read(reading_of(messages))
    closed: dict[str, list[bool]] = {third: [] for third in THIRDS}
    search: dict[str, list[bool]] = {third: [] for third in THIRDS}
    for third, probe in asked:
        closed[third].append(answer([read], probe.shape, probe.words).text == probe.gold)
        if session is not None:
            found = Read(APART.join(hit.text for hit in found_for(session, probe.query)))
            search[third].append(answer([read, found], probe.shape, probe.words).text == probe.gold)
    return {
        "asked": len(asked),
        "closed": _share(closed),
        "search": None if session is None else _share(search),
        "closed_by_third": {third: _share({third: closed[third]}) for third in THIRDS},
        "search_by_third": None if session is None else {third: _share({third: search[third]}) for third in THIRDS},
    }


def _share(right: Right) -> float | None:
    every = [one for ones in right.values() for one in ones]
    return round(sum(every) / len(every), 4) if every else None


def stale_of(settings: Sequence[Probe], messages: Sequence[Message]) -> dict[str, int]:
    """How many settings were asked for, and how many answers, closed book, are right or earlier values.

    Args:
        settings: The settings as they stand.
        messages: The context.
    """
    read = Read(reading_of(messages))
    said = [(probe, answer([read], probe.shape, probe.words).text) for probe in settings]
    return {
        "asked": len(settings),
        "right": sum(text == probe.gold for probe, text in said),
        "stale": sum(text in probe.stale for probe, text in said),
    }
