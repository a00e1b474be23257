"""One search per question: what the archive gives back for at most six ordinary words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vademecum.archive import Archive, Session
from vademecum.bench.lineage import Lineage
from vademecum.bench.probes.probe import Probe
from vademecum.core.tokens import TokenCounter

#: What one search may give back (B-4).
EXCERPTS, EXCERPT_CHARS = 4, 2_500


@dataclass(frozen=True)
class Excerpt:
    """One thing that a search found.

    Attributes:
        id: Of the part.
        text: A window around the match.
    """

    id: str
    text: str


def searched(lineage: Lineage, probes: Sequence[Probe], counter: TokenCounter) -> dict[str, list[Excerpt]]:
    """One search for each probe over the whole of a lineage's prefix, the same for all arms.

    What it finds is put into the transcript's order, as the times beside hits tell a model.

    Args:
        lineage: The prefix.
        probes: The questions.
        counter: Counts tokens.
    """
    with Archive.memory() as archive:
        session = archive.session("bench", format=lineage.dialect.name)
        session.append(lineage.messages, counter.messages(lineage.messages))
        return {probe.id: found_for(session, probe.query) for probe in probes}


def found_for(session: Session, query: str) -> list[Excerpt]:
    """What one search brings, in the transcript's order."""
    hits = session.search(query, limit=EXCERPTS, max_chars=EXCERPT_CHARS)
    return [Excerpt(hit.id, hit.text) for hit in sorted(hits, key=lambda hit: hit.position)]
