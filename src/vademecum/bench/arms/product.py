"""Vademecum itself, and the two published systems as presets of it."""

from __future__ import annotations

from vademecum.bench.arms.arm import Job, Kept
from vademecum.bench.own_archive import own_archive
from vademecum.compactor.once import compact, session_name


def vademecum(job: Job) -> Kept:
    """One compaction of the whole prefix by a preset, without a model."""
    preset = str(job.options.get("preset", "half"))
    dialect = job.lineage.dialect
    session = own_archive(job.seed).session(session_name(job.messages), format=dialect.name)
    done = compact(
        [message.wire for message in job.messages],
        window=job.window,
        preset=preset,
        trigger=job.options.get("trigger"),
        target=job.options.get("target", job.target) if preset == "half" else None,
        session=session,
    )
    receipt = done.receipt
    return Kept(
        tuple(dialect.load(wire, index) for index, wire in enumerate(done.messages)),
        {
            "outcome": receipt.outcome,
            "trigger_tokens": receipt.trigger_tokens,
            "tiers": [f"{tier.name}: {tier.outcome}" for tier in receipt.tiers],
        },
    )
