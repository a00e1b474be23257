"""Anthropic's SDK: messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anthropic

#: The format asks for a limit in every request.
_LIMIT = 4_096


class Messages:
    """Messages.

    Args:
        url: The base URL; empty for Anthropic's own.
        key: The key; empty for none.
        timeout: Seconds that a call may take.
    """

    def __init__(self, url: str, key: str, timeout: float) -> None:
        given: dict[str, Any] = {
            "base_url": url or "https://api.anthropic.com",
            "api_key": key or "none",
            "timeout": timeout,
            "max_retries": 0,
        }
        self._now: Any = anthropic.Anthropic(**given)
        self._later: Any = anthropic.AsyncAnthropic(**given)

    def call(self, body: Mapping[str, Any], *, stream: bool) -> Any:
        """See `Sdk.call`."""
        return self._now.messages.create(**_given(body, stream))

    async def call_async(self, body: Mapping[str, Any], *, stream: bool) -> Any:
        """See `Sdk.call_async`."""
        return await self._later.messages.create(**_given(body, stream))

    async def close(self) -> None:
        """See `Sdk.close`."""
        self._now.close()
        await self._later.close()


def _given(body: Mapping[str, Any], stream: bool) -> dict[str, Any]:
    named = ("model", "messages", "max_tokens")
    rest = {key: value for key, value in body.items() if key not in named}
    limit = body.get("max_tokens", _LIMIT)
    return {
        "model": body["model"],
        "messages": body["messages"],
        "max_tokens": limit,
        "stream": stream,
        "extra_body": rest,
    }
