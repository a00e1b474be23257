"""What a compactor is told of the requests that it prepared: replies, usage, errors; and what it is asked for."""

from __future__ import annotations

import threading
from dataclasses import replace

from vademecum.archive import Session
from vademecum.compactor.memory import Sent, view_of
from vademecum.compactor.options import Options
from vademecum.compactor.reports import taken
from vademecum.compactor.running import RunningModel
from vademecum.models.errors import Verdict, classify
from vademecum.models.errors.reactions import room_for_reply
from vademecum.models.errors.table import Table
from vademecum.models.raised import verdict_on
from vademecum.wire.usage import Usage, model_of, usage_of


class Observed:
    """The part of a `Compactor` that listens.

    Args:
        options: How to compact.
        running: The model that runs.
        session: The session; None before there is one.
        table: The wordings of errors; None for the packaged ones.
    """

    def __init__(
        self, options: Options, running: RunningModel, session: Session | None, table: Table | None = None
    ) -> None:
        self._options = options
        self._running = running
        self._session = session
        self._table = table
        self._asked: str | None = None
        self._room: int | None = None
        self._lock = threading.RLock()
        #: What `fit` prepared last, for the usage that is reported for it.
        self.sent: Sent | None = None

    @property
    def session(self) -> Session | None:
        """The session; None before the first `fit` of a compactor that was given none."""
        return self._session

    def observe(self, reply: object) -> Usage | None:
        """Takes the provider's own count of the request that `fit` prepared last, and which model has answered.

        Where another model than the one that was asked has answered, the next `fit` goes by that one's window.

        Args:
            reply: The response as JSON data, or an SDK's object; where it says nothing (None), estimates go on.
        """
        usage = usage_of(reply)
        if usage is not None:
            self.take_usage(usage)
        elif model := model_of(reply):
            with self._lock:
                self._running.answered(model)
        return usage

    def take_usage(self, usage: Usage, sent: Sent | None = None) -> bool:
        """Takes a count that was read from a reply already, for what was `sent` or prepared last; see `observe`.

        Returns:
            False where the server has cut the prompt without a word: then the count is not its size.
        """
        with self._lock:
            self._room = None
            of, session = sent or self.sent, self._session
            if of is None or session is None:
                return True
            if (runs := self._running.answered(usage.model)) is not None:
                # The report is the size of the next request's beginning, which goes by that model's window.
                of, self._options = replace(of, model=runs.model), self._options.with_window(runs.window)
            return taken(session, self._view(session), of, usage, self._options)

    def observe_error(self, error: object, *, status: int | None = None) -> Verdict | None:
        """Takes an error in place of a reply: limits that it names are learned, and count from the next `fit` on.

        What is to be done is the verdict's `action`: at `compact`, `fit(…, forced=True)` gives a smaller context;
        at `lower_output`, the `limits` of the next `fit` are lower.

        A reply that is none, because it ended with the window or its prompt was cut, is told as well.

        Args:
            error: What an SDK raised, or the response's body: bytes, text, JSON data, an event of a stream.
            status: The HTTP status, where the error does not have it.

        Returns:
            What the error means; None for what is no error.
        """
        if isinstance(error, Exception):
            verdict = verdict_on(error, status=status, table=self._table)
        else:
            sent, window = self.sent, self._options.budget.window.tokens
            size = None if sent is None else sent.context
            verdict = classify(error, status=status, table=self._table, expected_input=size, window=window)
        if verdict is None:
            return None
        with self._lock:
            self._running.learn(verdict)
            if verdict.kind == "output_budget" and verdict.limit is not None:
                measured = 0 if self.sent is None else self.sent.context
                self._room = room_for_reply(verdict.limit, verdict.observed_input or measured)
        return verdict

    def request(self, focus: str = "") -> None:
        """Asks for a compaction at the next `fit`, even below the trigger, once; see the receipt's `cause`.

        Args:
            focus: What is to be kept above all.
        """
        with self._lock:
            if self._session is None:
                self._asked = focus
            else:
                self._session.request_compaction(focus)

    def undo(self) -> int:
        """Takes the newest compaction back: the context is what it was before it.

        It is not made again until the context has grown by a quarter, no longer fits, or somebody asks for it.

        Returns:
            The cycle that stands now, 0 for the whole transcript; -1 when there was nothing to take back.
        """
        with self._lock:
            return -1 if self._session is None else self._session.undo(self._view(self._session))

    def _view(self, session: Session) -> str:
        return view_of(session, self._options.budget.window.tokens)
