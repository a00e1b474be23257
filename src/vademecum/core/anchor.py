"""The anchor: a size that the provider itself reported, and what it was the size of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Anchor:
    """A reported size.

    Attributes:
        tokens: All prompt tokens of the request, cached ones included.
        messages: How many messages of the transcript it covered.
        node: Id of the last of them: another one there means that history was edited.
        cycle: The cycle that the request's context stood on.
        model: The model that was asked; empty when unknown.
        counted: Our own count of those messages as they were sent; 0 when unknown.
        outside: Our own count of the system text and tools beside them.
    """

    tokens: int
    messages: int
    node: bytes
    cycle: int
    model: str = ""
    counted: int = 0
    outside: int = 0

    def holds(self, nodes: tuple[bytes, ...], cycle: int, window: int, model: str = "") -> bool:
        """Whether it still says something about the context (C-10).

        It is void after a compaction, after a change of the model, when history shrank or was edited,
        and when the figure cannot be one request's, being above the window.
        """
        return (
            0 < self.tokens <= window
            and self.cycle == cycle
            and 0 < self.messages <= len(nodes)
            and nodes[self.messages - 1] == self.node
            and (not model or not self.model or model == self.model)
        )
