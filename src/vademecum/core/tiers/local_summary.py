"""Tier 1: the region folds behind a local model's summary, or behind the extractive one, which is always there."""

from __future__ import annotations

from dataclasses import replace

from vademecum.core.case import Case
from vademecum.core.draft import Draft
from vademecum.core.requests import Steps
from vademecum.core.tiers.summary import summarized


def local_summary(case: Case, draft: Draft) -> Steps[Draft]:
    """Folds the region. Switching token compression off disables this tier, and no other."""
    if not case.token_compression:
        return replace(draft, extractive=bool(draft.fold)).tried(case, "local_summary", "off")
    if draft.fold >= draft.cut:
        return draft.tried(case, "local_summary", "nothing")
    # A model that said no in this very compaction is not asked the same again.
    refused = any(
        rung.name == "summary" and rung.outcome.startswith(("failed", "unavailable")) for rung in draft.rungs
    )
    if case.summarizer in ("local", "active") and not refused:
        done = yield from summarized(case, draft, "local")
        if isinstance(done, Draft):
            return done.tried(case, "local_summary", "helped")
        # The tier has done its work without; that the model has not is to be known all the same.
        draft = replace(draft, doubts=(*draft.doubts, f"local_summary: {done}"))
    return replace(draft, fold=draft.cut, extractive=True).tried(case, "local_summary", "helped")
