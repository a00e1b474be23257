"""Upstreams: where requests go, each with its model and its key where these are not the client's (P-7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from vademecum.core.windows import endpoint_of
from vademecum.errors import ConfigError
from vademecum.models.endpoint import key_headers, provider_of

#: Providers that speak their own formats and no other's → these.
_SPEAKS: Mapping[str, frozenset[str]] = {
    "anthropic": frozenset({"anthropic"}),
    "openai": frozenset({"openai-chat", "openai-responses"}),
}
#: Headers that hold a client's key, and how each is written.
KEY_HEADERS: Mapping[str, str] = {
    "authorization": "Bearer {key}",
    "x-api-key": "{key}",
    "api-key": "{key}",
    "x-goog-api-key": "{key}",
}
_DEFAULT = {"anthropic": "x-api-key", "gemini": "x-goog-api-key"}


@dataclass(frozen=True, slots=True)
class Upstream:
    """One place that requests go to.

    Attributes:
        url: Its base URL, without the path of the endpoint.
        model: The model that is asked there; empty for the one that each request names.
        key: Its key; empty for the client's own.
        trusted: Whether it may see the client's own key: it is at the host that the client's requests are meant for.
    """

    url: str
    model: str = ""
    key: str = field(default="", repr=False)
    trusted: bool = True

    @property
    def called(self) -> str:
        """Its name in headers and logs."""
        place = endpoint_of(self.url)
        return f"{self.model} at {place}" if self.model else place

    @property
    def takes_client_key(self) -> bool:
        """Whether the client's own key goes on to it."""
        return self.trusted and not self.key

    def keyed(self, headers: Mapping[str, str], format: str) -> Mapping[str, str]:
        """The headers by which it gets its own key; empty where it has none.

        Args:
            headers: Those of the request, with names in lower case.
            format: The wire format.
        """
        if not self.key:
            return {}
        if provider_of(self.url):
            # What else stands there, such as a version, the client has set for itself.
            known = ((name.lower(), value) for name, value in key_headers(self.url, self.key).items())
            return {name: value for name, value in known if name in KEY_HEADERS}
        used = next((name for name in KEY_HEADERS if headers.get(name)), _DEFAULT.get(format, "authorization"))
        return {used: KEY_HEADERS[used].replace("{key}", self.key)}


def upstream_of(text: str, variables: Mapping[str, str]) -> Upstream:
    """An upstream as it is written in settings: `URL`, `URL#MODEL`, `URL#MODEL?key=VARIABLE`, `URL?key=VARIABLE`.

    Args:
        text: What is written.
        variables: Where the variable with its key is looked up.

    Raises:
        ConfigError: It is no URL, or has a user or password, or the variable is not set.
    """
    place, _, model = text.partition("#")
    url, asked, option = place.partition("?")
    if not asked:
        model, asked, option = model.partition("?")
    _checked_url(url)
    name, _, variable = option.partition("=")
    if asked and (name != "key" or not variable or "?" in model):
        raise ConfigError(f"--upstream {text!r} has {option!r}", hint="write URL#MODEL?key=VARIABLE")
    key = variables.get(variable, "") if variable else ""
    if variable and not key:
        raise ConfigError(f"the variable {variable} of the upstream {url} is not set", hint=f"export {variable}=…")
    return Upstream(url.rstrip("/"), model, key)


def _checked_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is none, an address that is not closed
        whole = False
    # A password is not said, wherever this is shown; beside a client's own key it could not be sent either.
    if "@" in url.partition("://")[2].partition("/")[0]:
        raise ConfigError("an --upstream has a user or a password in it", hint="give its key as URL?key=VARIABLE")
    if not whole:
        raise ConfigError(f"--upstream {url!r} is no URL", hint="such as https://api.anthropic.com")


def keyed_anew(headers: Mapping[str, str], upstream: Upstream, format: str) -> Mapping[str, str]:
    """Headers as an upstream sees them: with the client's key, its own, or none.

    Args:
        headers: Those of the request, with names in lower case.
        upstream: The upstream.
        format: The wire format.
    """
    if upstream.takes_client_key:
        return headers
    bare = {name: value for name, value in headers.items() if name not in KEY_HEADERS}
    return {**bare, **upstream.keyed(headers, format)}


def checked(upstreams: Sequence[Upstream]) -> tuple[Upstream, ...]:
    """The upstreams of one chain; those at another host than the first's never see the client's key.

    Raises:
        ConfigError: There is none, two are the same, or they are known to share no wire format.
    """
    if not upstreams:
        raise ConfigError("there is no upstream", hint="give --upstream URL, or the setting upstreams")
    names = [upstream.called for upstream in upstreams]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ConfigError(f"two upstreams are {twice}", hint="name another model after #, or leave one out")
    formats = {format for known in _SPEAKS.values() for format in known}
    for upstream in upstreams:
        formats &= _SPEAKS.get(provider_of(upstream.url), formats)
    if not formats:
        raise ConfigError(
            f"the upstreams {' and '.join(names)} speak different wire formats",
            hint="the upstreams of one proxy share a format: run a proxy for each, or go through a gateway",
        )
    home = urlsplit(upstreams[0].url).hostname
    return tuple(replace(upstream, trusted=urlsplit(upstream.url).hostname == home) for upstream in upstreams)
