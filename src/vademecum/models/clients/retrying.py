"""Retrying: the same request again, after a wait that the server asked for or that grows by itself (M-8)."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from vademecum.errors import ModelError, RateLimited
from vademecum.models.clients.failure import verdict_of

if TYPE_CHECKING:
    from tenacity import RetryCallState

T = TypeVar("T")
_AGAIN = frozenset({"rate_limit", "unavailable"})


@dataclass(frozen=True, slots=True)
class Retries:
    """How often and after which waits a request is sent again.

    Attributes:
        tries: How often it is sent at most.
        first: Seconds before the second time; each further wait is twice as long, and a random share of that.
        longest: The longest wait. A server that asks for more is not waited for at all.
        sleep: Waits so many seconds.
        sleep_async: The same, for asyncio.
        jitter: A number in [0, 1).
    """

    tries: int = 3
    first: float = 1.0
    longest: float = 30.0
    sleep: Callable[[float], None] = time.sleep
    sleep_async: Callable[[float], Awaitable[None]] = asyncio.sleep
    jitter: Callable[[], float] = random.random

    def run(self, call: Callable[[], T]) -> T:
        """Calls, and calls again where that may help.

        Raises:
            ModelError: It did not help.
        """
        from tenacity import Retrying, retry_if_exception, stop_after_attempt

        return Retrying(
            stop=stop_after_attempt(self.tries),
            wait=self._wait,
            retry=retry_if_exception(self._helps),
            sleep=self.sleep,
            reraise=True,
        )(call)

    async def run_async(self, call: Callable[[], Awaitable[T]]) -> T:
        """The same as `run`, for asyncio.

        Raises:
            ModelError: It did not help.
        """
        from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt

        return await AsyncRetrying(
            stop=stop_after_attempt(self.tries),
            wait=self._wait,
            retry=retry_if_exception(self._helps),
            sleep=self.sleep_async,
            reraise=True,
        )(call)

    def pause(self, times: int, error: BaseException | None) -> float | None:
        """Seconds to wait before a request is sent again; None where it is not.

        Args:
            times: How often it was sent.
            error: What came of it last.
        """
        return None if times >= self.tries or not self._helps(error) else self._wait_after(times, error)

    def _helps(self, error: BaseException | None) -> bool:
        if not isinstance(error, ModelError) or verdict_of(error).kind not in _AGAIN:
            return False
        return (_asked(error) or 0.0) <= self.longest

    def _wait(self, state: RetryCallState) -> float:
        return self._wait_after(
            state.attempt_number, state.outcome.exception() if state.outcome is not None else None
        )

    def _wait_after(self, times: int, error: BaseException | None) -> float:
        asked = _asked(error)
        grown = min(self.first * 2.0 ** (times - 1), self.longest)
        own = grown * (0.5 + 0.5 * self.jitter())
        return own if asked is None else asked + self.first * 0.1 * self.jitter()


def _asked(error: BaseException | None) -> float | None:
    return error.retry_after_s if isinstance(error, RateLimited) else None
