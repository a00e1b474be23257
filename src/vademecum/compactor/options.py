"""What a caller decides, and what it gets."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from vademecum.archive import Archive
from vademecum.compactor.summarizing import Given, summarizer_of
from vademecum.compactor.workspace import Workspace
from vademecum.core.budget import Budget, Window, budget
from vademecum.core.case import Summarizer
from vademecum.core.dialect import Dialect
from vademecum.core.messages import Message, Wire
from vademecum.core.meter import EMPTY, Measured
from vademecum.core.pins import PIN_CAP
from vademecum.core.plan import Plan
from vademecum.core.preset import Preset
from vademecum.core.receipt import Receipt
from vademecum.core.tokens import TokenCounter
from vademecum.models.limit_keys import limit_key
from vademecum.models.tokenizer import count_tokens
from vademecum.presets import preset as preset_of
from vademecum.summarizers import Ahead, window_of
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
        workspace: The folder whose files may be re-attached; None reads no file.
        pin_cap: Tokens that all pins may have together.
        trigger: The trigger that was asked for, if one was.
        target: The target that was asked for, if one was.
        dry_run: Plan and report, but commit nothing.
        model: The model that is asked; empty where none is named.
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
    workspace: Workspace | None = None
    pin_cap: int = PIN_CAP
    trigger: int | None = None
    target: float | int | None = None
    dry_run: bool = False
    model: str = ""

    def asking(self, model: str, max_output: int | None) -> Options:
        """The options for a request with a model or an output limit of its own; the same where it has none."""
        if model and model != self.model:
            return replace(self, model=model).asking("", max_output)
        if max_output is None or max_output == self.budget.max_output:
            return self
        return self._with(self.budget.window, max_output)

    def with_window(self, window: Window | None) -> Options:
        """The options for a model whose window is another one now; the same where it is not."""
        if window is None or window == self.budget.window:
            return self
        return self._with(window, self.budget.max_output)

    def limits(self, dialect: Dialect, size: int) -> dict[str, int]:
        """The output limit of a request of that size, under the key that the model takes; empty without one."""
        limit = self.budget.output_limit(size)
        return {} if limit is None else {limit_key(dialect.name, self.model, dialect.limit_key): limit}

    def _with(self, window: Window, max_output: int | None) -> Options:
        most = window_of(self.summarize)
        # A trigger that was given for another window is no mistake of whoever has this one now.
        theirs = window.origin == "user" and window == self.budget.window
        found = _budget(self.preset, window, max_output, self.trigger, self.target, most, given=theirs)
        return replace(self, budget=found)


def _budget(
    preset: Preset,
    window: Window,
    max_output: int | None,
    trigger: int | None,
    target: float | int | None,
    summary_window: int | None,
    *,
    given: bool,
) -> Budget:
    """A budget. Of a window that is not `given` with them, trigger and target in tokens take no more than it has."""
    if not given and trigger is not None:
        trigger = min(trigger, window.tokens)
    found = budget(preset, window=window, max_output=max_output, trigger=trigger, summary_window=summary_window)
    if target is None:
        return found
    if not given and not isinstance(target, float):
        target = min(target, found.acting_trigger)
    return budget(
        preset, window=window, max_output=max_output, trigger=trigger, target=target, summary_window=summary_window
    )


def options_of(
    *,
    window: int | Window,
    max_output: int | None,
    preset: str | Preset,
    trigger: int | None,
    target: float | int | None,
    summarizer: Given,
    token_compression: bool,
    focus: str,
    workspace: str | Path | None,
    pin_cap: int,
    clock: Callable[[], float] = time.perf_counter,
    now: Callable[[], float] = time.time,
    model: str = "",
    key: str = "",
) -> Options:
    """The options that a caller's arguments stand for; what they mean is said at `Compactor`.

    Raises:
        ConfigError: An argument is out of its range or of the wrong type.
    """
    chosen = preset_of(preset) if isinstance(preset, str) else preset
    counter = TokenCounter(count_tokens)
    limit = window if isinstance(window, Window) else Window(window)
    mode, written = summarizer_of(summarizer, counter, model=model, window=limit.tokens, key=key)
    summarize = None if written is None else Ahead(written)
    return Options(
        budget=_budget(
            chosen,
            limit,
            max_output,
            trigger,
            target,
            window_of(summarize),
            given=limit.origin == "user",
        ),
        preset=chosen,
        summarizer=mode,
        summarize=summarize,
        token_compression=token_compression,
        focus=focus,
        counter=counter,
        clock=clock,
        now=now,
        workspace=None if workspace is None else Workspace(Path(workspace)),
        pin_cap=pin_cap,
        trigger=trigger,
        target=target,
        model=model,
    )


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
        size: The size of the context to send; the receipt's `tokens_after`, with our own count of it.
    """

    messages: Sequence[Wire]
    receipt: Receipt
    plan: Plan | None
    limits: Mapping[str, int]
    archive: Archive
    context: tuple[Message, ...] = ()
    size: Measured = EMPTY


def warned(done: Compaction, warning: str) -> Compaction:
    """The same with a warning in its receipt; without one the same."""
    if not warning:
        return done
    return replace(done, receipt=replace(done.receipt, warnings=(*done.receipt.warnings, warning)))
