"""The steps of a turn: a request to send, then what came back, until there is a reply."""

from __future__ import annotations

from collections.abc import Generator

from vademecum.chain.ask import Ask
from vademecum.chain.reply import ChainReply
from vademecum.errors import ModelError
from vademecum.models.clients import Answer

Turn = Generator[Ask, Answer | ModelError, ChainReply]


def step_of(turn: Turn, given: Answer | ModelError | None) -> Ask | ChainReply:
    """The next request to send, or the reply.

    Args:
        turn: The turn.
        given: What came back for the request before; None at the beginning.
    """
    try:
        return next(turn) if given is None else turn.send(given)
    except StopIteration as end:
        return end.value
