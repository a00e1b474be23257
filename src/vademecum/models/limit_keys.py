"""Under which key a model takes its output limit, where that is not the one of its wire format."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files


def limit_key(format: str, model: str, usual: str) -> str:
    """The key of a request's output limit.

    Args:
        format: The wire format.
        model: The model's name, with or without its provider; empty where none is named.
        usual: The format's own key.
    """
    name = model.strip().casefold()
    return next((key for of, pattern, key in _rows() if of == format and pattern.search(name)), usual)


@cache
def _rows() -> tuple[tuple[str, re.Pattern[str], str], ...]:
    data = tomllib.loads(files("vademecum.models").joinpath("limit_keys.toml").read_text("utf-8"))
    return tuple((row["format"], re.compile(row["pattern"]), row["key"]) for row in data["limit_key"])
