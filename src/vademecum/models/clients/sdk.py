"""The SDKs: which one serves a wire format, and what is asked of each."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from vademecum.errors import ConfigError

#: Wire format → module and class of what wraps the SDK, and the extra that installs it.
_SDKS = {
    "openai-chat": ("openai_sdk", "Chat", "openai"),
    "openai-responses": ("openai_sdk", "Responses", "openai"),
    "anthropic": ("anthropic_sdk", "Messages", "anthropic"),
    "gemini": ("gemini_sdk", "Contents", "gemini"),
    "ollama": ("ollama_sdk", "Native", "ollama"),
}


class Sdk(Protocol):
    """An SDK with its client for one endpoint. Its own retries are off."""

    def call(self, body: Mapping[str, Any], *, stream: bool) -> Any:
        """The reply, or an iterator over its events."""
        ...

    async def call_async(self, body: Mapping[str, Any], *, stream: bool) -> Any:
        """The same, for asyncio."""
        ...

    async def close(self) -> None:
        """Closes its connections."""
        ...


def sdk_for(format: str, *, url: str, key: str, timeout: float) -> Sdk:
    """The SDK of a format, imported only now.

    Raises:
        ConfigError: There is no such format, or its SDK is not installed.
    """
    if format not in _SDKS:
        raise ConfigError(f"no wire format {format!r}", hint=f"the formats are {', '.join(_SDKS)}")
    module, name, extra = _SDKS[format]
    try:
        return getattr(import_module(f"vademecum.models.clients.{module}"), name)(url, key, timeout)
    except ImportError as error:
        raise ConfigError(
            f"the client for {format} is not installed", hint=f"pip install 'vademecum[{extra}]'"
        ) from error


def check_installed(format: str) -> None:
    """Makes sure that the SDK of a format is there, without importing it.

    Raises:
        ConfigError: It is not.
    """
    _, _, extra = _SDKS[format]
    module = {"gemini": "google.genai"}.get(extra, extra)
    try:
        found = find_spec(module)
    except ModuleNotFoundError:  # of google.genai where there is no google
        found = None
    if found is None:
        raise ConfigError(f"the client for {format} is not installed", hint=f"pip install 'vademecum[{extra}]'")


def plain(format: str, item: Any) -> dict[str, Any]:
    """A reply or an event of an SDK as JSON data, by the format's own keys."""
    if isinstance(item, dict):
        return item  # pyright: ignore[reportUnknownVariableType]
    if format == "gemini":
        return item.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"sdk_http_response", "parsed"})
    return item.model_dump(mode="json", by_alias=True, exclude_unset=True, warnings=False)
