"""What Vademecum asks of a model: one completion at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request to a model, in plain text.

    Attributes:
        system: The system text.
        user: The user's text.
        max_tokens: Upper limit of the reply.
    """

    system: str
    user: str
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer.

    Attributes:
        text: What it wrote.
        finish: `stop`, `length`, `tool_call`, `refusal` or `other`.
        input_tokens: Tokens it read, 0 if it did not say.
        output_tokens: Tokens it wrote, 0 if it did not say.
    """

    text: str
    finish: str = "stop"
    input_tokens: int = 0
    output_tokens: int = 0


class Model(Protocol):
    """A model that completes prompts."""

    @property
    def name(self) -> str:
        """Its name, as receipts show it."""
        ...

    @property
    def window(self) -> int:
        """Its limit in tokens."""
        ...

    def complete(self, prompt: Prompt) -> Reply:
        """Answers a prompt.

        Raises:
            ModelError: It said no, or did not answer.
        """
        ...


Prompts = Sequence[Prompt]
