"""Reading what a server says of a model's window; where in a reply it stands is a row of `window_shapes.toml`."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from vademecum.core.windows import Standing, Told, plausible
from vademecum.wire.values import mapping, sequence, string

#: Lists are filled in by hand: nothing below this is a window there. What a server has set aside may be smaller.
_LEAST_PUBLISHED = 1_024
_LEAST_SET_ASIDE = 128
_NUM_CTX = re.compile(r"^\s*num_ctx\s+(\d+)\s*$", re.MULTILINE)
#: Which answer counts where several are given.
_BEFORE: Mapping[Standing, int] = {"runtime": 0, "announced": 1, "bound": 2}


@dataclass(frozen=True, slots=True)
class Shape:
    """One row of the table; see there."""

    server: str
    request: str
    standing: Standing
    sends: str = ""
    where: Sequence[str] = ()
    public: bool = False
    entries: str = ""
    names: Sequence[str] = ()
    when: Mapping[str, object] = field(default_factory=dict[str, object])
    window: Sequence[str] = ()
    output: Sequence[str] = ()
    parser: str = ""

    def path(self, model: str) -> str:
        """The path that is asked, below the endpoint."""
        # A slash belongs to the id where a list is asked, and Gemini's ids come with `models/` before them.
        return self.request.partition(" ")[2].replace("{model}", quote(model.removeprefix("models/"), safe=""))

    @property
    def method(self) -> str:
        """GET or POST."""
        return self.request.partition(" ")[0]

    def body(self, model: str) -> str | None:
        """What is posted; None for a GET."""
        return self.sends.replace("{model}", json.dumps(model)) if self.sends else None


@cache
def shapes() -> tuple[Shape, ...]:
    """Every row, in order."""
    return tuple(Shape(**row) for row in _table()["shape"])


@cache
def silent() -> frozenset[str]:
    """Hosts of providers that publish no windows."""
    return frozenset(_table()["silent"]["hosts"])


def told(rows: Sequence[Shape], reply: object, model: str) -> Told | None:
    """What the reply to one request says of a model; None where it says nothing.

    Args:
        rows: The rows of the request.
        reply: The reply as JSON data, whatever it is.
        model: The model's id.
    """
    for row in rows:
        found = _parsed(row, reply, model) if row.parser else _found(row, reply, model)
        if found is not None:
            return found
    return None


def best(answers: Sequence[Told]) -> Told | None:
    """The answer that counts of those to several requests."""
    return min(answers, key=lambda answer: _BEFORE[answer.standing], default=None)


def same_model(name: str, model: str) -> bool:
    """Whether a server's name of a model is the one that was asked for: a publisher or `:latest` may be missing."""
    one, other = (text.removeprefix("models/").removesuffix(":latest").casefold() for text in (name, model))
    return bool(one) and (one == other or _slug(one, other) or _slug(other, one))


def _slug(long: str, short: str) -> bool:
    return "/" not in short and long.endswith(f"/{short}")


def _found(row: Shape, reply: object, model: str) -> Told | None:
    """The smallest figure of the entries that are about the model: deployments of one name may differ."""
    entries = [entry for entry in _entries(row, reply) if _meant(row, entry, model)]
    exact = [entry for entry in entries if any(name == model for name in _texts(entry, row.names))]
    figures = [
        size
        for entry in exact or entries
        for size in _figures(entry, row.window)
        if _may_be(row.standing, model, size)
    ]
    if not figures:
        return None
    outputs = [size for entry in exact or entries for size in _figures(entry, row.output) if plausible(size)]
    source = f"{row.server} {row.request}"
    return Told(min(figures), row.standing, source, max_output=min(outputs, default=None))


def _may_be(standing: Standing, model: str, size: int) -> bool:
    least = _LEAST_SET_ASIDE if standing == "runtime" else _LEAST_PUBLISHED
    stale = _table()["stale"]
    if standing == "announced" and size == stale["window"]:
        return not any(family in model.casefold() for family in stale["families"])
    return plausible(size, least=least)


def _entries(row: Shape, reply: object) -> Iterator[Mapping[str, object]]:
    fields = mapping(reply)
    if fields is not None and row.entries:
        reply = fields.get(row.entries, reply)
    for item in sequence(reply) or (reply,):
        entry = mapping(item)
        if entry is not None:
            yield entry


def _meant(row: Shape, entry: Mapping[str, object], model: str) -> bool:
    if any(entry.get(key) != value for key, value in row.when.items()):
        return False
    return not row.names or any(same_model(name, model) for name in _texts(entry, row.names))


def _texts(entry: Mapping[str, object], ways: Sequence[str]) -> Iterator[str]:
    for way in ways:
        yield from (value for value in _along(entry, way.split(".")) if isinstance(value, str))


def _figures(entry: Mapping[str, object], ways: Sequence[str]) -> Iterator[int]:
    for way in ways:
        for value in _along(entry, way.split(".")):
            size = count(value)
            if size is not None:
                yield size


def _along(value: object, keys: Sequence[str]) -> Iterator[object]:
    if not keys:
        yield value
    elif keys[0] == "*":
        for item in sequence(value) or ():
            yield from _along(item, keys[1:])
    else:
        fields = mapping(value)
        if fields is not None and keys[0] in fields:
            yield from _along(fields[keys[0]], keys[1:])


def count(value: object) -> int | None:
    """A figure as servers write it: a whole number, or a text with separators; never a truth value."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        digits = value.strip().replace(",", "").replace("_", "")
        return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value if isinstance(value, int) else None


def _parsed(row: Shape, reply: object, model: str) -> Told | None:
    fields = mapping(reply)
    found = None if fields is None else _PARSERS[row.parser](fields)
    if found is None or not plausible(found):
        return None
    # A model that runs at Ollama's own has all that it was made for; one of this machine is loaded with less.
    cloud = row.standing == "bound" and model.rpartition(":")[2].endswith("cloud")
    return Told(found, "announced" if cloud else row.standing, f"{row.server} {row.request}")


def _ollama_setting(fields: Mapping[str, object]) -> int | None:
    """`num_ctx` of the model's file: what it is loaded with unless a request says otherwise."""
    found = _NUM_CTX.search(string(fields.get("parameters")))
    return None if found is None else count(found[1])


def _ollama_architecture(fields: Mapping[str, object]) -> int | None:
    """What the model was made for. Parts of it, such as one that sees, have lengths of their own."""
    info = mapping(fields.get("model_info")) or {}
    return count(info.get(f"{string(info.get('general.architecture'))}.context_length"))


_PARSERS: Mapping[str, Callable[[Mapping[str, object]], int | None]] = {
    "ollama_setting": _ollama_setting,
    "ollama_architecture": _ollama_architecture,
}


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files("vademecum.models").joinpath("window_shapes.toml").read_text("utf-8"))
