"""Google's SDK: Gemini's contents."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from google import genai
from google.genai import types
from pydantic import ValidationError

from vademecum.errors import ConfigError


class Contents:
    """Contents.

    Args:
        url: The base URL; empty for Google's own.
        key: The key; empty for none.
        timeout: Seconds that a call may take.
    """

    def __init__(self, url: str, key: str, timeout: float) -> None:
        once = types.HttpRetryOptions(attempts=1)
        options = types.HttpOptions(base_url=url or None, timeout=int(timeout * 1000), retry_options=once)
        self._client: Any = genai.Client(api_key=key or "none", vertexai=False, http_options=options)

    def call(self, body: Mapping[str, Any], *, stream: bool) -> Any:
        """See `Sdk.call`."""
        models = self._client.models
        return (models.generate_content_stream if stream else models.generate_content)(**_given(body))

    async def call_async(self, body: Mapping[str, Any], *, stream: bool) -> Any:
        """See `Sdk.call_async`."""
        models = self._client.aio.models
        return await (models.generate_content_stream if stream else models.generate_content)(**_given(body))

    async def close(self) -> None:
        """See `Sdk.close`."""
        self._client.close()
        await self._client.aio.aclose()


def _given(body: Mapping[str, Any]) -> dict[str, Any]:
    """The body as the SDK takes it: what stands beside the contents is one flat configuration there."""
    rest = {key: value for key, value in body.items() if key not in ("model", "contents", "generationConfig")}
    config: dict[str, Any] = {**body.get("generationConfig", {}), **rest}
    try:
        # By JSON and not by dictionaries: signatures are base64 there, and only there.
        contents = [types.Content.model_validate_json(json.dumps(item)) for item in body["contents"]]
        made = types.GenerateContentConfig.model_validate_json(json.dumps(config))
    except ValidationError as error:
        raise ConfigError(f"the request is not one of Gemini's: {error.errors()[0]['msg']}") from error
    made.automatic_function_calling = types.AutomaticFunctionCallingConfig(disable=True)
    return {"model": body["model"], "contents": contents, "config": made}
