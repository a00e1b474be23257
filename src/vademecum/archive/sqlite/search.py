"""Search: the best candidates are read and looked at closely, and what says the same is one hit."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from vademecum.archive.sqlite.candidates import Admission, scored
from vademecum.archive.sqlite.indexed import all_versions
from vademecum.archive.sqlite.passages import LENGTH, Passage, passages, readable
from vademecum.archive.sqlite.postings import Scope
from vademecum.archive.sqlite.query import terms
from vademecum.archive.sqlite.reading import StoredMessage, stored
from vademecum.archive.sqlite.rows import message_of, number_of, run_of
from vademecum.archive.sqlite.window import Weighed, Window, best_window, folded_words, met_lines
from vademecum.archive.values import Hit
from vademecum.core.dialect import Dialect
from vademecum.core.identity import part_id
from vademecum.core.messages import Part
from vademecum.core.text import clean
from vademecum.redaction import Redactor

#: Passages that are read and looked at closely.
MOST_READ = 60


@dataclass(frozen=True, slots=True)
class Place:
    """What a hit needs to know about the run that it is in.

    Attributes:
        session: The session that it is shown under.
        dialect: The wire format of its messages.
        redactor: What keeps secrets out of hits; None where the archive does not.
        in_context: Whether the message of a row stands in the session's context.
    """

    session: str
    dialect: Dialect
    in_context: Callable[[int], bool]
    redactor: Redactor | None = None


@dataclass(frozen=True, slots=True)
class _Read:
    """A message with its later versions, read once for all of its passages: their parts, one after another."""

    stored: StoredMessage
    parts: Sequence[Part]
    ids: Sequence[tuple[bytes, int, int]]
    passages: Sequence[Passage]
    tools: Sequence[str]
    newest: int
    place: Place


@dataclass(frozen=True, slots=True)
class _Found:
    """A passage that was looked at."""

    message: _Read
    part: int
    window: Window
    score: float

    def shown(self) -> str:
        """The text of its window, safe to send."""
        text, window = readable(self.message.parts[self.part]), self.window
        redactor = self.message.place.redactor
        shown = (
            text[window.start : window.stop] if redactor is None else redactor.window(text, window.start, window.stop)
        )
        return clean(shown).strip()

    def hit(self, text: str) -> Hit:
        """What the caller gets."""
        stored, place = self.message.stored, self.message.place
        return Hit(
            id=part_id(*self.message.ids[self.part]),
            session=place.session,
            role=stored.role,
            tool=self.message.tools[self.part],
            text=text,
            score=round(self.score, 4),
            in_context=self.part >= self.message.newest and place.in_context(stored.row),
            position=stored.position,
            ts=stored.ts,
        )


def search(
    db: sqlite3.Connection,
    query: str,
    scope: Scope,
    place_of: Callable[[int], Place | None],
    *,
    limit: int,
    max_chars: int,
) -> list[Hit]:
    """The best places for a query.

    Args:
        db: A connection.
        query: Any string.
        scope: Where to search.
        place_of: The session of a run; None when the caller may not see it.
        limit: Hits at most.
        max_chars: Characters of each hit's window.
    """
    wanted = terms(query)
    if not wanted or limit < 1:
        return []
    most = max(MOST_READ, limit)
    weights, best = scored(db, wanted, scope, most)
    found: list[_Found] = []
    for message, number, score in _looked_at(db, best, scope, place_of, most):
        part = message.passages[number].part
        if scope.tool is None or scope.tool.lower() == message.tools[part].lower():
            found.append(_found(message, number, query, weights, score, max_chars))
    found.sort(key=lambda each: (-each.score, -each.message.stored.position))
    return _distinct(found, limit)


def _looked_at(
    db: sqlite3.Connection,
    best: Iterable[tuple[int, float]],
    scope: Scope,
    place_of: Callable[[int], Place | None],
    most: int,
) -> Iterator[tuple[_Read, int, float]]:
    """The best passages that pass the filters, each with its message and its score."""
    admits = Admission(db, scope)
    read: dict[int, _Read | None] = {}
    count = 0
    for row, score in best:
        if count >= most:
            return
        at = message_of(row)
        if not admits(at):
            continue
        if at not in read:
            read[at] = _read(db, at, place_of)
        message = read[at]
        if message is not None and number_of(row) < len(message.passages):
            count += 1
            yield message, number_of(row), score


def _read(db: sqlite3.Connection, row: int, place_of: Callable[[int], Place | None]) -> _Read | None:
    place = place_of(run_of(row))
    message = None if place is None else stored(db, row)
    if message is None or place is None:
        return None
    parts, ids, found, newest = list[Part](), list[tuple[bytes, int, int]](), list[Passage](), 0
    versions = all_versions(db, message, place.dialect)
    for version in versions:
        newest = len(parts)
        own = version.loaded.parts
        found += [replace(passage, part=passage.part + newest) for passage in passages(version.loaded)]
        ids += [(version.stored.node, number, len(own)) for number in range(len(own))]
        parts += own
    return _Read(message, parts, ids, found, _tools(message, parts, len(versions[0].loaded.parts)), newest, place)


def _tools(message: StoredMessage, parts: Sequence[Part], own: int) -> list[str]:
    """The tool of each part: its calls and results have theirs in order, those of its versions by their ids."""
    names = iter(message.tool.split("\n"))
    by_call: dict[str, str] = {}
    tools: list[str] = []
    for number, part in enumerate(parts):
        name = ""
        if part.kind in ("tool_call", "tool_result"):
            name = next(names, "") if number < own else by_call.get(part.call_id, part.tool)
            by_call.setdefault(part.call_id, name)
        tools.append(name)
    return tools


def _found(
    message: _Read, number: int, query: str, weights: Sequence[Weighed], score: float, max_chars: int
) -> _Found:
    passage = message.passages[number]
    part = message.parts[passage.part]
    text = readable(part)
    window = best_window(text, passage.start, passage.stop, weights, max(1, min(max_chars, 4 * LENGTH)))
    # What the index says of common words is only known of new passages; what stands here is known of all.
    score = max(score, window.total) + window.worth + _exact(query, text[passage.start : passage.stop])
    score += 0.05 * (part.kind == "text")
    # The newest of equals first: later words about the same thing supersede earlier ones.
    score += message.stored.position / (1 << 24)
    return _Found(message, passage.part, window, score)


def _exact(query: str, text: str) -> float:
    """A bonus for names that stand in the text letter by letter, case included."""
    return sum(1.0 for unit in query.split()[:40] if len(unit) >= 4 and not unit.isalpha() and unit in text)


def _distinct(found: Sequence[_Found], limit: int) -> list[Hit]:
    """Hits without restatements; other places of the same lines come after all that say something else."""
    kept: list[tuple[_Found, frozenset[str]]] = []
    hits: list[Hit] = []
    said: set[str] = set()
    again: list[_Found] = []

    def add(new: _Found) -> None:
        if any(_shows(old, new) for old, _ in kept):
            return
        text = new.shown()
        content = folded_words(text)
        if not any(_restates(content, known) for _, known in kept):
            kept.append((new, content))
            hits.append(new.hit(text))

    for new in found:
        if len(hits) == limit:
            return hits
        lines = met_lines(readable(new.message.parts[new.part]), new.window)
        if lines in said:
            again.append(new)
        else:
            said.add(lines)
            add(new)
    for new in again:
        if len(hits) == limit:
            break
        add(new)
    return hits


def _shows(old: _Found, new: _Found) -> bool:
    """Whether a hit's window holds the place that another one was found for."""
    if old.message is not new.message or old.part != new.part:
        return False
    return old.window.start <= new.window.first and new.window.last <= old.window.stop


def _restates(content: frozenset[str], said: frozenset[str]) -> bool:
    """Whether another hit says nine tenths of the words, and all that have a digit: two ports are two facts."""
    new = content - said
    return len(new) <= 0.1 * len(content) and not any(any(map(str.isdigit, word)) for word in new)
