"""The recovery pointer: how to search and restore, and a table of contents that covers all that left."""

from __future__ import annotations

from vademecum.core.carry.scope import Scope
from vademecum.core.carry.wording import RECOVERY, named, neutral
from vademecum.core.requests import QuerySegments, Segment, Steps, count, segments
from vademecum.core.text import one_line

_MOST = 24
_FEWEST = 4
#: Below this budget in tokens two segments do: a small carry is to say more than where the rest is.
_SMALL = 40


def recovery(scope: Scope, budget: int) -> Steps[str]:
    """The pointer with as many segments as there is room for; fewer ones cover the same range."""
    intro = RECOVERY.format(session=named(scope.case.session))
    most, fewest = _MOST, _FEWEST if budget >= _SMALL else 2 if budget > 0 else 1
    while True:
        found = yield from segments(QuerySegments(scope.archived, most))
        text = "\n".join([intro, *(_line(segment, most) for segment in found)])
        (size,) = yield from count((text,))
        if size <= budget or most <= fewest or len(found) <= 1:
            return text
        most = max(fewest, most // 2)


def _line(segment: Segment, most: int) -> str:
    title = neutral(one_line(segment.title, 110 if most > 12 else 70))
    names = ", ".join(neutral(one_line(name, 60)) for name in segment.names)
    what = f" {title}" if title else ""
    return f"- {segment.first}..{segment.last} ({segment.messages}){what}{' · ' + names if names else ''}"
