"""Grounding: what a summary says must stand in what it was made from (C-17).

A sentence with a name that the source does not have is struck, and so is one that gives something a value that the
ledger knows to be outdated, or that nobody ever wrote. What is left is no worse than saying nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vademecum.core.facts.names import names_in
from vademecum.core.facts.values import values_in
from vademecum.core.messages import Message
from vademecum.core.requests import QueryFacts, Steps, facts
from vademecum.core.text import one_line

#: A summary in which more names than this share are invented is of no use as a whole, if there are so many.
_INVENTED, _AT_LEAST = 0.5, 3
_MOST_VALUES = 400
_SENTENCE = re.compile(r"(?<=[.!?。！？;])\s+|(?<=[。！？])")
_LINES = re.compile(r"(?::\d+)?(?:-\d+)?\Z")
#: Two words with a slash between them are prose: and/or, client/server.
_PROSE = re.compile(r"[A-Za-z]+/[A-Za-z]+")
#: Headings, and words that stand for an empty section, say nothing that could be wrong.
_SAYS_NOTHING = re.compile(r"\s*(?:#|(?:[-*]\s*)?(?:none|n/a|finished)\W*\Z)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Grounded:
    """A summary after its sentences were held against the source.

    Attributes:
        text: What is left.
        struck: The names and values for which sentences were struck.
        kept: How many sentences are left that say something.
        names: How many different names the summary had.
    """

    text: str
    struck: tuple[str, ...]
    kept: int
    names: int

    @property
    def useless(self) -> bool:
        """Whether so much of it is invented that the rest is not to be trusted either, or nothing is left."""
        many = len(self.struck) >= _AT_LEAST and len(self.struck) > _INVENTED * self.names
        return bool(self.struck) and (many or not self.kept)


@dataclass(frozen=True, slots=True)
class Ledger:
    """The values that names have, as the archive knows them.

    Attributes:
        newest: Name → its newest value.
        older: Name → values that it had before.
    """

    newest: dict[str, str]
    older: dict[str, frozenset[str]]


def known_values(until: int) -> Steps[Ledger]:
    """The ledger's values before a position of the lineage."""
    found = yield from facts(QueryFacts(("value",), until, _MOST_VALUES, newest_first=True))
    newest: dict[str, str] = {}
    older: dict[str, set[str]] = {}
    for fact in found:
        if fact.text != newest.setdefault(fact.key, fact.text):
            older.setdefault(fact.key, set()).add(fact.text)
    return Ledger(newest, {key: frozenset(values) for key, values in older.items()})


def grounded(text: str, source: Sequence[str], ledger: Ledger) -> Grounded:
    """A summary without the sentences that its source does not bear out.

    Args:
        text: The summary.
        source: Everything that its author was given, and what left before.
        ledger: The values that names have.
    """
    named = names_in(text)
    invented = _missing(named, source)
    struck: dict[str, None] = {}
    lines: list[str] = []
    kept = 0
    for line in text.splitlines():
        if _SAYS_NOTHING.match(line) or not line.strip():
            lines.append(line)
            continue
        pieces = [(piece, _wrong(piece, invented, source, ledger)) for piece in _SENTENCE.split(line)]
        struck.update(dict.fromkeys(wrong for _, found in pieces for wrong in found))
        left = [piece for piece, found in pieces if not found]
        if any(piece.strip(" -*>") for piece in left):
            kept += len(left)
            lines.append(" ".join(left))
    return Grounded("\n".join(lines).strip(), tuple(struck), kept, len(named))


def source_of(messages: Iterable[Message], *more: str) -> list[str]:
    """Everything that messages say, reasoning left out: a summariser is not given it."""
    shown = ("text", "tool_call", "tool_result", "document")
    parts = [part for message in messages for part in message.parts if part.kind in shown]
    texts = [text for part in parts for text in _read(part.text)]
    return [*texts, *(text for text in more if text)]


def _read(text: str) -> tuple[str, ...]:
    """A text, and what it is without the escapes of JSON: a path in arguments may be written with them."""
    return (text, text.replace("\\/", "/").replace("\\\\", "\\").replace("\\n", "\n")) if "\\" in text else (text,)


def _missing(named: Iterable[str], source: Sequence[str]) -> set[str]:
    """The names that no text has; the first letter may be a capital because a sentence begins with it."""
    left = {name for name in named if not _PROSE.fullmatch(name)}
    for text in source:
        if not left:
            break
        left = {name for name in left if not _has(text, name)}
    return left


def _has(text: str, name: str) -> bool:
    if name in text or name[0].lower() + name[1:] in text:
        return True
    bare = _LINES.sub("", name)  # a place in a file may be told of that was only read as a line
    return bare != name and len(bare) > 3 and bare in text


def _wrong(sentence: str, invented: set[str], source: Sequence[str], ledger: Ledger) -> list[str]:
    """What is wrong with a sentence: the names that were invented, and the values that do not hold."""
    found = [name for name in names_in(sentence) if name in invented]
    for key, value in values_in(sentence):
        newest = ledger.newest.get(key)
        if newest is None or newest == value or newest in sentence:
            continue
        if value in ledger.older.get(key, ()) or not any(value in text for text in source):
            found.append(one_line(f"{key} = {value}", 80))
    return found
