"""JSON out of what a model wrote: with fences around it, talk before it, or an end that is missing."""

from __future__ import annotations

import json
import re
from typing import Any, cast

#: After so many brackets that open nothing, the rest is taken for talk.
_VAIN = 100
_DECODER = json.JSONDecoder()
_BARE = re.compile(r"\s*[*_`\"']*(?:score\s*[:=]\s*)?([012])\s*(?:/\s*2)?[*_`\"'.]*\s*", re.IGNORECASE)


def objects(text: str) -> list[dict[str, Any]] | None:
    """The JSON objects in a text: those of the first list, or all that stand in it.

    Objects before a torn end count.

    Returns:
        None where there is neither a list nor an object.
    """
    found: list[dict[str, Any]] = []
    read, at, vain = False, 0, 0
    while vain < _VAIN and (start := _next(text, at)) >= 0:
        try:
            value, at = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            at, vain = start + 1, vain + 1
            continue
        rows = [cast("dict[str, Any]", row) for row in _flat(value) if isinstance(row, dict)]
        # An empty list is an answer; brackets in talk, such as [1], are none.
        read = read or bool(rows) or value == []
        found += rows
        if rows and isinstance(value, list):
            break
    return found if read else None


def _next(text: str, at: int) -> int:
    places = [place for place in (text.find("[", at), text.find("{", at)) if place >= 0]
    return min(places, default=-1)


def _flat(value: object) -> list[object]:
    """A list's items; of an object that holds one list, such as `{"questions": […]}`, that one's."""
    if isinstance(value, list):
        return cast("list[object]", value)
    if isinstance(value, dict):
        inner = list(cast("dict[str, object]", value).values())
        if len(inner) == 1 and isinstance(inner[0], list):
            return cast("list[object]", inner[0])
    return [value]


def score_in(text: str) -> int | None:
    """The 0, 1 or 2 that a judge wrote, as `{"score": 2}` or bare; None where it wrote neither."""
    for row in objects(text) or []:
        score: object = row.get("score")
        if isinstance(score, str) and score.strip().isdigit():
            score = int(score)
        if isinstance(score, int | float) and not isinstance(score, bool) and score in (0, 1, 2):
            return int(score)
    bare = _BARE.fullmatch(text)
    return int(bare.group(1)) if bare else None
