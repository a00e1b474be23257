"""The tools' arguments: a table as data, the JSON schema made of it, and checking what a client sends."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from vademecum.core.text import clean
from vademecum.errors import ConfigError

Given = Mapping[str, Any]
_EXAMPLES = {"string": "a string", "integer": "a whole number", "boolean": "true or false"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument of a tool.

    Attributes:
        name: Its name.
        type: What it may be.
        description: For the model that fills it in.
        required: Whether a call without it is refused.
        default: What it is where a call does not have it.
        least: The least number.
        most: The greatest number, or the longest text.
        choices: The values that it may have; empty for any.
    """

    name: str
    type: Literal["string", "integer", "boolean"]
    description: str
    required: bool = False
    default: str | int | bool | None = None
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()

    def schema(self) -> dict[str, Any]:
        """Its JSON schema."""
        found: dict[str, Any] = {"type": self.type, "description": self.description}
        if self.type == "integer":
            found |= {"minimum": self.least, "maximum": self.most}
        elif self.most is not None:
            found["maxLength"] = self.most
        if self.choices:
            found["enum"] = list(self.choices)
        if self.default is not None:
            found["default"] = self.default
        return found

    def read(self, value: object) -> str | int | bool:
        """The value, checked. A number or a switch may be written as text: models do so.

        Raises:
            ConfigError: It is of another type, or out of bounds.
        """
        match self.type:
            case "string":
                return self._text(value)
            case "integer":
                return self._number(value)
            case "boolean":
                return self._switch(value)

    def _text(self, value: object) -> str:
        if not isinstance(value, str):
            raise self._wrong(value)
        if self.most is not None and len(value) > self.most:
            raise ConfigError(f"{self.name} has {len(value):,} characters, {self.most:,} are the most")
        if self.choices and value not in self.choices:
            raise ConfigError(f"{self.name} {value!r:.60} is unknown", hint=f"one of {', '.join(self.choices)}")
        return clean(value)

    def _number(self, value: object) -> int:
        if isinstance(value, str) and value.strip().isascii() and value.strip().lstrip("-").isdigit():
            value = int(value.strip()[:30])
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._wrong(value)
        if (self.least is not None and value < self.least) or (self.most is not None and value > self.most):
            raise ConfigError(f"{self.name} {_short(value)} is out of range", hint=f"{self.least:,} to {self.most:,}")
        return value

    def _switch(self, value: object) -> bool:
        if isinstance(value, str) and value.lower() in ("true", "false"):
            return value.lower() == "true"
        if not isinstance(value, bool):
            raise self._wrong(value)
        return value

    def _wrong(self, value: object) -> ConfigError:
        return ConfigError(f"{self.name} is {_short(value)}", hint=f"it has to be {_EXAMPLES[self.type]}")


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as a client sees it."""

    name: str
    title: str
    description: str
    read_only: bool
    arguments: tuple[Argument, ...]

    def schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        return {
            "type": "object",
            "properties": {each.name: each.schema() for each in self.arguments},
            "required": [each.name for each in self.arguments if each.required],
            "additionalProperties": False,
        }

    def read(self, given: Given) -> dict[str, Any]:
        """The arguments of a call, checked, with defaults; null counts as not given.

        Raises:
            ConfigError: One is unknown, missing, of the wrong type or out of bounds.
        """
        known = {each.name: each for each in self.arguments}
        for name in given:
            if name not in known:
                near = difflib.get_close_matches(name[:100], known, n=1)
                hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
                raise ConfigError(f"{self.name} has no argument {name!r:.60}", hint=hint)
        found: dict[str, Any] = {}
        for name, each in known.items():
            value = given.get(name)
            if value is None:
                if each.required:
                    raise ConfigError(f"{self.name} needs {name}", hint=each.description)
                found[name] = (
                    each.default if each.default is not None else (False if each.type == "boolean" else None)
                )
            else:
                found[name] = each.read(value)
        return found


@cache
def tools() -> Mapping[str, Tool]:
    """All tools by name, in the order of the table."""
    table: dict[str, Any] = tomllib.loads(files("vademecum.mcp").joinpath("tools.toml").read_text("utf-8"))
    found: dict[str, Tool] = {}
    for name, row in table.items():
        arguments = tuple(_argument(key, spec) for key, spec in row["arguments"].items())
        found[name] = Tool(name, row["title"], row["description"].strip(), row["read_only"], arguments)
    return found


def _argument(name: str, spec: dict[str, Any]) -> Argument:
    fields: dict[str, Any] = {**spec, "choices": tuple(spec.get("choices", ()))}
    return Argument(name=name, **fields)


def _short(value: object) -> str:
    """A value for an error: whatever it is, on one short line."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**18:
        return "a huge number"
    shown = repr(value)[:60] if isinstance(value, str | int | float | bool) else type(value).__name__
    return clean(shown)
