"""Streaming: a reply piece by piece, and as a whole at its end."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

from vademecum.errors import ModelError
from vademecum.models.clients.answer import Answer, answer_of
from vademecum.models.clients.assembly import Event, assembled, text_of
from vademecum.models.clients.failure import cause_of, error_of, is_of_a_call, told
from vademecum.models.clients.sdk import plain
from vademecum.models.errors import Verdict
from vademecum.models.errors.stream import failure
from vademecum.models.errors.table import Table
from vademecum.models.errors.truncation import ending
from vademecum.wire.values import mapping


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a reply.

    Attributes:
        text: The text that it adds; empty for an event that adds none.
        event: The event as JSON data.
    """

    text: str
    event: Event


class Stream:
    """A reply that arrives in pieces: iterate over it, with `for` or `async for`; then `answer` is whole.

    Attributes:
        answer: The whole answer; None before the end.
    """

    def __init__(
        self, format: str, model: str, first: Any, rest: Any, key: str = "", table: Table | None = None
    ) -> None:
        self._table = table
        self._format = format
        self._model = model
        self._key = key
        self._first = first
        self._rest = rest
        self._events: list[Event] = []
        self.answer: Answer | None = None

    def __iter__(self) -> Iterator[Piece]:
        """The pieces.

        Raises:
            ModelError: The stream broke off, or told of an error.
        """
        try:
            if self._first is not None:
                yield self._piece(self._first)
            for item in self._rest:
                yield self._piece(item)
        except Exception as error:  # noqa: BLE001  # whatever an SDK raises
            raise self._own(error) from cause_of(error, self._key)
        self._end()

    async def __aiter__(self) -> AsyncIterator[Piece]:
        """The same, for asyncio.

        Raises:
            ModelError: The stream broke off, or told of an error.
        """
        try:
            if self._first is not None:
                yield self._piece(self._first)
            async for item in self._rest:
                yield self._piece(item)
        except Exception as error:  # noqa: BLE001  # whatever an SDK raises
            raise self._own(error) from cause_of(error, self._key)
        self._end()

    def _piece(self, item: Any) -> Piece:
        event = plain(self._format, item)
        verdict = failure(event, self._table)
        if verdict is not None:
            said = str(event.get("error", event))
            raise told(verdict, said.replace(self._key, "[key]") if self._key else said, self._model)
        self._events.append(event)
        return Piece(text_of(self._format, event), event)

    def _own(self, error: Exception) -> Exception:
        if isinstance(error, ModelError) or not is_of_a_call(error):
            return error
        return error_of(error, self._model, self._key, self._table)

    def _end(self) -> None:
        if not any(ending(mapping(event) or {}) for event in self._events):
            raise told(Verdict("unavailable", certain=False, row="a stream without an end"), "no end", self._model)
        self.answer = answer_of(self._format, assembled(self._format, self._events))
