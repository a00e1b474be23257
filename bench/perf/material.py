"""Transcripts of about 500,000 tokens: the lineages of the bench where their folder is, and a scripted one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from figures import ROOT

sys.path.insert(0, str(ROOT / "tests"))

from clients.talk import Talk
from e2e.lineages import BENCH, prefix, rows_of, texts_of

DATA = ROOT / "../shared/data"
TOKENS = 500_000
#: Rounds of the scripted one; a round has about 300 tokens.
ROUNDS = 1_700

__all__ = ["Rows", "Talk", "texts_of", "transcripts", "written"]

Rows = list[dict[str, Any]]


def transcripts() -> dict[str, Rows]:
    """Name → rows as OpenAI chat has them, cut to about `TOKENS`."""
    talk = Talk("openai-chat", 41)
    talk.rounds(ROUNDS)
    found: dict[str, Rows] = {"scripted": talk.messages}
    if (DATA / "lineages").is_dir():
        found |= {name: prefix(rows_of(DATA, name), TOKENS) for name in BENCH}
    return found


def written(rows: Rows, path: Path) -> Path:
    """The rows as a log, a line each."""
    from vademecum.wire.values import encoded

    path.write_bytes(b"".join(encoded(row) + b"\n" for row in rows))
    return path
