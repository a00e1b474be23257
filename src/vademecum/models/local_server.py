"""A model behind a server on this machine or in one's own network: Ollama, LM Studio, vLLM, llama.cpp (C-20)."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from vademecum.core.windows import Told, endpoint_of
from vademecum.errors import ConfigError, ModelError, Unavailable
from vademecum.models.clients.plain_client import PlainClient
from vademecum.models.clients.plain_model import ClientModel
from vademecum.models.probe import probed, served

#: Where such servers listen unless they are told otherwise.
USUAL = ("http://127.0.0.1:11434", "http://127.0.0.1:1234", "http://127.0.0.1:8080", "http://127.0.0.1:8000")
#: How long it is waited for a server to say that it is there: one that was named, and one that may be; and for a
#: reply, in seconds. A port on which nobody listens says so at once.
_NAMED_S, _MAYBE_S, _REPLY_S = 10.0, 1.0, 120.0
#: Its tokenizer is another than the one that counts; so much of its window is counted on.
_COUNTED_ON = 0.8
#: Where the server does not say, it is taken to have set aside as little as any does.
_WINDOW = 4_096


class LocalServer(ClientModel):
    """A model of an OpenAI-compatible server.

    Args:
        url: Its base URL, such as `http://127.0.0.1:8080`.
        model: The model's id there; by default the first that it lists.
        window: The model's window; by default what the server says.
        timeout: Seconds that a reply may take.
        hello: Seconds until it must have said that it is there.

    Raises:
        ConfigError: That is no URL.
        Unavailable: It does not answer, or has no model.
    """

    def __init__(
        self,
        url: str,
        model: str = "",
        *,
        window: int | None = None,
        timeout: float = _REPLY_S,
        hello: float = _NAMED_S,
    ) -> None:
        at = endpoint_of(url)
        if not at.startswith(("http://", "https://")):
            raise ConfigError(f"{url!r} is no URL of a server", hint="write it as http://127.0.0.1:8080")
        listed, told = _apart(_asked(at, model, hello))
        if listed is None or not (model or listed):
            raise Unavailable(f"no model answers at {at}", hint="start the server, or name another URL")
        found = window or (told.window if told is not None else None) or _WINDOW
        super().__init__(
            PlainClient(at, timeout=timeout),
            model or listed[0],
            found if window else int(found * _COUNTED_ON),
            options={"temperature": 0},
        )


class LocalModel:
    """The first model that answers on this machine, looked for when it is first asked.

    Args:
        places: URLs at which it is looked for, each with the id of a model there or an empty one.
    """

    def __init__(self, places: tuple[tuple[str, str], ...]) -> None:
        self._places = places
        self._hello = _NAMED_S if len(places) == 1 else _MAYBE_S
        self._found: LocalServer | None = None
        self._lock = threading.Lock()

    def found(self) -> LocalServer | None:
        """The server; None while none answers, and then it is looked for again."""
        with self._lock:
            for url, name in self._places:
                if self._found is not None:
                    break
                try:
                    self._found = LocalServer(url, name, hello=self._hello)
                except ModelError:
                    continue
            return self._found


async def _asked(url: str, model: str, hello: float) -> tuple[list[str] | None, Told | None]:
    import aiohttp

    async with aiohttp.ClientSession() as client:
        listed = await served(client, url, timeout=hello)
        if not model and not listed:
            return listed, None
        name = model or (listed or [""])[0]
        told = await probed(client, url, name, now=0.0, timeout=hello)
        return (listed if listed is not None else [] if told is not None else None), told


def _apart(work: Any) -> tuple[list[str] | None, Told | None]:
    """Runs a coroutine whether or not the caller's thread has a loop of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
