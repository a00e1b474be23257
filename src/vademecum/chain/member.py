"""A member of a chain: a model at an endpoint, with its window and its options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vademecum.core.budget import Window
from vademecum.errors import ConfigError
from vademecum.models.clients import Client


@dataclass(frozen=True, slots=True)
class Member:
    """A model that may answer.

    Attributes:
        client: What asks its endpoint.
        model: The model.
        window: Its limit in tokens; by default what its server says, else the catalog, else 32,000.
        options: What else its requests have, by the format's own keys.
        on: False leaves it out.
        name: How it is called in replies and decisions; by default the model, at its URL where it has one.
    """

    client: Client
    model: str
    window: int | Window | None = None
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    on: bool = True
    name: str = ""

    @property
    def called(self) -> str:
        """Its name."""
        return self.name or (f"{self.model} at {self.client.url}" if self.client.url else self.model)


def checked(members: Sequence[Member]) -> tuple[Member, ...]:
    """The members that are on.

    Raises:
        ConfigError: None is, two have one name, or they do not share a wire format.
    """
    on = tuple(member for member in members if member.on)
    if not on:
        raise ConfigError("the chain has no member that is on", hint="give at least one Member")
    formats = sorted({member.client.format for member in on})
    if len(formats) > 1:
        raise ConfigError(
            f"the members of a chain speak {' and '.join(formats)}",
            hint="a transcript has one wire format: take members that share it",
        )
    names = [member.called for member in on]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ConfigError(f"two members of the chain are called {twice!r}", hint="give each a name of its own")
    return on
