"""The client: a request in a wire format goes in, an answer comes out."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from vademecum.errors import ModelError
from vademecum.models.clients.answer import Answer, answer_of
from vademecum.models.clients.failure import cause_of, error_of, is_of_a_call
from vademecum.models.clients.retrying import Retries
from vademecum.models.clients.sdk import plain, sdk_for
from vademecum.models.clients.streaming import Stream
from vademecum.models.errors.own import table_with


class Client:
    """Asks the models of one endpoint, by the SDK of the wire format's provider.

    Args:
        format: The wire format: `openai-chat`, `openai-responses`, `anthropic`, `gemini` or `ollama`.
        url: The endpoint's base URL; empty for the provider's own.
        key: The key; empty for none. It is sent, and never stored, logged or shown.
        timeout: Seconds that a call may take.
        retries: How often a request is sent again.
        errors: Your own file of errors' wordings, which go before the packaged ones.

    Raises:
        ConfigError: There is no such format, or its SDK is not installed.
    """

    def __init__(
        self,
        format: str,
        *,
        url: str = "",
        key: str = "",
        timeout: float = 600.0,
        retries: Retries | None = None,
        errors: str | Path | None = None,
    ) -> None:
        self.format = format
        self.url = url
        self._key = key
        self._retries = retries or Retries()
        self._table = table_with(errors)
        self._sdk = sdk_for(format, url=url, key=key, timeout=timeout)

    def send(self, body: Mapping[str, Any], *, once: bool = False) -> Answer:
        """The answer to a request.

        Args:
            body: The request, as `body_of` makes it.
            once: Send it once, whatever comes back.

        Raises:
            ModelError: The endpoint said no, or did not answer.
        """
        return self._retried(once).run(lambda: self._whole(self._called(body, stream=False)))

    async def send_async(self, body: Mapping[str, Any], *, once: bool = False) -> Answer:
        """The same as `send`, for asyncio.

        Raises:
            ModelError: The endpoint said no, or did not answer.
        """

        async def call() -> Answer:
            return self._whole(await self._called_async(body, stream=False))

        return await self._retried(once).run_async(call)

    def stream(self, body: Mapping[str, Any], *, once: bool = False) -> Stream:
        """The answer piece by piece. What fails before the first piece is sent again, nothing after it.

        Raises:
            ModelError: The endpoint said no, or did not answer.
        """

        def call() -> Stream:
            events: Any = iter(self._called(body, stream=True))
            try:
                first = next(events, None)
            except Exception as error:  # noqa: BLE001  # whatever an SDK raises
                raise self._own(error, body) from cause_of(error, self._key)
            return Stream(self.format, str(body["model"]), first, events, self._key, self._table)

        return self._retried(once).run(call)

    async def stream_async(self, body: Mapping[str, Any], *, once: bool = False) -> Stream:
        """The same as `stream`, for asyncio.

        Raises:
            ModelError: The endpoint said no, or did not answer.
        """

        async def call() -> Stream:
            events: Any = aiter(await self._called_async(body, stream=True))
            try:
                first = await anext(events, None)
            except Exception as error:  # noqa: BLE001  # whatever an SDK raises
                raise self._own(error, body) from cause_of(error, self._key)
            return Stream(self.format, str(body["model"]), first, events, self._key, self._table)

        return await self._retried(once).run_async(call)

    async def close_async(self) -> None:
        """Closes its connections."""
        await self._sdk.close()

    def close(self) -> None:
        """The same as `close_async`, where no event loop runs."""
        asyncio.run(self._sdk.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close_async()

    def _retried(self, once: bool) -> Retries:
        kept = self._retries
        if not once:
            return kept
        return Retries(1, kept.first, kept.longest, kept.sleep, kept.sleep_async, kept.jitter)

    def _whole(self, reply: Any) -> Answer:
        return answer_of(self.format, plain(self.format, reply))

    def _called(self, body: Mapping[str, Any], *, stream: bool) -> Any:
        try:
            return self._sdk.call(body, stream=stream)
        except Exception as error:  # noqa: BLE001  # whatever an SDK raises
            raise self._own(error, body) from cause_of(error, self._key)

    async def _called_async(self, body: Mapping[str, Any], *, stream: bool) -> Any:
        try:
            return await self._sdk.call_async(body, stream=stream)
        except Exception as error:  # noqa: BLE001  # whatever an SDK raises
            raise self._own(error, body) from cause_of(error, self._key)

    def _own(self, error: Exception, body: Mapping[str, Any]) -> Exception:
        if isinstance(error, ModelError) or not is_of_a_call(error):
            return error
        return error_of(error, str(body.get("model", "")), self._key, self._table)
