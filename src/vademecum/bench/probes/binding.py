"""What binds the agent in a message, from `binding.toml`: what its person typed, and which of that sets a rule."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from vademecum.bench.passages import sentences

_FENCE = re.compile(r"^\s*(?:```|~~~)")
_MARK = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)]|[a-z]\))\s+")
_NAMED = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|https?://\S+")
_TAG = re.compile(r"^\s*<([A-Za-z][\w-]*)\b[^>]*>")
_CLOSED = re.compile(r"</([A-Za-z][\w-]*)>")
_PAIRS = ("()", "[]", "“”")
#: A longer message of which less than half was typed is what it shows; only what stands before that is the person's.
_SHORT = 1_000
#: Words that say what a rule is about, at least.
_FEWEST = 3


def rules(text: str) -> Iterator[str]:
    """The sentences of a person's message that set a rule, without list marks.

    Args:
        text: The message.
    """
    for line in typed(text):
        for sentence in sentences(line):
            if is_rule(sentence):
                yield sentence


def typed(text: str) -> list[str]:
    """The lines of a message that its person typed, without list marks: no code, table, log, quotation or document.

    Args:
        text: The message.
    """
    lines = text.splitlines()
    own, first = _own(lines)
    if len(text) > _SHORT and 2 * sum(len(lines[at]) for at in own) < len(text):
        own = [at for at in own if at < first]
    return [_MARK.sub("", lines[at]).strip() for at in own]


def _own(lines: list[str]) -> tuple[list[int], int]:
    """Which lines are the person's, and where the first stands that is not."""
    tables = _patterns()
    closed = {tag: at for at, line in enumerate(lines) for tag in _CLOSED.findall(line)}
    own: list[int] = []
    first, fenced, inside = len(lines), False, -1
    for at, line in enumerate(lines):
        if at <= inside:
            continue
        tag = _TAG.match(line)
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and tag and closed.get(tag[1], -1) >= at:
            inside = closed[tag[1]]
        elif not fenced and _any(tables["pasted_from"], line):
            return own, min(first, at)
        elif not fenced and not _any(tables["pasted"], line):
            own.append(at)
            continue
        first = min(first, at)
    return own, first


def is_rule(sentence: str) -> bool:
    """Whether a sentence that a person typed sets a rule: it neither asks nor tells, and says what the rule is about.

    Args:
        sentence: The sentence, without a list mark.
    """
    tables = _patterns()
    said = _NAMED.sub("N", sentence).strip()
    bare = tables["opening"]["lead"].sub("", said, count=1)
    if any(_any(tables[table], text) for table in ("asks", "tells") for text in (said, bare)):
        return False
    if sentence.count('"') % 2 or any(sentence.count(opens) != sentence.count(closes) for opens, closes in _PAIRS):
        return False  # a piece of a longer one, or of what somebody else said
    return _any(tables["binds"], bare) and len(about(sentence)) >= _FEWEST


def about(sentence: str) -> set[str]:
    """The words of a sentence that say what it is about."""
    return {word for word in re.findall(r"[^\W\d_]{4,}", sentence.lower()) if word not in _empty()}


def _any(patterns: dict[str, re.Pattern[str]], text: str) -> bool:
    return any(pattern.search(text) for pattern in patterns.values())


@cache
def _table() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("vademecum.bench.probes").joinpath("binding.toml").read_text("utf-8"))


@cache
def _patterns() -> dict[str, dict[str, re.Pattern[str]]]:
    """The tables of patterns. Those about a line are case-sensitive, those about a sentence are not."""
    cased = ("pasted", "pasted_from")
    return {
        table: {name: re.compile(pattern, 0 if table in cased else re.IGNORECASE) for name, pattern in rows.items()}
        for table, rows in _table().items()
        if table != "empty"
    }


@cache
def _empty() -> frozenset[str]:
    return frozenset(_table()["empty"]["words"].split())
