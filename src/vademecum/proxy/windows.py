"""The windows of the models that pass: by model and endpoint, asked for in the background, learned from errors."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import aiohttp

from vademecum.archive import Archive
from vademecum.compactor.kept_windows import KeptWindows
from vademecum.core.budget import Window
from vademecum.core.windows import Key, Sources, Told, endpoint_of
from vademecum.models.endpoint import Variant, provider_of, variant_of
from vademecum.models.probe import probed
from vademecum.models.sources import sources
from vademecum.proxy.config import ProxyConfig
from vademecum.proxy.upstreams import Upstream

#: How long an answer is good, and how long a server that gave none is left alone, in seconds.
_GOOD_S = 300.0
_LEFT_ALONE_S = 30.0
#: How long the first request of a model waits where nothing at all is known of its window, in seconds.
_FIRST_S = 1.0


@dataclass(frozen=True, slots=True)
class Running:
    """The model that a request goes to.

    Attributes:
        model: Its id.
        variant: What the headers ask for beside it.
        num_ctx: The window that the request itself sets at its runtime; None where it sets none.
    """

    model: str
    variant: Variant | None = None
    num_ctx: int | None = None

    @classmethod
    def of(cls, model: str, headers: Mapping[str, str], num_ctx: int | None = None) -> Running:
        """The model of a request, by the name that it gives and its headers."""
        return cls(model, variant_of(headers), num_ctx)

    @property
    def learned_as(self) -> str:
        """Under which name what its errors teach is kept."""
        return self.model if self.variant is None else f"{self.model}+{self.variant.name}"


class Windows:
    """Windows, for every request anew: what was found out since counts.

    Args:
        config: The proxy's settings.
        upstream: Whose models they are.
        archive: Opens the archive that keeps what is found out.
        now: Seconds since the epoch.
        clock: Seconds that only grow.
    """

    def __init__(
        self,
        config: ProxyConfig,
        upstream: Upstream,
        archive: Callable[[], Archive],
        *,
        now: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._user = config.budget.window.tokens if config.budget.window.origin == "user" else None
        self._catalog = config.catalog
        self._endpoint = endpoint_of(upstream.url)
        self._provider = provider_of(upstream.url)
        self._kept = KeptWindows(archive, now)
        self._now, self._clock = now, clock
        self._due: dict[str, float] = {}
        self._asking: dict[str, asyncio.Task[None]] = {}
        self.client: aiohttp.ClientSession | None = None

    def of(self, running: Running) -> Window:
        """The window of a model; it runs in a worker, since it reads the archive.

        Raises:
            ConfigError: The request names no model, and the user gave no window for all.
        """
        if not running.model and self._user is not None:
            return Window(self._user)
        return self._sources(running).window

    def wanted(self, running: Running) -> bool | None:
        """Whether the server is to be asked for a window; it runs in a worker, since it reads the archive.

        Returns:
            None where the user's word is enough, True where nothing at all is known, else False.
        """
        if not running.model:
            return None
        found = self._sources(running)
        if found.user is not None and found.learned is None:
            return None
        return found.window.origin == "default" and found.probed is None

    async def look_up(self, running: Running, headers: Mapping[str, str], *, wait: bool = False) -> None:
        """Has the server asked where it was not for a while.

        Args:
            running: The model.
            headers: Those of the request: its key is needed to ask.
            wait: Wait a moment for the answer.
        """
        task = self._asking.get(running.model)
        if task is None and self.client is not None and self._clock() >= self._due.get(running.model, 0.0):
            task = asyncio.create_task(self._ask(self.client, running.model, headers))
            self._asking[running.model] = task
        if task is not None and wait:
            await asyncio.wait([task], timeout=_FIRST_S)

    def learn(self, running: Running, tokens: int) -> None:
        """Keeps the limit that an error named; it counts from the next look on."""
        if self._kept.learn(self._endpoint, running.model, window=tokens, name=running.learned_as):
            self._due.pop(running.model, None)

    def output_cap(self, running: Running) -> int | None:
        """The most that a model writes for one request, where an error has said so; it runs in a worker."""
        learned = self._kept.of(self._endpoint, running.learned_as).learned if running.model else None
        return None if learned is None else learned.max_output

    def learn_output(self, running: Running, tokens: int) -> None:
        """Keeps the output limit that an error named."""
        self._kept.learn(self._endpoint, running.model, window=None, output=tokens, name=running.learned_as)

    def doubt(self) -> None:
        """Notes that the server was away: it may come back with another window."""
        self._due.clear()

    async def close(self) -> None:
        """Ends the questions that are under way."""
        tasks = list(self._asking.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _sources(self, running: Running) -> Sources:
        key = Key(self._provider, self._endpoint, running.model)
        plain = self._kept.of(self._endpoint, running.model)
        own = plain if running.variant is None else self._kept.of(self._endpoint, running.learned_as)
        user = min((size for size in (self._user, running.num_ctx) if size), default=None)
        return sources(
            key,
            catalog=self._catalog,
            user=user,
            probed=plain.probed,
            learned=own.learned,
            variant=running.variant,
        )

    async def _ask(self, client: aiohttp.ClientSession, model: str, headers: Mapping[str, str]) -> None:
        try:
            answer = await probed(client, self._endpoint, model, headers=headers, now=self._now())
            self._due[model] = self._clock() + (_LEFT_ALONE_S if _may_change(answer) else _GOOD_S)
            if answer is not None:
                await asyncio.to_thread(self._kept.keep, self._endpoint, model, answer)
        finally:
            self._asking.pop(model, None)


def _may_change(answer: Told | None) -> bool:
    """Whether the server is soon asked again: it said nothing, or how much it could be once it is loaded."""
    return answer is None or answer.standing == "bound"
