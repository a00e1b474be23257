"""The compactor: fits a growing transcript into a window, request after request."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from vademecum.archive import Session
from vademecum.compactor.beginning import session_of
from vademecum.compactor.flow import brought_under, failed
from vademecum.compactor.intake import Known, brought_up
from vademecum.compactor.job import Job
from vademecum.compactor.memory import Sent, remember_running
from vademecum.compactor.observed import Observed
from vademecum.compactor.options import Compaction, Options, options_of, warned
from vademecum.compactor.outside import Outside
from vademecum.compactor.preparing import prepared
from vademecum.compactor.running import Found, RunningModel
from vademecum.compactor.summarizing import Given
from vademecum.core.budget import Window
from vademecum.core.messages import Message, Wire
from vademecum.core.pins import PIN_CAP
from vademecum.core.preset import Preset
from vademecum.errors import CannotFitError, VademecumError
from vademecum.models.errors.own import table_with


class Compactor(Observed):
    """Keeps one session's context below the trigger.

    Call `fit` before each request with the whole transcript, `observe` with each reply. A compactor may be
    used from several threads; requests of one session wait for each other.

    Args:
        window: The model's limit in tokens; by default what its server says, else the catalog, else 32,000.
        model: The model's name: `provider:model`, the model alone, or `URL#model`.
        endpoint: The base URL where it runs, where that is not its provider's own; it is asked for the window.
        catalog: Your own file of models, which goes before the packaged catalog.
        errors: Your own file of errors' wordings, which go before the packaged ones.
        session: A session of an archive; by default what leaves is kept in memory.
        max_output: The output limit of each request in tokens.
        preset: `half`, `agent` or `hermes`, or a preset of your own.
        trigger: An absolute trigger in tokens instead of the preset's.
        target: Where to end: tokens (int) or a fraction of the trigger (float in (0, 1]).
        summarizer: `off` (extracted, no model), `local` (a server on this machine, if one answers), a server's URL or
            `URL#model`, `active` (the model named by `model`), `provider:model`, a model, or a function from a
            `Summarize` to the summary's text.
        key: The key of the model that summarises, where it is named and needs one; of the compactor's own model where
            that is `off` or `active`. It is sent, never kept or shown.
        token_compression: False switches the local-summary tier off, nothing else.
        focus: What is to be kept above all.
        workspace: The folder that the agent works in, whose edited files the carry shows; None reads no file.
        pin_cap: Tokens that all pins may have together.
        clock: Seconds that only grow.
        now: Seconds since the epoch.

    Raises:
        ConfigError: An argument is out of its range or of the wrong type, or neither window nor model is given.
    """

    def __init__(
        self,
        *,
        window: int | Window | None = None,
        model: str | None = None,
        endpoint: str = "",
        catalog: str | Path | None = None,
        errors: str | Path | None = None,
        session: Session | None = None,
        max_output: int | None = None,
        preset: str | Preset = "half",
        trigger: int | None = None,
        target: float | int | None = None,
        summarizer: Given = "off",
        key: str = "",
        token_compression: bool = True,
        focus: str = "",
        workspace: str | Path | None = None,
        pin_cap: int = PIN_CAP,
        clock: Callable[[], float] = time.perf_counter,
        now: Callable[[], float] = time.time,
    ) -> None:
        own = key if summarizer in ("off", "active") else ""  # another summariser's key is no business of the model's
        running = RunningModel(window, model, endpoint=endpoint, key=own, catalog=catalog, now=now)
        options = options_of(
            window=running.first(None if session is None else session.archive),
            max_output=max_output,
            preset=preset,
            trigger=trigger,
            target=target,
            summarizer=summarizer,
            token_compression=token_compression,
            focus=focus,
            workspace=workspace,
            pin_cap=pin_cap,
            clock=clock,
            now=now,
            model=model or "",
            key=key,
        )
        super().__init__(options, running, session, table_with(errors))
        self._known: Known | None = None
        self._noted: object = None
        self._outside = Outside()
        self._async_lock = asyncio.Lock()

    def fit(
        self,
        messages: Sequence[Wire],
        *,
        system: object = None,
        tools: object = None,
        max_output: int | None = None,
        format: str | None = None,
        raws: Sequence[bytes] = (),
        forced: bool = False,
        model: str = "",
        window: Window | None = None,
    ) -> Compaction:
        """The context to send for a transcript; compacted when that is due.

        Args:
            messages: The whole transcript. A message that changes must be a new object.
            system: The system text where it stands outside the messages; it is counted only.
            tools: The tools' schemas; they are counted only.
            max_output: The output limit of this request, where it differs from the compactor's.
            format: The wire format; recognised by default.
            raws: The bytes that each message was read from, for a caller that writes them on.
            forced: Compact although the trigger is not reached: the provider said that it was too much.
            model: The model that this request asks, where it differs from the compactor's.
            window: The model's window, where another one is known by now.

        Returns:
            The result; its `messages` is the caller's own list where nothing was needed.

        Raises:
            WireError: A message is not of the format.
            CannotFitError: Even the smallest context exceeds the window.
        """
        with self._lock:
            session = self._session_for(messages, system, format)
            options, warning = self._options_for(session, model, max_output, window)
            self._outside = self._outside.now(options.counter, system, tools)
            try:
                known = self._take_in(session, messages, raws, options)
                return warned(self._fitted(session, known, messages, options, forced=forced), warning)
            except CannotFitError:
                raise
            except VademecumError as error:
                return failed(session, messages, sum(self._outside.tokens), options, error)

    def prepare(self, messages: Sequence[Wire]) -> bool:
        """Whether a compaction is near (80 % of the trigger); its summary is written then, for `fit` to use."""
        with self._lock:
            session = self._session_for(messages, None, None)
            known, tokens = self._take_in(session, messages, (), self._options), self._outside.tokens
            view, beside = self._view(session), (self._outside.system, self._outside.tools)
            return prepared(Job(session, known.transcript, tokens, self._options, view, beside=beside))

    def take_in(self, messages: Sequence[Wire], *, raws: Sequence[bytes] = ()) -> None:
        """Takes a transcript into the archive as it is, for a request whose context is not to change."""
        with self._lock:
            self._take_in(self._session_for(messages, None, None), messages, raws, self._options)
            self.sent = None

    async def fit_async(self, messages: Sequence[Wire], **arguments: object) -> Compaction:
        """The same as `fit`, with everything that takes long in a worker thread.

        Cancelling it leaves the old state or the new one: the worker goes on to its end.
        """
        async with self._async_lock:
            work = asyncio.to_thread(self.fit, messages, **arguments)  # type: ignore[arg-type]  # those of fit
            return await asyncio.shield(asyncio.ensure_future(work))

    def _session_for(self, messages: Sequence[Wire], system: object, format: str | None) -> Session:
        session = self._session = session_of(self._session, messages, system, format)
        if self._asked is not None:
            session.request_compaction(self._asked)
            self._asked = None
        return session

    def _options_for(
        self, session: Session, model: str, max_output: int | None, window: Window | None
    ) -> tuple[Options, str]:
        """The options for a request, by what is known now of the model that runs, and a warning about that."""
        found = Found(window, model) if window is not None else self._running.found(session.archive, model)
        self._options = self._options.with_window(found.window)
        asked = self._options.budget.max_output if max_output is None else max_output
        limits = [size for size in (found.limit(asked), self._room) if size is not None]
        options = self._options.asking(found.model, min(limits) if asked is not None else None)
        self._noted = remember_running(session, options.model, found.window, self._noted)
        return options, found.warning

    def _take_in(self, session: Session, messages: Sequence[Wire], raws: Sequence[bytes], options: Options) -> Known:
        """Brings session and memory up to what was sent; others may append to the same session meanwhile."""

        def load(wire: Wire, index: int) -> Message:
            return session.dialect.load(wire, index, raw=raws[index] if raws else b"")

        known, view = self._known, self._view(session)
        self._known = None  # should it fail, everything is read again
        self._known = brought_up(known, session, messages, load, options.counter, view)
        return self._known

    def _fitted(
        self, session: Session, known: Known, messages: Sequence[Wire], options: Options, *, forced: bool
    ) -> Compaction:
        view, (tokens, marks) = self._view(session), (self._outside.tokens, self._outside.marks)
        beside = (self._outside.system, self._outside.tools)
        job = Job(session, known.transcript, tokens, options, view, forced, marks, beside)
        done = brought_under(job)
        self.sent = Sent.of(known.transcript, done.receipt, done.size, sum(tokens), options.model)
        if done.receipt.cycle == 0:
            return replace(done, messages=messages)
        return done
