"""Endpoints: who serves at a base URL, and what headers ask of a model beside its name."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from vademecum.core.windows import endpoint_of


@dataclass(frozen=True, slots=True)
class Variant:
    """A model with another window than the one of its name, because a header asks for it.

    Attributes:
        name: What sets it apart from the plain model.
        header: The header's name, in lower case.
        starts: How one of the header's values begins.
        window: The window that it has.
    """

    name: str
    header: str
    starts: str
    window: int


def provider_of(url: str) -> str:
    """The provider of a base URL, as the catalog names it; empty where none is known for its host."""
    host = urlsplit(url).hostname or ""
    hosts: Mapping[str, str] = _table()["hosts"]
    return next((name for known, name in hosts.items() if host == known or host.endswith(f".{known}")), "")


def runtime_of(url: str) -> str:
    """Who usually listens at the port of a URL on one's own machine; empty where nobody does."""
    return _table()["ports"].get(str(urlsplit(url).port), "")


def format_of(provider: str) -> str:
    """The wire format in which a provider's models are asked."""
    return _table()["formats"].get(provider, "openai-chat")


def base_of(provider: str) -> str | None:
    """The base URL that a provider's SDK is given; empty for the SDK's own, None where none is known here."""
    return _table()["bases"].get(provider)


def url_of(provider: str) -> str:
    """The base URL of a provider or a usual runtime; empty for one that has many, or none that is known."""
    base: str = _table()["bases"].get(provider, "")
    if "//127.0.0.1" in base:
        return endpoint_of(base)
    return next((f"https://{host}" for host, name in _table()["hosts"].items() if name == provider), "")


def own_url(format: str) -> str:
    """The base URL that a format's SDK has by itself."""
    return _table()["own"][format]


def key_headers(url: str, key: str) -> Mapping[str, str]:
    """The headers by which an endpoint takes a key; none for an empty one."""
    if not key:
        return {}
    headers: Mapping[str, str] = _table()["keys"].get(provider_of(url), _table()["keys"]["others"])
    return {name: value.replace("{key}", key) for name, value in headers.items()}


def variant_of(headers: Mapping[str, str]) -> Variant | None:
    """The variant that a request's headers ask for; names of headers are in lower case."""
    for variant in _variants():
        values = headers.get(variant.header, "").split(",")
        if any(value.strip().startswith(variant.starts) for value in values):
            return variant
    return None


@cache
def _variants() -> tuple[Variant, ...]:
    return tuple(Variant(**row) for row in _table()["variant"])


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files("vademecum.models").joinpath("endpoints.toml").read_text("utf-8"))
