"""What Vademecum asks of a model: one completion at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from vademecum.core.messages import Wire
from vademecum.models.known import Known


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
        cached_tokens: Those of the tokens it read that came out of its provider's cache.
    """

    text: str
    finish: str = "stop"
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Ride:
    """A request that goes on from one that the model has read already, so that its provider's cache pays.

    Attributes:
        system: The system text where it stands beside the messages, as it was sent.
        tools: The tools, as they were sent.
        messages: The messages, as they were sent.
        instruction: What is asked of it now.
        max_tokens: Upper limit of the reply.
    """

    system: object
    tools: object
    messages: tuple[Wire, ...]
    instruction: str
    max_tokens: int


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


class Rider(Protocol):
    """A model that can also go on from what it has read (C-15)."""

    @property
    def format(self) -> str:
        """The wire format in which it is asked; empty for one that cannot go on."""
        ...

    @property
    def known(self) -> Known | None:
        """What the catalog has of it, its prices above all."""
        ...

    def ride(self, ride: Ride) -> Reply:
        """Answers an instruction at the end of what it has read.

        Raises:
            ModelError: It said no, or did not answer.
        """
        ...


class NamedModel:
    """A model's name and window.

    Args:
        name: Its name, as receipts show it.
        window: Its limit in tokens.
    """

    def __init__(self, name: str, window: int) -> None:
        self._name = name
        self._window = window

    @property
    def name(self) -> str:
        """Its name, as receipts show it."""
        return self._name

    @property
    def window(self) -> int:
        """Its limit in tokens."""
        return self._window
