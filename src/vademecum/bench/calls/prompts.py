"""The prompts of the bench, one file each with its version."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template

#: Divides a prompt's file into what the system says and what the user says.
_DIVIDER = "\n===\n"


@dataclass(frozen=True, slots=True)
class Wording:
    """A prompt as its file has it.

    Attributes:
        name: Of the file.
        version: As its front matter says.
        system: The system text.
        user: The user's text, with places as `$name`.
        mark: A hash of both, which ids of requests depend on.
    """

    name: str
    version: int
    system: str
    user: str
    mark: str

    def filled(self, **values: object) -> str:
        """The user's text with values in its places."""
        return Template(self.user).substitute(values)


@cache
def wording(name: str) -> Wording:
    """A prompt by its name.

    Args:
        name: `write`, `query`, `answer` or `judge`.
    """
    text = files("vademecum.bench.calls").joinpath("prompts", f"{name}.md").read_text("utf-8")
    _, front, body = text.split("---\n", 2)
    head = dict(line.split(": ", 1) for line in front.splitlines() if ": " in line)
    system, user = body.split(_DIVIDER, 1)
    mark = hashlib.sha256(body.encode()).hexdigest()[:12]
    return Wording(name, int(head["version"]), system.strip(), user.strip(), mark)
