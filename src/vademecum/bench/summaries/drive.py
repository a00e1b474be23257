"""Arms with a summary model: done as far as its answers go; the rest waits for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from vademecum.bench.arms.arm import Kept, Row
from vademecum.bench.material import Material
from vademecum.bench.run import Note, Run, job_of, kept_by, material_of, scored, write_result
from vademecum.bench.setting import Setting
from vademecum.bench.summaries.begun import begun_with, keep_pending
from vademecum.bench.summaries.desk import Desk
from vademecum.bench.summaries.summarizer import KeptSummarizer
from vademecum.core.tokens import TokenCounter
from vademecum.models.tokenizer import count_tokens


def summarized(asked: Run, desk: Desk, *, note: Note | None = None) -> int:
    """Does what of a run needs the summary model and can be done with the answers that there are.

    Args:
        asked: The run; its probes are made.
        desk: The model's answers.
        note: Told of each result that is tried.

    Returns:
        How many results still wait for answers.

    Raises:
        ModelError: The model does not answer at all.
    """
    units = list(_missing(asked, desk.plan.replicates))
    begun_with(asked, desk.most).save(asked.folder)
    waiting = 0
    for number, (name, row, replicate) in enumerate(units, 1):
        done = one(material_of(asked, name), row, asked.setting, desk, replicate)
        if desk.broken is not None:
            raise desk.broken
        if done is None:
            waiting += 1
        else:
            write_result(asked, name, row, done[0], done[1], replicate)
        if note is not None:
            note(f"{name}: {row.name}", number, len(units))
    keep_pending(desk.pending.values(), asked.folder)
    return waiting


def _missing(asked: Run, replicates: int) -> Iterator[tuple[str, Row, int]]:
    for name, row in asked.units():
        for replicate in range(replicates if row.needs_model else 0):
            if not asked.result(name, row.name, replicate).exists():
                yield name, row, replicate


def one(
    material: Material, row: Row, setting: Setting, desk: Desk, replicate: int = 0
) -> tuple[dict[str, Any], float] | None:
    """One arm with a model on one lineage.

    Args:
        material: The lineage and its probes.
        row: The arm.
        setting: Window, target, seed.
        desk: The model's answers.
        replicate: From 0.

    Returns:
        Its result and its seconds, those of its calls included; None while it waits for answers.
    """
    made: list[Kept] = []
    seconds, waits = 0.0, False
    for book in material.books:
        summarizer = KeptSummarizer(desk, TokenCounter(count_tokens), replicate)
        before = desk.waited
        kept, took = kept_by(job_of(book, row, setting, summarizer), row)
        waits = waits or summarizer.waiting
        if not made:
            seconds = took - (desk.waited - before) + summarizer.seconds()
            told = {"model": desk.plan.model, "usage": summarizer.usage()}
            kept = replace(kept, details={**kept.details, **told})
        made.append(kept)
    return None if waits else (scored(material, row, made), seconds)
