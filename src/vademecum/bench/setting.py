"""What a run is made with: the same setting and the same lineages give the same bytes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Setting:
    """The setting of a run.

    Attributes:
        tokens: Length of each lineage's prefix in tokens (characters / 4).
        window: The model's window in tokens.
        target: Where arms that aim at a size are to end, in tokens.
        cloze: Cloze probes for each lineage at most.
        others: Probes of each other kind at most.
        seed: Of every choice.
    """

    tokens: int = 500_000
    window: int = 200_000
    target: int = 40_000
    cloze: int = 1_000
    others: int = 200
    seed: int = 1

    def as_dict(self) -> dict[str, Any]:
        """JSON data."""
        return asdict(self)
