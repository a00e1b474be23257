"""Driving a planner: answer its requests, synchronously or not, and log what was answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from vademecum.core.requests import Request, Steps

T = TypeVar("T")
Answer = Callable[[Request], Any]
AsyncAnswer = Callable[[Request], Awaitable[Any]]
#: Requests with the answers they got, in order: enough to replay a run.
Log = list[tuple[Request, Any]]


def drive(steps: Steps[T], answer: Answer, log: Log | None = None) -> T:
    """Runs a planner to its end."""
    try:
        request = next(steps)
        while True:
            given = answer(request)
            if log is not None:
                log.append((request, given))
            request = steps.send(given)
    except StopIteration as stop:
        return stop.value


async def drive_async(steps: Steps[T], answer: AsyncAnswer, log: Log | None = None) -> T:
    """Runs a planner to its end; each answer may be awaited. Cancelling it leaves nothing behind."""
    try:
        request = next(steps)
        while True:
            given = await answer(request)
            if log is not None:
                log.append((request, given))
            request = steps.send(given)
    except StopIteration as stop:
        return stop.value
    finally:
        steps.close()


def replay(steps: Steps[T], log: Log) -> T:
    """Runs a planner on logged answers.

    Raises:
        ValueError: The planner asks for something else than it did when the log was written.
    """
    answers = iter(log)

    def answer(request: Request) -> Any:
        logged = next(answers, None)
        if logged is None or logged[0] != request:
            raise ValueError(f"the planner asks for {type(request).__name__}, which the log does not have here")
        return logged[1]

    return drive(steps, answer)
