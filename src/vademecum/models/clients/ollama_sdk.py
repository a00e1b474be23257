"""Ollama's SDK: its native chat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ollama

from vademecum.errors import ConfigError


class Native:
    """The native chat.

    Args:
        url: The base URL; empty for a server on this machine.
        key: The key; empty for none.
        timeout: Seconds that a call may take.
    """

    def __init__(self, url: str, key: str, timeout: float) -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        given: dict[str, Any] = {
            "host": url or "http://127.0.0.1:11434",
            "timeout": timeout,
            "headers": headers,
        }
        self._now: Any = ollama.Client(**given)
        self._later: Any = ollama.AsyncClient(**given)

    def call(self, body: Mapping[str, Any], *, stream: bool) -> Any:
        """See `Sdk.call`."""
        return self._now.chat(**_checked(body), stream=stream)

    async def call_async(self, body: Mapping[str, Any], *, stream: bool) -> Any:
        """See `Sdk.call_async`."""
        return await self._later.chat(**_checked(body), stream=stream)

    async def close(self) -> None:
        """See `Sdk.close`."""
        self._now.close()
        await self._later.close()


def _checked(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without a window of the request's own the server takes its default, and cuts what is longer (M-10)."""
    if "num_ctx" not in (body.get("options") or {}):
        raise ConfigError("a request to Ollama without options.num_ctx", hint="make it with body_of(…, window=N)")
    return body
