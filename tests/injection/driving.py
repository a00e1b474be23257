"""A session that has been compacted once, and the case of its second compaction."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vademecum import Archive, Compaction, Session, compact
from vademecum.compactor.answers import Answers
from vademecum.compactor.context import case_of
from vademecum.compactor.intake import known_of
from vademecum.compactor.options import options_of
from vademecum.core.case import Case
from vademecum.core.dialect import Problem
from vademecum.core.tokens import TokenCounter
from vademecum.models.tokenizer import count_tokens
from vademecum.testing import sample

FORMATS = ("openai-chat", "anthropic")
WINDOW = 8_000
_FOLDER = Path(tempfile.mkdtemp(prefix="vademecum-test-"))


@dataclass(frozen=True)
class Grown:
    """A session, and the rows that make a second compaction due."""

    session: Session
    rows: list[dict[str, Any]]

    @property
    def folder(self) -> Path:
        """A workspace with the files that the session edited, as far as there are any."""
        return _FOLDER

    def problems(self, done: Compaction) -> tuple[Problem, ...]:
        dialect = self.session.dialect
        return tuple(dialect.problems([dialect.load(row, at) for at, row in enumerate(done.messages)]))

    def answers(self) -> Answers:
        return Answers(self.session, TokenCounter(count_tokens), None, lambda: 0.0)


def grown(format: str) -> Grown:
    session = Archive.memory().session("walk", format=format)
    rows = sample(format, turns=12)
    compact(rows[:40], window=WINDOW, session=session)
    return Grown(session, rows)


def plan_of(case: Grown) -> Case:
    """The case of the next compaction of what the session has, made the same way each time."""
    options = options_of(
        window=3_000,
        max_output=None,
        preset="half",
        trigger=None,
        target=None,
        summarizer="off",
        token_compression=True,
        focus="",
        workspace=None,
        pin_cap=1_000,
    )
    return case_of(case.session, known_of(case.session).transcript, (0, 0), case.session.compaction(), options)


def state_of(session: Session) -> tuple[Any, ...]:
    """What a compaction would change."""
    standing = session.compaction()
    return (0 if standing is None else standing.id, len(session.past()))
