"""A model behind a client, as summarisers ask it: plain text in, plain text out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vademecum.models.clients.client import Client
from vademecum.models.clients.request import body_of
from vademecum.models.model import Prompt, Reply
from vademecum.wire import dialect


class ClientModel:
    """A model for `Compactor(summarizer=…)`, asked through a client.

    Args:
        client: What asks its endpoint.
        model: The model.
        window: Its limit in tokens.
        options: What else its requests have, by the format's own keys.
    """

    def __init__(self, client: Client, model: str, window: int, *, options: Mapping[str, Any] | None = None) -> None:
        self._client = client
        self._model = model
        self._window = window
        self._options = options

    @property
    def name(self) -> str:
        """Its name, as receipts show it."""
        return self._model

    @property
    def window(self) -> int:
        """Its limit in tokens."""
        return self._window

    def complete(self, prompt: Prompt) -> Reply:
        """Answers a prompt.

        Raises:
            ModelError: It said no, or did not answer.
        """
        answer = self._client.send(
            body_of(
                self._client.format,
                self._model,
                [dialect(self._client.format).user([prompt.user])],
                system=prompt.system or None,
                max_output=prompt.max_tokens,
                options=self._options,
                window=self._window,
            )
        )
        usage = answer.usage
        read, wrote = (0, 0) if usage is None else (usage.prompt_tokens, usage.output_tokens)
        return Reply(answer.text, answer.finish, read, wrote)
