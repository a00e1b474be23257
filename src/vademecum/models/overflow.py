"""Recognising that a provider refused an input because it is larger than the model's window."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from vademecum.wire.values import mapping, sequence, string

#: A figure as it is written, thousands separators included.
_NUMBER = r"\d[\d,]*"
#: From this share of the limit on, an input is what has to shrink, not the reply.
_NEARLY = 0.97
#: Status codes that say something else, whatever the text: keys, rates, quotas.
_OTHERS = frozenset({401, 402, 403, 404, 408, 429, 502, 503, 504, 529})


def is_overflow(status: int, body: bytes) -> bool:
    """Whether an error says that the input is too large for the model.

    Args:
        status: The HTTP status; 200 for an error inside a stream.
        body: The error as JSON.
    """
    if status in _OTHERS:
        return False
    try:
        found: object = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return any(_says_so(code, text) for code, text in _errors(found))


def _errors(value: object) -> Iterator[tuple[tuple[object, ...], str]]:
    """Codes and message of an error, wherever the provider puts it."""
    for item in sequence(value) or (value,):
        fields = mapping(item) or {}
        inner = mapping(fields.get("response")) or fields
        error = inner.get("error", inner)
        if isinstance(error, str):
            yield (), error
            continue
        told = mapping(error) or {}
        yield (told.get("code"), told.get("type")), string(told.get("message"))


def _says_so(codes: tuple[object, ...], text: str) -> bool:
    table, patterns = _table()
    if any(isinstance(code, str) and code in table for code in codes):
        return True
    for pattern in patterns:
        found = pattern.match(text)
        if found is None:
            continue
        figures = {name: int(value.replace(",", "")) for name, value in found.groupdict().items() if value}
        return "input" not in figures or figures["input"] >= _NEARLY * figures["limit"]
    return False


@cache
def _table() -> tuple[frozenset[str], tuple[re.Pattern[str], ...]]:
    data: dict[str, Any] = tomllib.loads(files("vademecum.models").joinpath("overflow.toml").read_text("utf-8"))
    wordings = (data["before"] + text.replace("{n}", _NUMBER) for text in data["messages"])
    return frozenset(data["codes"]), tuple(re.compile(text, re.IGNORECASE) for text in wordings)
