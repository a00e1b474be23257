"""What the core asks of a wire format; the formats themselves live in `vademecum.wire`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from vademecum.core.messages import Message, Part, Wire

ProblemKind = Literal[
    "orphan_result", "open_call", "empty", "unclean", "alternation", "no_user", "late_system", "late_result"
]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that the strictest consumer of a format refuses.

    Attributes:
        index: The message that has it, from 0; -1 for the list as a whole.
        kind: `alternation` and `late_system` are the caller's own affair between two of its messages.
        detail: For people.
    """

    index: int
    kind: ProblemKind
    detail: str = ""


class Dialect(Protocol):
    """Reading and writing one wire format. Methods return new objects and leave theirs untouched."""

    @property
    def name(self) -> str:
        """The format's name on the command line and in the archive."""
        ...

    @property
    def limit_key(self) -> str:
        """The format's own key for the output limit of a request."""
        ...

    def load(self, wire: object, index: int, *, raw: bytes = b"", harness: bool = False) -> Message:
        """Reads one message.

        Args:
            wire: The message as the format has it.
            index: Its position, for errors.
            raw: The bytes it came from.
            harness: The log says that no person wrote it.

        Raises:
            WireError: It is not a message of this format.
        """
        ...

    def user(self, texts: Sequence[str]) -> Wire:
        """A user message with these text parts."""
        ...

    def said(self, texts: Sequence[str]) -> Wire:
        """A message of the model with these text parts."""
        ...

    def freed(self, message: Message) -> Wire:
        """A message without what ties it to reasoning that stood before it in a message of its own."""
        ...

    def prepended(self, texts: Sequence[str], message: Message) -> Wire:
        """A user message with these text parts before its own parts (after tool results, where it has some)."""
        ...

    def edited(self, message: Message, edits: Mapping[int, str | None]) -> Wire | None:
        """A message with the text of some parts replaced, or the parts removed (None).

        Returns:
            The new message, or None when no part is left.
        """
        ...

    def answers(self, calls: Sequence[Part], text: str | None) -> tuple[Wire, ...]:
        """Messages that answer these calls with a text, or (None) with an error that no result was recorded."""
        ...

    def joined_answers(self, answers: Wire, message: Message) -> Wire | None:
        """The following user message with those answers put first; None where that is not to be done."""
        ...

    def problems(self, messages: Sequence[Message]) -> tuple[Problem, ...]:
        """Everything that the strictest consumer of the format would refuse."""
        ...
