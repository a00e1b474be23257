"""Reading values of unknown shape without surprises."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

from vademecum.core.messages import Place
from vademecum.core.text import clean
from vademecum.errors import WireError

#: Marks for a provider's cache: they move from request to request and are no content.
MARKS = frozenset({"cache_control"})


_DEEP = "have a value that is nested too deeply for JSON"


def mapping(value: object) -> Mapping[str, object] | None:
    """The value as a mapping, or None."""
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else None


def sequence(value: object) -> Sequence[object] | None:
    """The value as a list or tuple, or None."""
    return cast("Sequence[object]", value) if isinstance(value, list | tuple) else None


def string(value: object) -> str:
    """The value if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def dumped(value: object) -> str:
    """Compact JSON that keeps every character and every digit; strings stay themselves."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    except RecursionError:
        raise WireError(-1, _DEEP) from None


def at(wire: object, place: Place) -> object:
    """The value at a place of a wire object, or None."""
    for key in place:
        if isinstance(key, str):
            found = mapping(wire)
            wire = None if found is None else found.get(key)
        else:
            items = sequence(wire)
            wire = items[key] if items is not None and key < len(items) else None
    return wire


def without(value: Mapping[str, object], keys: frozenset[str]) -> dict[str, object]:
    """A copy without some keys."""
    return {key: item for key, item in value.items() if key not in keys}


def clean_items(items: Sequence[object]) -> list[object]:
    """The items of a content list with their texts made safe to send; whatever else they are stays."""
    made: list[object] = []
    for item in items:
        fields = mapping(item)
        text = None if fields is None else fields.get("text")
        if isinstance(item, str):
            made.append(clean(item))
        elif fields is not None and isinstance(text, str):
            made.append({**fields, "text": clean(text)})
        else:
            made.append(item)
    return made


def encoded(value: object) -> bytes:
    """Compact UTF-8 JSON; a value with lone surrogates is written with escapes, so that it stays exact."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    except RecursionError:
        raise WireError(-1, _DEEP) from None
