"""Preparing a summary while there is time, from four fifths of the trigger on (C-37)."""

from __future__ import annotations

from dataclasses import replace

from vademecum.compactor.flow import brought_under
from vademecum.compactor.job import Job
from vademecum.compactor.memory import base_of
from vademecum.summarizers import Ahead

#: From this share of the trigger on a compaction is near.
_NEAR = 0.8


def prepared(job: Job) -> bool:
    """Rehearses the compaction that is near, so that its summary is there; nothing is committed.

    Returns:
        Whether there was something to prepare: a model, and a context that comes close to the trigger.
    """
    options = job.options
    size = job.measured(base_of(job.session, job.view).standing).tokens
    if not isinstance(options.summarize, Ahead) or not _NEAR <= size / options.budget.acting_trigger <= 1:
        return False
    rehearsed = replace(options, dry_run=True, summarize=options.summarize.prepare)
    done = brought_under(replace(job, options=rehearsed, forced=True))
    return done.plan is not None
