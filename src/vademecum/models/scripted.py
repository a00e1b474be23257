"""A model for tests: it answers from a script and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vademecum.errors import ModelError
from vademecum.models.model import Prompt, Reply

Line = str | Reply | ModelError | Callable[[Prompt], "str | Reply"]


class ScriptedModel:
    """Answers each prompt with the next line of its script; the last line repeats.

    Args:
        script: Texts, replies, errors to raise, or functions from the prompt to one of the first two.
        name: Its name in receipts.
        window: Its limit in tokens.

    Attributes:
        prompts: Every prompt it was given, in order.
    """

    def __init__(self, script: Sequence[Line], *, name: str = "scripted", window: int = 128_000) -> None:
        if not script:
            raise ValueError("a script needs at least one line")
        self._script = tuple(script)
        self._name = name
        self._window = window
        self.prompts: list[Prompt] = []

    @property
    def name(self) -> str:
        """Its name in receipts."""
        return self._name

    @property
    def window(self) -> int:
        """Its limit in tokens."""
        return self._window

    def complete(self, prompt: Prompt) -> Reply:
        """Answers with the next line of the script.

        Raises:
            ModelError: The script says so.
        """
        line = self._script[min(len(self.prompts), len(self._script) - 1)]
        self.prompts.append(prompt)
        if isinstance(line, ModelError):
            raise line
        answer = line(prompt) if callable(line) else line
        return Reply(answer) if isinstance(answer, str) else answer
