"""Questions to servers: each in a thread of its own, so that nobody waits for one that is dead (M-3)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from importlib.util import find_spec

from vademecum.core.windows import Key, Told
from vademecum.models.endpoint import key_headers
from vademecum.models.probe import probed, requests_for

#: How long an answer is good, and how long a server that gave none is left alone, in seconds.
GOOD_S = 300.0
LEFT_ALONE_S = 30.0


class Questions:
    """Asks servers for the windows of their models, each as often as its answers are worth it.

    Args:
        home: The endpoint whose key that is.
        secret: The key that goes along to it, and to no other; it is kept nowhere else.
        now: Seconds since the epoch, for the answers.
        clock: Seconds that only grow.
    """

    def __init__(self, home: str, secret: str, now: Callable[[], float], clock: Callable[[], float]) -> None:
        self._home, self._secret = home, secret
        self._now, self._clock = now, clock
        self._lock = threading.Lock()
        self._open: dict[Key, threading.Event] = {}
        self._due: dict[Key, float] = {}
        self._answers: list[tuple[Key, Told]] = []

    def ask(self, key: Key) -> None:
        """Has a server asked where it was not for a while; it returns at once."""
        with self._lock:
            if key in self._open or self._clock() < self._due.get(key, 0.0) or not possible(key):
                return
            done = self._open[key] = threading.Event()
        threading.Thread(target=self._work, args=(key, done), name="vademecum-question", daemon=True).start()

    def wait(self, key: Key, seconds: float) -> None:
        """Waits for an answer that is on its way, but not longer."""
        with self._lock:
            under_way = self._open.get(key)
        if under_way is not None:
            under_way.wait(seconds)

    def again(self, key: Key | None = None) -> None:
        """Lets servers be asked again at once: one that was away may be another now."""
        with self._lock:
            if key is None:
                self._due.clear()
            else:
                self._due.pop(key, None)

    def answers(self) -> list[tuple[Key, Told]]:
        """What was answered since."""
        with self._lock:
            found, self._answers = self._answers, []
        return found

    def _work(self, key: Key, done: threading.Event) -> None:
        told: Told | None = None
        secret = self._secret if key.endpoint == self._home else ""
        try:
            told = asyncio.run(_asked(key, key_headers(key.endpoint, secret), self._now()))
        finally:
            with self._lock:
                # What is only a bound may be known better as soon as the model is loaded.
                wait = LEFT_ALONE_S if told is None or told.standing == "bound" else GOOD_S
                self._due[key] = self._clock() + wait
                if told is not None:
                    self._answers.append((key, told))
                del self._open[key]
            done.set()


def possible(key: Key) -> bool:
    """Whether there is anything to ask: an endpoint that says its windows, and what asks it."""
    return bool(key.endpoint and requests_for(key.endpoint)) and find_spec("aiohttp") is not None


async def _asked(key: Key, headers: Mapping[str, str], now: float) -> Told | None:
    import aiohttp

    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as client:
        return await probed(client, key.endpoint, key.model, headers=headers, now=now)
