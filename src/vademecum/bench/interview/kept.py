"""What every arm keeps of a lineage, written down so that models can be shown it at any later time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from vademecum.bench.arms.arm import Row
from vademecum.bench.lineage import save as save_lineage
from vademecum.bench.material import Book, Material
from vademecum.bench.passages import passages
from vademecum.bench.run import job_of
from vademecum.bench.setting import Setting
from vademecum.bench.summaries.desk import Desk
from vademecum.bench.summaries.plan import Plan
from vademecum.bench.summaries.summarizer import KeptSummarizer
from vademecum.core.tokens import TokenCounter
from vademecum.errors import ConfigError
from vademecum.models.tokenizer import count_tokens

#: Which of a lineage's two transcripts is meant: as it is, or with planted settings.
BOOKS = ("plain", "planted")
_SCHEMA = "vademecum.bench.kept/1"


@dataclass(frozen=True)
class Shown:
    """A context as a model reads it.

    Attributes:
        rows: Whose words, and the words.
    """

    rows: tuple[tuple[str, str], ...]

    @cached_property
    def text(self) -> str:
        """With a label before each."""
        return "\n\n".join(f"[{where}] {text}" for where, text in self.rows)

    @property
    def reading(self) -> str:
        """Without labels, as the reader takes it in."""
        return "\n\n".join(text for _, text in self.rows)

    @cached_property
    def mark(self) -> str:
        """A hash of what is shown."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def write(material: Material, rows: Sequence[Row], setting: Setting, folder: Path) -> None:
    """Writes the prefix, and what each arm keeps of it, where that is not done yet.

    Args:
        material: The lineage.
        rows: The arms.
        setting: Window, target, seed.
        folder: The lineage's folder in the run.
    """
    within = folder / "kept"
    within.mkdir(parents=True, exist_ok=True)
    plan = Plan.of(folder.parent)
    desk = Desk(folder.parent, plan) if plan is not None else None
    for row in rows:
        path = within / f"{row.name}.json"
        if path.exists():
            continue
        books = zip(BOOKS, material.books, strict=True)
        held = {name: _passages(book, row, setting, desk) for name, book in books}
        part = path.with_suffix(".part")
        part.write_text(json.dumps({"schema": _SCHEMA, "arm": row.name, **held}) + "\n", "utf-8")
        part.replace(path)
    save_lineage(material.plain.lineage, within)


def _passages(book: Book, row: Row, setting: Setting, desk: Desk | None) -> list[tuple[str, str]]:
    """What an arm keeps; a summary model is not asked again, its answers are there."""
    summarizer = None
    if row.needs_model and desk is not None:
        summarizer = KeptSummarizer(desk, TokenCounter(count_tokens))
    kept = row.arm(job_of(book, row, setting, summarizer))
    if summarizer is not None and summarizer.waiting:
        raise ConfigError(f"{row.name} still waits for summaries", hint="answer the pending requests for them first")
    return [(passage.where, passage.text) for passage in passages(kept.messages)]


def read(folder: Path, arm: str) -> dict[str, Shown]:
    """What an arm keeps: `plain` and `planted`.

    Args:
        folder: The lineage's folder in the run.
        arm: Its name.
    """
    held = json.loads((folder / "kept" / f"{arm}.json").read_text("utf-8"))
    return {book: Shown(tuple((where, text) for where, text in held[book])) for book in BOOKS}
