"""What stands outside the messages of a request: the system text and the tools."""

from __future__ import annotations

from dataclasses import dataclass

from vademecum.compactor.marks import count_marks
from vademecum.compactor.once import outside_tokens
from vademecum.core.tokens import TokenCounter


@dataclass(frozen=True, slots=True)
class Outside:
    """The system text and the tools, measured.

    Attributes:
        system: The system text as the caller gave it.
        tools: The tools as the caller gave them.
        tokens: Tokens of each.
        marks: Cache marks on both.
    """

    system: object = None
    tools: object = None
    tokens: tuple[int, int] = (0, 0)
    marks: int = 0

    def now(self, counter: TokenCounter, system: object, tools: object) -> Outside:
        """The same object while nothing has changed, else measured anew."""
        if self.system == system and self.tools == tools:
            return self
        marks = count_marks(system) + count_marks(tools)
        return Outside(system, tools, outside_tokens(counter, system, tools), marks)
