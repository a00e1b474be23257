"""One search per question: what the archive gives back for at most six ordinary words, or for a model's query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from vademecum.archive import Session
from vademecum.bench.lineage import Lineage
from vademecum.bench.own_archive import own_archive
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


class Searcher:
    """The whole of a lineage's prefix, to be searched; the same for all arms.

    Args:
        lineage: The prefix.
        counter: Counts tokens.
        seed: Of the run.
    """

    def __init__(self, lineage: Lineage, counter: TokenCounter, seed: int) -> None:
        self._archive = own_archive(seed)
        self._session = self._archive.session("bench", format=lineage.dialect.name)
        self._session.append(lineage.messages, counter.messages(lineage.messages))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Gives its memory back."""
        self._archive.close()

    def find(self, query: str) -> list[Excerpt]:
        """What one search brings."""
        return found_for(self._session, query)


def searched(lineage: Lineage, probes: Sequence[Probe], counter: TokenCounter, seed: int) -> dict[str, list[Excerpt]]:
    """One search for each probe over the whole of a lineage's prefix.

    Args:
        lineage: The prefix.
        probes: The questions.
        counter: Counts tokens.
        seed: Of the run.
    """
    with Searcher(lineage, counter, seed) as searcher:
        return {probe.id: searcher.find(probe.query) for probe in probes}


def found_for(session: Session, query: str) -> list[Excerpt]:
    """What one search brings, in the transcript's order, as the times beside hits tell a model."""
    hits = session.search(query, limit=EXCERPTS, max_chars=EXCERPT_CHARS)
    return [Excerpt(hit.id, hit.text) for hit in sorted(hits, key=lambda hit: hit.position)]
