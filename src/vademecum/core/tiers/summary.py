"""Tier 0: a structured summary of the region by the active model, while it still sees the tool output."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from vademecum.core.case import Case
from vademecum.core.draft import Draft, least_carry
from vademecum.core.requests import Steps, Summarize, SummaryReply, Unavailable, count
from vademecum.core.summary_check import refused

_ATTEMPTS = 2


def summary(case: Case, draft: Draft) -> Steps[Draft]:
    """Folds the region behind the model's summary, if that passes its checks; else changes nothing."""
    if case.summarizer != "active":
        return draft.tried(case, "summary", "off")
    if draft.cut == 0:
        return draft.tried(case, "summary", "nothing")
    done = yield from summarized(case, draft, "active")
    if isinstance(done, str):
        return draft.tried(case, "summary", done)
    return done.tried(case, "summary", "helped")


def summarized(case: Case, draft: Draft, by: Literal["active", "local"]) -> Steps[Draft | str]:
    """The draft with a checked summary, or what went wrong. A truncated one is asked for once more, shorter."""
    region = case.live[: draft.cut]
    replaced = sum(case.sizes[: draft.cut])
    room = min(least_carry(case), max(256, replaced // 2))
    outcome = "nothing"
    for attempt in range(_ATTEMPTS):
        # The limit is for the model's own output; what it writes is wanted well below that.
        ask = Summarize(by, region, case.narrative, case.focus, max_tokens=room // (attempt + 1))
        reply: SummaryReply | Unavailable = yield ask
        if isinstance(reply, Unavailable):
            return f"unavailable: {reply.reason}"
        (size,) = yield from count((reply.text,))
        reason = refused(reply, size, replaced)
        if reason is None:
            return replace(
                draft,
                fold=draft.cut,
                narrative=reply.text.strip(),
                extractive=False,
                summary_model=reply.model,
                coverage=(reply.covered, len(region)),
            )
        outcome = f"failed: {reason}"
        if reason != "truncated":
            break
    return outcome
