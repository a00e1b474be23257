"""What is to be written of several messages: a statement for each table, not one for each message."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field

from vademecum.archive.sqlite.rows import MOST_NUMBERS, numbered_row, run_of, short_int
from vademecum.core.facts import Findings
from vademecum.core.messages import Message, Part
from vademecum.core.text import clean

#: Characters of passages from which on a batch had better be written.
FULL = 400_000

_MESSAGES = "INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_CALLS = "INSERT OR IGNORE INTO calls VALUES (?, ?)"
_PASSAGES = "INSERT INTO passages (rowid, text) VALUES (?, ?)"
_FACTS = "INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_NAMES = """
INSERT INTO names VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (run, name) DO UPDATE SET
  messages = messages + excluded.messages, users = users + excluded.users, calls = calls + excluded.calls,
  last = excluded.last
"""


@dataclass(slots=True)
class _Figures:
    """How often a name is mentioned by the messages of a batch, and where first and last."""

    kind: str
    first: int
    messages: int = 0
    users: int = 0
    calls: int = 0
    last: int = 0

    def row(self) -> tuple[object, ...]:
        """As the table has them, after run and name."""
        return self.kind, self.messages, self.users, self.calls, self.first, self.last


@dataclass(slots=True)
class Batch:
    """Rows that are not written yet; they are complete in themselves, in the order of their messages."""

    messages: list[tuple[object, ...]] = field(default_factory=list[tuple[object, ...]])
    calls: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    passages: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    facts: list[tuple[object, ...]] = field(default_factory=list[tuple[object, ...]])
    names: dict[tuple[int, str], _Figures] = field(default_factory=dict[tuple[int, str], _Figures])
    characters: int = 0

    def add_calls(self, row: int, message: Message) -> None:
        """The ids of a message's calls, by which a transcript is recognised."""
        self.calls += [(clean(part.wire_id), row) for part in message.calls() if part.wire_id]

    def add_passage(self, row: int, number: int, text: str) -> None:
        """One passage of a message."""
        self.passages.append((numbered_row(row, number), text))
        self.characters += len(text)

    def add_facts(self, row: int, parts: tuple[Part, ...], node: bytes, found: Findings, first: int = 0) -> None:
        """What was extracted from a message, its facts numbered from `first` on."""
        run, count, short = run_of(row), len(parts), short_int(node)
        self.facts += [
            (
                numbered_row(row, number),
                run,
                fact.kind,
                fact.source,
                fact.part,
                count,
                short,
                fact.weight,
                fact.key,
                fact.text,
                "\n".join(fact.names),
            )
            for number, fact in enumerate(found.facts[: MOST_NUMBERS - first], first)
        ]
        self._add_names(run, row, found)

    def _add_names(self, run: int, row: int, found: Findings) -> None:
        """Each name once for a message, whoever mentions it there."""
        said: dict[str, tuple[str, set[str]]] = {}
        for mention in found.mentions:
            said.setdefault(mention.name, (mention.kind, set()))[1].add(mention.source)
        for name, (kind, sources) in said.items():
            figures = self.names.setdefault((run, name), _Figures(kind, row))
            figures.messages += 1
            figures.users += "user" in sources
            figures.calls += "call" in sources
            figures.last = row

    def write(self, db: sqlite3.Connection) -> None:
        """Writes everything, inside a transaction; then the batch is empty again."""
        for sql, rows in (
            (_MESSAGES, self.messages),
            (_CALLS, self.calls),
            (_PASSAGES, self.passages),
            (_FACTS, self.facts),
            (_NAMES, [(*key, *figures.row()) for key, figures in self.names.items()]),
        ):
            if rows:
                db.executemany(sql, rows)
                rows.clear()
        self.names.clear()
        self.characters = 0
