"""A client without an SDK: chat completions of a server on this machine or in one's own network."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any

from vademecum.errors import ModelError, Unavailable
from vademecum.models.clients.answer import Answer, answer_of
from vademecum.models.clients.failure import asked_wait, refusal
from vademecum.wire.values import mapping


class PlainClient:
    """Asks an OpenAI-compatible server, once for each request.

    Args:
        url: Its base URL, without a version.
        timeout: Seconds that a reply may take.

    Attributes:
        format: The wire format.
        url: The base URL.
    """

    format = "openai-chat"

    def __init__(self, url: str, *, timeout: float) -> None:
        self.url = url
        self._timeout = timeout
        # A machine's own servers are not behind its proxy.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def send(self, body: Mapping[str, Any]) -> Answer:
        """The answer to a request.

        Raises:
            ModelError: The server said no, or did not answer.
        """
        model = str(body.get("model", ""))
        request = urllib.request.Request(  # noqa: S310
            f"{self.url}/v1/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"}
        )
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                raw = mapping(json.loads(response.read()))
        except urllib.error.HTTPError as error:
            with error:
                waits = asked_wait(dict(error.headers.items()))
                raise refusal(error.code, error.read(), model, retry_after=waits) from error
        except (OSError, http.client.HTTPException) as error:
            raise Unavailable(f"{self.url}: {type(error).__name__}: {error}", model=model) from error
        except ValueError as error:
            raise ModelError(f"{self.url} answered no JSON", model=model) from error
        return answer_of(self.format, raw or {})
