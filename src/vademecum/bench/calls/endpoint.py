"""An OpenAI-compatible endpoint: one chat completion for a request, with bounded retries."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from urllib.parse import urlsplit

from vademecum.bench.calls.batch import body, completion
from vademecum.bench.calls.request import Request
from vademecum.bench.calls.store import Given
from vademecum.errors import AuthFailed, ConfigError, Unavailable

#: A request is sent so often at most; before each further time it waits twice as long.
TRIES, _FIRST_WAIT, _LONGEST_WAIT = 4, 1.0, 30.0
_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_NO_KEY = frozenset({401, 403})
_TIMEOUT = 600.0


class Endpoint:
    """A model behind a URL.

    Args:
        where: `URL#model`, such as `http://127.0.0.1:8080/v1#local`.
        key: The key; empty for none. It is sent, and never written or shown.
        thinking: Tokens for what it thinks before it answers.
        wait: Waits so many seconds.

    Raises:
        ConfigError: That is no such URL.
    """

    def __init__(
        self, where: str, *, key: str = "", thinking: int = 0, wait: Callable[[float], None] = time.sleep
    ) -> None:
        url, _, self.model = where.partition("#")
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or not self.model:
            raise ConfigError(
                f"{where!r} names no model behind a URL", hint="write it as http://127.0.0.1:8080/v1#MODEL"
            )
        if parts.username or parts.password:
            raise ConfigError("a URL with a key in it would be written into logs", hint="set VADEMECUM_BENCH_KEY")
        base = url.rstrip("/")
        self._url = base if base.endswith("/chat/completions") else f"{base}/chat/completions"
        self._key = key
        self._thinking = thinking
        self._wait = wait
        self._opener = urllib.request.build_opener(_Stay())

    def __call__(self, request: Request) -> Given:
        """Its answer; a fault where it brought no text, as when the context is longer than the model's window.

        Raises:
            AuthFailed: It refuses the key.
            Unavailable: It did not answer, time and again.
        """
        wait, last = _FIRST_WAIT, ""
        for attempt in range(TRIES):
            if attempt:
                self._wait(wait)
                wait = min(2 * wait, _LONGEST_WAIT)
            try:
                with self._opener.open(self._sent(request), timeout=_TIMEOUT) as response:
                    return completion(request.id, json.loads(response.read()))
            except urllib.error.HTTPError as error:
                last = f"{error.code} {_said(error)}"
                if error.code in _NO_KEY:
                    raise AuthFailed(f"{self.model} answered {last}", hint="set VADEMECUM_BENCH_KEY") from error
                if error.code not in _AGAIN:
                    return Given(request.id, "", self.model, "refused")
                wait = max(wait, _asked_for(error))
            except (OSError, http.client.HTTPException) as error:
                last = f"{type(error).__name__}: {error}"
            except ValueError:
                return Given(request.id, "", self.model, "malformed")
        raise Unavailable(f"{self.model} did not answer {TRIES} times: {last}", hint="run it again to go on")

    def _sent(self, request: Request) -> urllib.request.Request:
        headers = {"content-type": "application/json"}
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        data = json.dumps(body(request, self.model, self._thinking)).encode()
        return urllib.request.Request(self._url, data=data, headers=headers, method="POST")  # noqa: S310


def _said(error: urllib.error.HTTPError) -> str:
    try:
        return error.read(300).decode("utf-8", "replace").strip()
    except (OSError, http.client.HTTPException):
        return ""


def _asked_for(error: urllib.error.HTTPError) -> float:
    told = error.headers.get("retry-after", "")
    return min(float(told), _LONGEST_WAIT) if told.isdigit() else 0.0


class _Stay(urllib.request.HTTPRedirectHandler):
    """A key is for the host that was named: nobody is followed elsewhere."""

    def redirect_request(
        self, req: object, fp: object, code: object, msg: object, headers: object, newurl: object
    ) -> None:
        """Goes nowhere."""
