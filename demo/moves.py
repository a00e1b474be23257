"""What the scripted model and the loop around it say to each other."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from tools import Argument

T = TypeVar("T")


@dataclass(frozen=True)
class Call:
    """One tool call that the model asks for."""

    name: str
    arguments: Mapping[str, Argument] = field(default_factory=dict)


@dataclass(frozen=True)
class Ask:
    """A new request of the user."""

    text: str


@dataclass(frozen=True)
class Act:
    """One assistant message: what it says and which tools it calls; without calls, the answer of a turn."""

    text: str
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True)
class Seen:
    """What the model gets back.

    Attributes:
        results: One per call, in their order.
        tokens: Size of the whole transcript so far.
    """

    results: tuple[str, ...] = ()
    tokens: int = 0


# A script yields moves, is sent what came of them, and returns what it has learned.
Script = Generator[Ask | Act, Seen, T]
