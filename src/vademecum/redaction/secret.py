"""One secret: where it stands in a text and of what kind it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Secret:
    """A stretch of a text that is a secret, in characters."""

    start: int
    stop: int
    kind: str
