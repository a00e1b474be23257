"""Streaming through a chain: the pieces of whoever answers; before the first one another may take over."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress

from vademecum.chain.ask import Ask
from vademecum.chain.reply import ChainReply
from vademecum.chain.steps import Turn, step_of
from vademecum.errors import ConfigError, ModelError, Unavailable
from vademecum.models.clients import Answer, Piece


class ChainStream:
    """A chain's reply piece by piece: iterate over it with `for` or `async for`; then `reply` is whole.

    What fails before the first piece is another member's to answer; after it the error is raised, since what was
    given cannot be taken back, and the next request knows of it.

    Attributes:
        reply: The reply; None before the end.
    """

    def __init__(self, turn: Turn, lock: threading.Lock) -> None:
        self._turn = turn
        self._lock = lock
        self.reply: ChainReply | None = None

    def __iter__(self) -> Iterator[Piece]:
        """The pieces.

        Raises:
            ModelError: No member answered, or the one that did broke off.
        """
        self._begin()
        try:
            step = step_of(self._turn, None)
            while isinstance(step, Ask):
                given, begun = None, False
                try:
                    stream = step.member.client.stream(step.body, once=step.once)
                    for piece in stream:
                        begun = True
                        yield piece
                    given = stream.answer
                except ModelError as error:
                    given = error
                step = self._next(step_of(self._turn, given or _none(step)), given, begun)
            self.reply = step
        finally:
            self._over()

    async def __aiter__(self) -> AsyncIterator[Piece]:
        """The same, for asyncio.

        Raises:
            ModelError: No member answered, or the one that did broke off.
        """
        self._begin()
        try:
            step = await asyncio.to_thread(step_of, self._turn, None)
            while isinstance(step, Ask):
                given, begun = None, False
                try:
                    stream = await step.member.client.stream_async(step.body, once=step.once)
                    async for piece in stream:
                        begun = True
                        yield piece
                    given = stream.answer
                except ModelError as error:
                    given = error
                step = self._next(await asyncio.to_thread(step_of, self._turn, given or _none(step)), given, begun)
            self.reply = step
        finally:
            self._over()

    def _begin(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise ConfigError("another request of this chain is under way", hint="iterate over it to its end first")

    def _over(self) -> None:
        # Where the caller was cancelled, a worker may still be in it: it goes on to the end of its step.
        with suppress(ValueError):
            self._turn.close()
        self._lock.release()

    @staticmethod
    def _next(step: Ask | ChainReply, given: Answer | ModelError | None, begun: bool) -> Ask | ChainReply:
        if begun and isinstance(given, ModelError):
            raise given
        if begun and isinstance(step, Ask) and not step.goes_on:
            raise _none(step)
        return step


def _none(step: Ask) -> ModelError:
    text = f"what {step.member.model} answered cannot be used"
    return Unavailable(text, model=step.member.model, hint="ask again: the reason is known")
