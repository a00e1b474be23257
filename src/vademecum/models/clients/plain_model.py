"""A model behind a client, as summarisers ask it: plain text in, plain text out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

from vademecum.core.messages import Wire
from vademecum.models.clients.answer import Answer
from vademecum.models.clients.request import body_of
from vademecum.models.known import Known
from vademecum.models.model import NamedModel, Prompt, Reply, Ride
from vademecum.wire import dialect


class Sender(Protocol):
    """What of a client is needed."""

    format: str
    url: str

    def send(self, body: Mapping[str, Any]) -> Answer:
        """The answer to a request.

        Raises:
            ModelError: The endpoint said no, or did not answer.
        """
        ...


class ClientModel(NamedModel):
    """A model for `Compactor(summarizer=…)`, asked through a client.

    Args:
        client: What asks its endpoint.
        model: The model.
        window: Its limit in tokens.
        options: What else its requests have, by the format's own keys.
    """

    def __init__(self, client: Sender, model: str, window: int, *, options: Mapping[str, Any] | None = None) -> None:
        super().__init__(model, window)
        self._client = client
        self._options = options

    @property
    def format(self) -> str:
        """The wire format in which it is asked."""
        return self._client.format

    @cached_property
    def known(self) -> Known | None:
        """What the packaged catalog has of it: as its provider serves it, else as its maker does."""
        from vademecum.core.windows import Key
        from vademecum.models.catalog import Catalog
        from vademecum.models.endpoint import provider_of
        from vademecum.models.sources import cataloged

        return cataloged(Catalog.of(None), Key(provider_of(self._client.url), self._client.url, self.name))

    def complete(self, prompt: Prompt) -> Reply:
        """Answers a prompt.

        Raises:
            ModelError: It said no, or did not answer.
        """
        return self._asked([_user(self.format, prompt.user)], prompt.system or None, None, prompt.max_tokens)

    def ride(self, ride: Ride) -> Reply:
        """Answers an instruction at the end of what it has read: all before it goes out as it was sent.

        Raises:
            ModelError: It said no, or did not answer.
        """
        messages = [*ride.messages, _user(self.format, ride.instruction)]
        return self._asked(messages, ride.system, ride.tools, ride.max_tokens)

    def _asked(self, messages: Sequence[Wire], system: object, tools: object, most: int) -> Reply:
        answer = self._client.send(
            body_of(
                self.format,
                self.name,
                messages,
                system=system,
                tools=tools,
                max_output=most,
                options=self._options,
                window=self.window,
            )
        )
        usage = answer.usage
        if usage is None:
            return Reply(answer.text, answer.finish)
        return Reply(answer.text, answer.finish, usage.prompt_tokens, usage.output_tokens, usage.cached_tokens)


def _user(format: str, text: str) -> Wire:
    return dialect(format).user([text])
