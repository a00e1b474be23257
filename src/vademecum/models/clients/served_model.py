"""A model by its name alone: asked through the client of whoever serves it (C-42)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vademecum.errors import ConfigError
from vademecum.models.catalog import Catalog
from vademecum.models.clients.answer import Answer
from vademecum.models.clients.client import Client
from vademecum.models.clients.plain_model import ClientModel
from vademecum.models.clients.sdk import check_installed
from vademecum.models.served import Served, served_by


class ServedModel(ClientModel):
    """A model that is named.

    Args:
        name: `provider:model`, `URL#model`, or a model alone that its maker serves.
        window: Its limit in tokens; by default what the catalog says.
        key: The key; empty for none.

    Raises:
        ConfigError: It is not known who serves it or what its window is, or the SDK for it is not installed.
    """

    def __init__(self, name: str, window: int = 0, *, key: str = "") -> None:
        served = served_by(name)
        check_installed(served.format)
        found = window or _window(name)
        super().__init__(_LaterClient(served, key), served.model, found)


class _LaterClient:
    """A client that is made when it is first used: SDKs take a second to import."""

    def __init__(self, served: Served, key: str) -> None:
        self.format, self.url = served.format, served.url
        self._key = key
        self._made: Client | None = None

    def send(self, body: Mapping[str, Any]) -> Answer:
        """See `Client.send`."""
        if self._made is None:
            self._made = Client(self.format, url=self.url, key=self._key)
        return self._made.send(body)


def _window(name: str) -> int:
    found = Catalog.of(None).find(name)
    if found is None or found.window is None:
        raise ConfigError(f"the window of model {name!r} is not known", hint="give the model itself as summarizer")
    return found.window
