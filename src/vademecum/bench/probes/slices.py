"""A region in slices, all of it, for a model that writes questions about each."""

from __future__ import annotations

from dataclasses import dataclass

from vademecum.bench.lineage import CHARS_PER_TOKEN
from vademecum.bench.passages import Passage
from vademecum.bench.probes.region import Region

#: A slice has so many tokens at most: what a small model still reads with care.
SLICE_TOKENS = 12_000
#: More questions are asked for than are needed, since some are refused.
_SPARE = 1.5


@dataclass(frozen=True)
class Slice:
    """Consecutive texts of a region.

    Attributes:
        number: From 0.
        records: The texts; one longer than the rest of a slice goes on in the next.
        count: How many questions are asked for about it.
    """

    number: int
    records: tuple[Passage, ...]
    count: int

    @property
    def text(self) -> str:
        """As the writer is shown it: each record with its message's number."""
        return "\n\n".join(f"[{record.message}] {record.where}: {record.text}" for record in self.records)


def slices(region: Region, facts: int, tokens: int = SLICE_TOKENS) -> list[Slice]:
    """Cuts a region into slices of equal size; nothing that may be asked about is left out.

    Args:
        region: What is asked about.
        facts: How many questions are wanted in all.
        tokens: Size of a slice at most, in tokens of four characters.
    """
    asked = region.asked()
    total = sum(len(text.text) for text in asked)
    if not total:
        return []
    number = -(-total // (tokens * CHARS_PER_TOKEN))
    size = -(-total // number)
    made: list[list[Passage]] = [[]]
    left = size
    for text in asked:
        rest = text.text
        while rest:
            if not left:
                made.append([])
                left = size
            piece, rest = rest[:left], rest[left:]
            made[-1].append(Passage(text.where, text.message, piece))
            left -= len(piece)
    count = max(1, -(-int(_SPARE * facts) // len(made)))
    return [Slice(at, tuple(records), count) for at, records in enumerate(made)]


def spread(count: int) -> list[int]:
    """The numbers below `count` in an order in which every beginning of it is spread over all of them."""
    bits = max(1, (count - 1).bit_length())
    return [at for at in (int(f"{number:0{bits}b}"[::-1], 2) for number in range(1 << bits)) if at < count]
