"""Plain policies: what anybody would try first."""

from __future__ import annotations

from collections.abc import Iterable

from vademecum.bench.arms.arm import Job, Kept
from vademecum.core.messages import Message, PartKind


def uncompacted(job: Job) -> Kept:
    """The whole transcript: what recall is read relative to."""
    return Kept(job.messages)


def nothing(job: Job) -> Kept:  # noqa: ARG001  # an arm takes a job
    """No context at all: a control. With one search it is search alone."""
    return Kept(())


def head_and_tail(job: Job) -> Kept:
    """The first rounds and the last ones, half of the target each."""
    half = job.target // 2
    tail = job.tail_from(half)
    total, stop = 0, 0
    for at, size in enumerate(job.sizes[:tail]):
        total += size
        if total > half:
            break
        stop = at + 1
    first = max((at for at in job.cuts if at <= stop), default=job.head)
    return Kept((*job.messages[: max(first, job.head)], *job.messages[tail:]))


def recency(job: Job) -> Kept:
    """A lean tail: 2.5 % of the window, 10–25K tokens, or `tail` tokens."""
    tokens = job.options.get("tail") or min(25_000, max(10_000, int(0.025 * job.window)))
    return Kept((*job.messages[: job.head], *job.messages[job.tail_from(tokens) :]))


def recency_tools(job: Job) -> Kept:
    """All dialogue and the newest calls and results within `tools` tokens."""
    left, since = int(job.options.get("tools", 60_000)), len(job.messages)
    for at in range(len(job.messages) - 1, -1, -1):
        if any(part.kind in ("tool_call", "tool_result") for part in job.messages[at].parts):
            left -= job.sizes[at]
            if left < 0:
                break
        since = at
    since = min((at for at in job.cuts if at >= since), default=len(job.messages))
    return Kept(without(job, job.messages[:since], ("tool_call", "tool_result", "reasoning")) + job.messages[since:])


def drop_results(job: Job) -> Kept:
    """All dialogue; old calls and results go, or (with `calls`) results only. The lean tail stays as it is."""
    tail = job.tail_from(min(25_000, max(10_000, int(0.025 * job.window))))
    old = job.messages[:tail]
    if not job.options.get("calls"):
        return Kept(without(job, old, ("tool_call", "tool_result", "reasoning")) + job.messages[tail:])
    return Kept(tuple(_emptied(job, old)) + job.messages[tail:])


def without(job: Job, messages: Iterable[Message], kinds: tuple[PartKind, ...]) -> tuple[Message, ...]:
    """Messages without their parts of some kinds; those of which nothing stays go too."""
    kept: list[Message] = []
    for index, message in enumerate(messages):
        gone = {number: None for number, part in enumerate(message.parts) if part.kind in kinds}
        if not gone:
            kept.append(message)
            continue
        wire = job.lineage.dialect.edited(message, gone)
        if wire is not None:
            kept.append(job.lineage.dialect.load(wire, index))
    return tuple(kept)


def _emptied(job: Job, messages: Iterable[Message]) -> Iterable[Message]:
    """Messages with nothing in their results, so that every call still has one."""
    for index, message in enumerate(messages):
        edits: dict[int, str | None] = {
            number: "[removed]" if part.kind == "tool_result" else None
            for number, part in enumerate(message.parts)
            if part.kind in ("tool_result", "reasoning")
        }
        wire = job.lineage.dialect.edited(message, edits) if edits else message.wire
        if wire is not None:
            yield job.lineage.dialect.load(wire, index) if edits else message
