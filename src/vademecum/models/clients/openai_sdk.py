"""OpenAI's SDK: chat completions and responses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import openai


class _Endpoint:
    def __init__(self, url: str, key: str, timeout: float) -> None:
        given: dict[str, Any] = {
            "base_url": url or "https://api.openai.com/v1",
            "api_key": key or "none",
            "timeout": timeout,
            "max_retries": 0,
        }
        self._now: Any = openai.OpenAI(**given)
        self._later: Any = openai.AsyncOpenAI(**given)

    async def close(self) -> None:
        """See `Sdk.close`."""
        self._now.close()
        await self._later.close()


class Chat(_Endpoint):
    """Chat completions."""

    def call(self, body: Mapping[str, Any], *, stream: bool) -> Any:
        """See `Sdk.call`."""
        return self._now.chat.completions.create(**_chat(body, stream))

    async def call_async(self, body: Mapping[str, Any], *, stream: bool) -> Any:
        """See `Sdk.call_async`."""
        return await self._later.chat.completions.create(**_chat(body, stream))


class Responses(_Endpoint):
    """Responses."""

    def call(self, body: Mapping[str, Any], *, stream: bool) -> Any:
        """See `Sdk.call`."""
        return self._now.responses.create(**_split(body, "input", stream))

    async def call_async(self, body: Mapping[str, Any], *, stream: bool) -> Any:
        """See `Sdk.call_async`."""
        return await self._later.responses.create(**_split(body, "input", stream))


def _chat(body: Mapping[str, Any], stream: bool) -> dict[str, Any]:
    # Without this a stream reports no usage.
    more = {"stream_options": {"include_usage": True}} if stream else {}
    return _split({**more, **body}, "messages", stream)


def _split(body: Mapping[str, Any], messages: str, stream: bool) -> dict[str, Any]:
    """Keys that this version of the SDK does not know go on as they are."""
    rest = {key: value for key, value in body.items() if key not in ("model", messages)}
    return {"model": body["model"], messages: body[messages], "stream": stream, "extra_body": rest}
