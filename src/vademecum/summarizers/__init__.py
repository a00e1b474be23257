"""Summarisers: what answers the planner's request for a summary."""

from __future__ import annotations

from collections.abc import Callable

from vademecum.core.requests import Summarize, SummaryReply, Unavailable
from vademecum.summarizers.structured import StructuredSummarizer

Summarizer = Callable[[Summarize], SummaryReply | Unavailable]

__all__ = ["StructuredSummarizer", "Summarizer"]
