"""Names of models: which model at which endpoint one means, and whether two mean the same."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from vademecum.core.windows import Key, endpoint_of
from vademecum.errors import ConfigError
from vademecum.models.catalog import Catalog
from vademecum.models.endpoint import provider_of, url_of

#: What providers add to the name that was asked for: the day, the number or the kind of a version.
_VERSION = re.compile(r"[-@:](\d{8}|\d{4}-\d{2}-\d{2}|\d{3,4}|latest|free|thinking|preview-\d{2}-\d{2,4})$")
_MOVING = frozenset({"latest", "free", "thinking"})
_WORD = re.compile(r"[a-z]+|\d+")


def key_of(name: str, catalog: Catalog, endpoint: str = "") -> Key:
    """The model of a name: `provider:model`, `model`, or `URL#model` for one at an endpoint.

    Args:
        name: The name.
        catalog: Knows the providers.
        endpoint: The base URL where it runs, where the name has none and it is not its provider's own.

    Raises:
        ConfigError: The name has no model, or the endpoint is no URL, or there are two.
    """
    if "://" in name:
        url, _, model = name.rpartition("#")
        if not url:
            raise ConfigError(f"{name!r} names no model", hint="write it as URL#model")
        if endpoint and endpoint_of(endpoint) != endpoint_of(url):
            raise ConfigError(f"{name!r} and the endpoint {endpoint!r} are two places", hint="give one of them")
        checked_url(url)
        return Key(provider_of(url), endpoint_of(url), model)
    provider, model = catalog.split(name)
    if not endpoint:
        return Key(provider, url_of(provider), model)
    if not endpoint.startswith(("http://", "https://")):
        raise ConfigError(f"the endpoint {endpoint!r} is no URL", hint="such as http://127.0.0.1:8080")
    checked_url(endpoint)
    return Key(provider or provider_of(endpoint), endpoint_of(endpoint), model)


def checked_url(url: str) -> None:
    """Sees to it that a URL has a host, and a port where it names one.

    Args:
        url: It.

    Raises:
        ConfigError: It has not.
    """
    try:
        whole = bool(urlsplit(url).hostname) and urlsplit(url).port != 0
    except ValueError:  # a port that is none, an address that is not closed
        whole = False
    if not whole:
        raise ConfigError(f"the endpoint {endpoint_of(url)!r} is no URL", hint="such as http://127.0.0.1:8080")


def alike(one: str, other: str) -> bool:
    """Whether two names are of one model: a publisher, a version that one leaves out, or the order may differ.

    Providers answer `gpt-4o-2024-08-06` for `gpt-4o`, and `anthropic/claude-4.5-sonnet` for `claude-sonnet-4-5`.
    """
    (words, version), (words_too, version_too) = _apart(one), _apart(other)
    return bool(words) and words == words_too and (version == version_too or not (version and version_too))


def _apart(name: str) -> tuple[list[str], str]:
    """A name's words in order, and its version; empty for none, or one that moves."""
    bare = name.strip().casefold().rpartition("#")[2].rpartition("/")[2]
    version = ""
    while found := _VERSION.search(bare):
        bare = bare[: found.start()]
        version = version if found[1] in _MOVING else found[1].replace("-", "")
    return sorted(_WORD.findall(bare)), version
