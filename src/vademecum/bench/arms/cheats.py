"""Arms that cheat, each in a way that one figure alone would not show; the table must expose every one."""

from __future__ import annotations

from vademecum.bench.arms.arm import Job, Kept
from vademecum.bench.passages import passages, sentences
from vademecum.bench.probes.cloze import cloze
from vademecum.bench.probes.region import region_of
from vademecum.bench.shapes import identifiers


def bag_of_identifiers(job: Job) -> Kept:
    """Every identifier and not a word about any. *Present* praises it; the *reader* gets nothing from it."""
    names = {name for passage in passages(job.messages) for _, name, _ in identifiers(passage.text)}
    return _said(job, sorted(names))


def archive_as_context(job: Job) -> Kept:
    """The whole archive as the context. Recall praises it; *tokens* stand above the window (`fits` is false)."""
    return _said(job, [passage.text for passage in passages(job.messages)])


def leaked_golds(job: Job) -> Kept:
    """The bench's own questions with their answers. Recall praises it; the *holdout gap* shows what it knew."""
    probes = cloze(region_of(job.lineage), 1_000, job.seed)
    return _said(job, [f"{' '.join(probe.words)}: {probe.gold}" + " " * 400 for probe in probes])


def stale_beside_new(job: Job) -> Kept:
    """All sentences of the dialogue in the order of the alphabet, old values beside new ones: *stale* answers."""
    found = {
        sentence
        for passage in passages(job.messages)
        if passage.where in ("user", "assistant")
        for sentence in sentences(passage.text)
    }
    return _said(job, sorted(found))


def _said(job: Job, lines: list[str]) -> Kept:
    dialect = job.lineage.dialect
    return Kept((dialect.load(dialect.user(["\n".join(lines)]), 0),))
