"""Vademecum itself, and the two published systems as presets of it."""

from __future__ import annotations

from vademecum.bench.arms.arm import Job, Kept
from vademecum.compactor.once import compact


def vademecum(job: Job) -> Kept:
    """One compaction of the whole prefix by a preset, without a model."""
    preset = str(job.options.get("preset", "half"))
    done = compact(
        [message.wire for message in job.messages],
        window=job.window,
        preset=preset,
        trigger=job.options.get("trigger"),
        target=job.options.get("target", job.target) if preset == "half" else None,
        format=job.lineage.dialect.name,
    )
    receipt = done.receipt
    load = job.lineage.dialect.load
    return Kept(
        tuple(load(wire, index) for index, wire in enumerate(done.messages)),
        {
            "outcome": receipt.outcome,
            "trigger_tokens": receipt.trigger_tokens,
            "tiers": [f"{tier.name}: {tier.outcome}" for tier in receipt.tiers],
        },
    )
