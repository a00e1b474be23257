"""A session log that was read: a transcript with where it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vademecum.core.dialect import Dialect
from vademecum.core.messages import Message
from vademecum.wire.bodies import outside_of
from vademecum.wire.document import Layout


@dataclass(frozen=True, slots=True)
class Log:
    """A transcript read from a file.

    Attributes:
        kind: Which sort of log it is.
        session: The log's own session id; empty where it has none.
        dialect: The wire format of its messages.
        messages: The transcript; rows that an earlier compaction made are not in it.
        skipped: Lines that could not be read, with the reason.
        layout: How the messages stand in the file.
        prefix: The bytes before the first message.
        suffix: The bytes after the last one.
        separator: The bytes between messages.
        outside: What stands beside the messages in a request body.
        dropped: How many rows of earlier compactions were left out.
        left_out: Rows that are no transcript by their type, counted.
    """

    kind: str
    session: str
    dialect: Dialect
    messages: tuple[Message, ...]
    skipped: tuple[tuple[int, str], ...]
    layout: Layout
    prefix: bytes
    suffix: bytes
    separator: bytes
    outside: dict[str, Any]
    dropped: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def system(self) -> object:
        """The system text that stands beside the messages; None where there is none."""
        return outside_of(self.dialect.name, self.outside)[0]

    @property
    def tools(self) -> object:
        """The tools that stand beside the messages; None where there are none."""
        return outside_of(self.dialect.name, self.outside)[1]
