"""Names that only tool output has: what the agent may type next although nobody has said it yet."""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from vademecum.core.carry.scope import Scope
from vademecum.core.carry.wording import neutral
from vademecum.core.requests import QueryFacts, Steps, StoredFact, count, facts
from vademecum.core.text import one_line

#: Outputs that are looked at, the newest ones.
_MOST = 600
#: An output this much older than the newest is worth half, in messages.
_HALF = 100
_HEADING = "[names in what was read, the latest reading last; search for them]"
_HEADING_TOKENS = 16
#: A name takes so many tokens at least, with what parts it from the next; few take less.
_LEAST = 3
#: Names that are counted beyond those that there could be room for.
_MORE = 200
#: A name that was typed counts as if so many outputs had it.
_TYPED = 3
#: What closes an element of markup names nothing.
_TAG = re.compile(r"/[A-Za-z]+")
_LINE = re.compile(r":\d+(?::.*)?$")
_WORD = re.compile(r"[^\s,]+")
_PLAIN = re.compile(r"[\w$-]+")
_JOINED = re.compile(r"[\w$@:#+-]+(?:[./]+[\w$@:#+-]+)+")
_EDGES = ".:/"
#: What a name in a file that was read counts against one that a command printed.
_FILE = 3.0
#: Characters of what a list of names stands under; of a path its last two parts.
_LABEL = 40


def seen(scope: Scope, budget: int, typed: Iterable[StoredFact]) -> Steps[list[str]]:
    """Names that calls and the newest outputs have, each once, under the file or command that showed it last.

    A name is worth more the more outputs have it, the newer they are and the fewer tokens it takes.

    Args:
        scope: The carry so far.
        budget: Tokens.
        typed: What the agent typed into calls; its names come first where they nowhere stand.
    """
    found = yield from facts(QueryFacts(("seen",), scope.until, _MOST, newest_first=True))
    standing = _standing(scope.written)
    last: dict[str, StoredFact] = {}
    times: Counter[str] = Counter()
    for fact in (*typed, *found):
        for name in map(_bare, fact.text.split("\n") if fact.kind == "seen" else [name for name, _ in fact.names]):
            times[name] += 1 if fact.kind == "seen" else _TYPED
            if name not in standing and not _TAG.fullmatch(name):
                last.setdefault(name, fact)
    left = budget - _HEADING_TOKENS
    worths = {name: _worth(fact, times[name], scope.until) for name, fact in last.items()}
    # Not many more are counted than there can be room for: their tokens are guessed from their length at first.
    most = max(0, left) // _LEAST + _MORE
    best = heapq.nsmallest(most, last, key=lambda name: (-worths[name] / math.sqrt(len(name)), name))
    sizes = dict(zip(best, (yield from count(tuple(f", {neutral(name)}" for name in best))), strict=True))
    labels = {place: _label(place) for place in {_place(last[name]) for name in best}}
    heads = dict(zip(labels, (yield from count(tuple(labels.values()))), strict=True))
    chosen: dict[str, list[str]] = {}
    for name in sorted(best, key=lambda name: (-worths[name] / math.sqrt(sizes[name]), name)):
        if name in standing:  # a longer one that was taken has it
            continue
        place = _place(last[name])
        cost = sizes[name] + (0 if labels[place] in chosen else heads[place] + 1)
        if cost <= left:
            left -= cost
            chosen.setdefault(labels[place], []).append(name)
            standing.update(_inside(name))
    return _lines(chosen, last)


def _standing(text: str) -> set[str]:
    """The names that a text has, in whatever brackets and quotes they stand, and those inside of longer ones."""
    found = {*_WORD.findall(text), *_PLAIN.findall(text)}
    for name in set(_JOINED.findall(text)):
        found.update(_inside(name.strip(_EDGES)))
    return found


def _inside(name: str) -> Iterator[str]:
    """A name, and the names that can be read off it: the end of a path, the beginning of a dotted one."""
    yield name
    at = name.find("/")
    while at >= 0:
        yield name[at + 1 :]
        at = name.find("/", at + 1)
    at = name.find(".")
    while at >= 0:
        yield name[:at]
        at = name.find(".", at + 1)


def _bare(name: str) -> str:
    """A path without the line it was found at: each hit of a search would be a name of its own."""
    found = _LINE.search(name) if ":" in name and "/" in name and "://" not in name else None
    return name if found is None else name[: found.start()]


def _worth(fact: StoredFact, times: int, until: int) -> float:
    gain = _FILE if _is_path(fact.key) else 1.0
    return gain * math.log1p(times) / (until - fact.position + _HALF)


def _lines(chosen: dict[str, list[str]], last: dict[str, StoredFact]) -> list[str]:
    if not chosen:
        return []
    newest = {label: max((last[name].position, last[name].id) for name in names) for label, names in chosen.items()}
    ordered = sorted(chosen, key=lambda label: (newest[label], label))
    return [_HEADING, *(f"{label}{', '.join(map(neutral, chosen[label]))}" for label in ordered)]


def _place(fact: StoredFact) -> str:
    return fact.key or ("typed" if fact.kind == "typed" else "output")


def _label(place: str) -> str:
    """What stands before the names: the end of a path, the beginning of a command."""
    if _is_path(place):
        place = "/".join(place.rstrip("/").split("/")[-2:])
    return f"{neutral(one_line(place, _LABEL)).lstrip('#*- ')}: "


def _is_path(key: str) -> bool:
    return "/" in key and " " not in key
