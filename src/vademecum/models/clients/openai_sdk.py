"""OpenAI's SDK: chat completions and responses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import openai

from vademecum.models.endpoint import provider_of


class _Endpoint:
    def __init__(self, url: str, key: str, timeout: float) -> None:
        given: dict[str, Any] = {
            "base_url": url or "https://api.openai.com/v1",
            "api_key": key or "none",
            "timeout": timeout,
            "max_retries": 0,
        }
        self._own = provider_of(given["base_url"]) == "openai"
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
        return self._now.chat.completions.create(**chat_fields(body, stream, own=self._own))

    async def call_async(self, body: Mapping[str, Any], *, stream: bool) -> Any:
        """See `Sdk.call_async`."""
        return await self._later.chat.completions.create(**chat_fields(body, stream, own=self._own))


class Responses(_Endpoint):
    """Responses."""

    def call(self, body: Mapping[str, Any], *, stream: bool) -> Any:
        """See `Sdk.call`."""
        return self._now.responses.create(**_split(body, "input", stream))

    async def call_async(self, body: Mapping[str, Any], *, stream: bool) -> Any:
        """See `Sdk.call_async`."""
        return await self._later.responses.create(**_split(body, "input", stream))


def chat_fields(body: Mapping[str, Any], stream: bool, *, own: bool) -> dict[str, Any]:
    """The body of a chat as the SDK takes it.

    Args:
        body: The body.
        stream: Whether it is streamed.
        own: Whether OpenAI's own models are asked: the newer ones refuse the older name of the output limit, which is
            the only one that many other servers know.
    """
    # Without this a stream reports no usage.
    given: dict[str, Any] = {**({"stream_options": {"include_usage": True}} if stream else {}), **body}
    if own and "max_tokens" in given:
        given.setdefault("max_completion_tokens", given.pop("max_tokens"))
    return _split(given, "messages", stream)


def _split(body: Mapping[str, Any], messages: str, stream: bool) -> dict[str, Any]:
    """Keys that this version of the SDK does not know go on as they are."""
    rest = {key: value for key, value in body.items() if key not in ("model", messages)}
    return {"model": body["model"], messages: body[messages], "stream": stream, "extra_body": rest}
