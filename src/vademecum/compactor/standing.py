"""The request as it stands: what is sent, and what of it a summary may ride on."""

from __future__ import annotations

from vademecum.archive import StoredCompaction
from vademecum.compactor.calibrations import Calibrations
from vademecum.compactor.context import context_of
from vademecum.compactor.job import Job
from vademecum.compactor.marks import marked
from vademecum.core.case import Case
from vademecum.core.messages import Message
from vademecum.core.meter import Measured
from vademecum.core.standing import Standing


def sendable(job: Job, standing: StoredCompaction | None) -> tuple[Message, ...]:
    """The context as it is sent, with the cache marks that its caller lost placed anew."""
    context = context_of(job.transcript, standing, job.session)
    if standing is None or job.session.dialect.name != "anthropic":
        return context
    carry = max((piece.carry for piece in standing.pieces), default=0)
    return marked(context, job.transcript.messages, job.marks, carry)


def standing_request(
    job: Job, case: Case, standing: StoredCompaction | None, size: Measured, region: int
) -> Standing:
    """The request as it stands, for a summary of so many of the live messages."""
    known, beside = Calibrations(job.session), job.beside
    obstacle = ""
    if beside is None:
        obstacle = "its system text and tools are not known"
    elif not _whole(case, standing, region):
        obstacle = "what is to leave does not stand in it word for word"
    return Standing(
        format=job.session.dialect.name,
        model=job.options.model or known.newest,
        system=None if beside is None else beside[0],
        tools=None if beside is None else beside[1],
        messages=sendable(job, standing),
        tokens=size.tokens,
        window=job.options.budget.window.tokens,
        ratio=size.scale.ratio,
        cached=0.0 if job.cold else known.cached,
        obstacle=obstacle,
    )


def _whole(case: Case, standing: StoredCompaction | None, region: int) -> bool:
    """Whether the messages are sent as they were: what an earlier compaction left of one is no source."""
    if standing is None or not region:
        return True
    first, last = case.positions[0], case.positions[region - 1]
    written = [piece for piece in standing.pieces if piece.data and not piece.carry]
    return not any(piece.start < 0 or (first < piece.stop and piece.start <= last) for piece in written)
