"""A model behind a server on this machine or in one's own network: Ollama, LM Studio, vLLM, llama.cpp (C-20)."""

from __future__ import annotations

import asyncio
import http.client
import json
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from vademecum.core.windows import Told, endpoint_of
from vademecum.errors import AuthFailed, ConfigError, ModelError, RateLimited, Unavailable
from vademecum.models.model import Prompt, Reply
from vademecum.models.probe import probed, served
from vademecum.wire.values import at, mapping

#: Where such servers listen unless they are told otherwise.
USUAL = ("http://127.0.0.1:11434", "http://127.0.0.1:1234", "http://127.0.0.1:8080", "http://127.0.0.1:8000")
#: How long it is waited for a server to say that it is there: one that was named, and one that may be; and for a
#: reply, in seconds. A port on which nobody listens says so at once.
_NAMED_S, _MAYBE_S, _REPLY_S = 10.0, 1.0, 120.0
#: Its tokenizer is another than the one that counts; so much of its window is counted on.
_COUNTED_ON = 0.8
#: Where the server does not say, it is taken to have set aside as little as any does.
_WINDOW = 4_096
_FINISH = {"stop": "stop", "length": "length", "tool_calls": "tool_call", "content_filter": "refusal"}


class LocalServer:
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
        self._url = endpoint_of(url)
        if not self._url.startswith(("http://", "https://")):
            raise ConfigError(f"{url!r} is no URL of a server", hint="write it as http://127.0.0.1:8080")
        # A machine's own servers are not behind its proxy.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self._timeout = timeout
        listed, told = _apart(_asked(self._url, model, hello))
        if listed is None or not (model or listed):
            raise Unavailable(f"no model answers at {self._url}", hint="start the server, or name another URL")
        self._name = model or listed[0]
        found = window or (told.window if told is not None else None) or _WINDOW
        self._window = found if window else int(found * _COUNTED_ON)

    @property
    def name(self) -> str:
        """Its name, as receipts show it."""
        return self._name

    @property
    def window(self) -> int:
        """Its limit in tokens as we count them."""
        return self._window

    def complete(self, prompt: Prompt) -> Reply:
        """Answers a prompt.

        Raises:
            ModelError: It said no, or did not answer.
        """
        rows = [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}]
        body = {"model": self._name, "messages": rows, "max_tokens": prompt.max_tokens, "temperature": 0}
        request = urllib.request.Request(  # noqa: S310
            f"{self._url}/v1/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"}
        )
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                data: Any = json.loads(response.read())
        except urllib.error.HTTPError as error:
            with error:
                raise _error(error.code, error.read(300).decode("utf-8", "replace"), self._name) from error
        except (OSError, http.client.HTTPException) as error:
            raise Unavailable(f"{self._url}: {type(error).__name__}: {error}", model=self._name) from error
        except ValueError as error:
            raise ModelError(f"{self._url} answered no JSON", model=self._name) from error
        return _reply(data)


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


def _error(code: int, said: str, model: str) -> ModelError:
    text = f"{code} {said.strip()}"
    if code in (401, 403):
        return AuthFailed(text, model=model)
    if code == 429:
        return RateLimited(text, model=model)
    return Unavailable(text, model=model) if code >= 500 else ModelError(text, model=model)


def _reply(data: Any) -> Reply:
    choice = mapping(at(data, ("choices", 0))) or {}
    said = mapping(choice.get("message")) or {}
    text = said.get("content")
    finish = "tool_call" if said.get("tool_calls") else _FINISH.get(str(choice.get("finish_reason")), "other")
    usage = mapping(at(data, ("usage",))) or {}
    read, wrote = (usage.get(key) for key in ("prompt_tokens", "completion_tokens"))
    return Reply(
        text if isinstance(text, str) else "",
        finish,
        read if isinstance(read, int) else 0,
        wrote if isinstance(wrote, int) else 0,
    )
