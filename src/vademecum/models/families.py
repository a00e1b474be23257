"""Families of models: which share a tokenizer, which of them count as we do, and how long their caches last."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Family:
    """Models that share a tokenizer.

    Attributes:
        name: Its name; empty where no model is named.
        own: Whether its vocabulary is the one that is counted with here.
        cache_seconds: How long its providers keep an unused prompt in their caches.
    """

    name: str
    own: bool
    cache_seconds: int


@lru_cache(maxsize=256)
def family_of(model: str) -> Family:
    """The family of a model.

    Args:
        model: Its name, with or without its provider; empty where no model is named.
    """
    name = model.strip().casefold()
    usual, rows = _table()
    for row in rows:
        found = row.pattern.search(name)
        if found is not None:
            # `4-5` and `4.5` are the same version.
            expanded = re.sub(r"(?<=\d)-(?=\d)", ".", found.expand(row.name))
            return Family(expanded, row.own, row.cache_seconds)
    return Family(re.split(r"[/#]", name)[-1], False, usual)


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    pattern: re.Pattern[str]
    own: bool
    cache_seconds: int


@cache
def _table() -> tuple[int, tuple[_Row, ...]]:
    data = tomllib.loads(files("vademecum.models").joinpath("families.toml").read_text("utf-8"))
    usual: int = data["usual_cache"]
    rows = tuple(
        _Row(row["name"], re.compile(row["pattern"]), row.get("own", False), row.get("cache", usual))
        for row in data["family"]
    )
    return usual, rows
