"""Arms that a model summarises for: a bare summary, and Vademecum's presets with one (C-15, C-20)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from vademecum.bench.arms.arm import Job, Kept
from vademecum.bench.own_archive import own_archive
from vademecum.compactor.flow import run
from vademecum.compactor.once import session_name
from vademecum.compactor.options import options_of
from vademecum.core.pins import PIN_CAP
from vademecum.core.requests import Summarize, SummaryReply, Unavailable
from vademecum.core.summary_check import refused
from vademecum.errors import ConfigError

_LEAN, _LEAST_TAIL, _TAIL_SHARE = 25_000, 10_000, 0.025
#: The published summary holds so many tokens at most, and no more than this share of the window.
_SUMMARY, _SUMMARY_SHARE = 42_000, 0.125
_ATTEMPTS = 2


def summary_only(job: Job) -> Kept:
    """A summary of all that is before the lean tail: no pointer to the archive, no word of anybody's."""
    write = _summarizer(job)
    tail = job.tail_from(min(_LEAN, max(_LEAST_TAIL, int(_TAIL_SHARE * job.window))))
    region, replaced = job.messages[job.head : tail], sum(job.sizes[job.head : tail])
    room = min(_SUMMARY, int(_SUMMARY_SHARE * job.window), max(256, replaced // 2))
    kept, outcome = (*job.messages[: job.head],), "nothing"
    for attempt in range(_ATTEMPTS if region else 0):
        reply = write(Summarize("active", region, "", "", max_tokens=room // (attempt + 1)))
        if isinstance(reply, Unavailable):
            outcome = f"unavailable: {reply.reason}"
            break
        (size,) = job.counter.texts((reply.text,))
        reason = refused(reply, size, replaced)
        if reason is None:
            dialect = job.lineage.dialect
            kept, outcome = (*kept, dialect.load(dialect.user([reply.text.strip()]), len(kept))), "helped"
            break
        outcome = f"failed: {reason}"
        if reason != "truncated":
            break
    return Kept((*kept, *job.messages[tail:]), {"tiers": [f"summary: {outcome}"]})


def vademecum_with_model(job: Job) -> Kept:
    """One compaction of the whole prefix by a preset with a model.

    The row's options: `preset`; `by`, which is `active` for the model that runs the agent or `local` for one on
    this machine.
    """
    preset, by = str(job.options.get("preset", "half")), job.options.get("by", "active")
    options = options_of(
        window=job.window,
        max_output=None,
        preset=preset,
        trigger=None,
        target=job.options.get("target", job.target) if preset == "half" else None,
        summarizer=_summarizer(job),
        token_compression=True,
        focus="",
        workspace=None,
        pin_cap=PIN_CAP,
    )
    if by == "local":
        options = replace(options, summarizer="local")
    dialect = job.lineage.dialect
    loaded = tuple(dialect.load(message.wire, index) for index, message in enumerate(job.messages))
    session = own_archive(job.seed).session(session_name(loaded), format=dialect.name)
    done = run(session, loaded, (0, 0), options)
    receipt = done.receipt
    wires = done.messages if done.plan is not None or receipt.cycle else [message.wire for message in loaded]
    return Kept(
        tuple(dialect.load(wire, index) for index, wire in enumerate(wires)),
        {
            "outcome": receipt.outcome,
            "trigger_tokens": receipt.trigger_tokens,
            "tiers": [f"{tier.name}: {tier.outcome}" for tier in receipt.tiers],
        },
    )


def _summarizer(job: Job) -> Callable[[Summarize], SummaryReply | Unavailable]:
    if job.summarizer is None:
        raise ConfigError("this arm needs a model that summarises", hint="give --summary-model or --summary-batch")
    return job.summarizer
