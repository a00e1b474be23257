"""A session log while it is read: its messages come one by one, what was not taken is known at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from vademecum.core.dialect import Dialect
from vademecum.core.messages import Message
from vademecum.sessions.log import Log
from vademecum.wire.document import Layout


def note_unknown(skipped: list[tuple[int, str]], line: int, what: str) -> None:
    """Notes a row of a sort that is not known: once for each sort, with how many there are."""
    for number, (first, reason) in enumerate(skipped):
        if reason.endswith(f" of an unknown sort: {what}"):
            count = int(reason.split(" ", 1)[0]) + 1
            skipped[number] = (first, f"{count} rows of an unknown sort: {what}")
            return
    skipped.append((line, f"1 row of an unknown sort: {what}"))


@dataclass
class Reading:
    """One session of a log.

    Attributes:
        kind: Which sort of log it is.
        session: The log's own session id; empty where it has none.
        dialect: The wire format of its messages.
        messages: Reads them.
        skipped: Lines that could not be read, with the reason; complete when the messages are read.
        left_out: Rows that are no transcript by their type, counted.
        dropped: How many rows of earlier compactions were left out.
        branches: The same session as it went on elsewhere, before it was rewound; oldest first.
        parent: The id of the session that this one continues; empty where it continues none.
        copies: Whether logs of this sort begin with copies of other logs' messages.
        layout: How the messages stand in the wire format's document.
        prefix: The bytes before the first message.
        suffix: The bytes after the last one.
        separator: The bytes between messages.
        outside: What stands beside the messages in a request body.
    """

    kind: str
    session: str
    dialect: Dialect
    messages: Callable[[Reading], Iterator[Message]]
    skipped: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    left_out: Counter[str] = field(default_factory=Counter[str])
    dropped: int = 0
    branches: Sequence[Reading] = ()
    parent: str = ""
    copies: bool = False
    layout: Layout = "jsonl"
    prefix: bytes = b""
    suffix: bytes = b""
    separator: bytes = b","
    outside: dict[str, Any] = field(default_factory=dict[str, Any])
    _before: tuple[list[tuple[int, str]], Counter[str], int] | None = None

    def __iter__(self) -> Iterator[Message]:
        """The messages, from the first one on; what is noted meanwhile begins anew, too."""
        if self._before is None:
            self._before = list(self.skipped), Counter(self.left_out), self.dropped
        skipped, left_out, self.dropped = self._before
        self.skipped, self.left_out = list(skipped), Counter(left_out)
        return self.messages(self)

    def unknown(self, line: int, what: str) -> None:
        """Notes a row of a sort that is not known."""
        note_unknown(self.skipped, line, what)

    def log(self) -> Log:
        """The whole of it."""
        messages = tuple(self)
        return Log(
            self.kind,
            self.session,
            self.dialect,
            messages,
            tuple(sorted(self.skipped)),
            self.layout,
            self.prefix,
            self.suffix,
            self.separator,
            self.outside,
            self.dropped,
            dict(self.left_out),
        )
