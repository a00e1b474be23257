"""What a caller decides, and what it gets."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from vademecum.archive import Archive
from vademecum.core.budget import Budget
from vademecum.core.case import Summarizer
from vademecum.core.messages import Message, Wire
from vademecum.core.plan import Plan
from vademecum.core.preset import Preset
from vademecum.core.receipt import Receipt
from vademecum.core.tokens import TokenCounter
from vademecum.models.tokenizer import count_tokens
from vademecum.summarizers import Summarizer as Summarize


@dataclass(frozen=True, slots=True)
class Options:
    """How to compact. Everything that is not a value of the core comes in here.

    Attributes:
        budget: Window, trigger and target.
        preset: The policy.
        summarizer: Which models may summarise beside the extractive tier.
        summarize: What answers the planner's request for a summary.
        token_compression: False switches the local-summary tier off, nothing else.
        focus: What is to be kept above all.
        counter: What counts tokens.
        clock: Seconds that only grow, for timings.
        now: Seconds since the epoch, for the archive.
        dry_run: Plan and report, but commit nothing.
    """

    budget: Budget
    preset: Preset
    summarizer: Summarizer = "off"
    summarize: Summarize | None = None
    token_compression: bool = True
    focus: str = ""
    counter: TokenCounter = field(default_factory=lambda: TokenCounter(count_tokens))
    clock: Callable[[], float] = time.perf_counter
    now: Callable[[], float] = time.time
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Compaction:
    """The result for one request.

    Attributes:
        messages: What to send: the caller's own list when nothing was needed.
        receipt: What was done and why.
        plan: The plan that was made in this call, None when none was needed.
        limits: The output limit to send with it, under the format's own key; empty when none was asked for.
        archive: Where everything that left is.
        context: The same messages, read by their format; those that came as bytes have them.
    """

    messages: Sequence[Wire]
    receipt: Receipt
    plan: Plan | None
    limits: Mapping[str, int]
    archive: Archive
    context: tuple[Message, ...] = ()
