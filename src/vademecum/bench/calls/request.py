"""One call to a model, whoever makes it: a person with a batch file, an endpoint, or a script in a test."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Literal, TypeVar

Role = Literal["writer", "answerer", "judge", "summarizer"]
#: Those that ask and answer questions; the summariser works before there is anything to ask.
ROLES: tuple[Role, ...] = ("writer", "answerer", "judge")
#: All of them, in the order in which they work.
EVERY_ROLE: tuple[Role, ...] = ("summarizer", *ROLES)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """What a model is asked.

    Attributes:
        id: Of what is asked, so that the same call has the same id in every run.
        role: Which model it is for.
        system: The system text.
        prompt: The user's text.
        max_tokens: Upper limit of the answer.
    """

    id: str
    role: Role
    system: str
    prompt: str
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Call:
    """A request that is made only when somebody wants to send it: it may hold a whole context.

    Attributes:
        id: Of the request.
        role: Which model it is for.
        make: Writes the request.
    """

    id: str
    role: Role
    make: Callable[[], Request]


#: Something that needs models: it yields calls, is given their texts, and returns what came of it.
Asking = Generator[Call, str, T]


def request_id(role: Role, *about: object) -> str:
    """A short id of what is asked; fit for every batch format.

    Args:
        role: Which model it is for.
        about: All that the text of the request depends on, and which try it is.
    """
    told = json.dumps([role, *about], ensure_ascii=True, default=str)
    return f"{role}-{hashlib.sha256(told.encode()).hexdigest()[:24]}"
