"""A model for tests: it answers from a script and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vademecum.errors import ModelError
from vademecum.models.known import Known
from vademecum.models.model import NamedModel, Prompt, Reply, Ride

Line = str | Reply | ModelError | Callable[[Prompt], "str | Reply"]


class ScriptedModel(NamedModel):
    """Answers each prompt with the next line of its script; the last line repeats.

    Args:
        script: Texts, replies, errors to raise, or functions from the prompt to one of the first two.
        name: Its name in receipts.
        window: Its limit in tokens.
        format: The wire format in which it can go on from what it has read; empty: it cannot.
        known: What the catalog has of it.

    Attributes:
        prompts: Every prompt it was given, in order; of one that went on from what it had read, the instruction.
        rides: Every request to go on, in order.
    """

    def __init__(
        self,
        script: Sequence[Line],
        *,
        name: str = "scripted",
        window: int = 128_000,
        format: str = "",
        known: Known | None = None,
    ) -> None:
        if not script:
            raise ValueError("a script needs at least one line")
        super().__init__(name, window)
        self._script = tuple(script)
        self.format = format
        self.known = known
        self.prompts: list[Prompt] = []
        self.rides: list[Ride] = []

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

    def ride(self, ride: Ride) -> Reply:
        """The same for a request to go on.

        Raises:
            ModelError: The script says so.
        """
        self.rides.append(ride)
        return self.complete(Prompt("", ride.instruction, ride.max_tokens))
