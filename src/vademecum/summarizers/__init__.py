"""Summarisers: what answers the planner's request for a summary."""

from __future__ import annotations

from collections.abc import Callable

from vademecum.core.requests import Summarize, SummaryReply, Unavailable
from vademecum.summarizers.ahead import Ahead
from vademecum.summarizers.structured import StructuredSummarizer

Summarizer = Callable[[Summarize], SummaryReply | Unavailable]

__all__ = ["Ahead", "StructuredSummarizer", "Summarizer", "window_of"]


def window_of(summarizer: object) -> int | None:
    """The window of the model behind a summariser, where it tells."""
    found = getattr(summarizer, "window", None)
    return found if isinstance(found, int) else None
