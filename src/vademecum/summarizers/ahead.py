"""A summary prepared ahead: written while there is time, used when the trigger is crossed (C-37)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from vademecum.core.requests import Summarize, SummaryReply, Unavailable

Write = Callable[[Summarize], SummaryReply | Unavailable]

#: It is used where it covers so much of what is to be summarised; the rest is told by what is extracted.
_COVERED = 0.75


class Ahead:
    """A summariser that remembers the newest summary which was prepared.

    Args:
        write: What writes summaries.
    """

    def __init__(self, write: Write) -> None:
        self._write = write
        self._kept: tuple[Summarize, SummaryReply] | None = None
        self._lock = threading.Lock()

    @property
    def window(self) -> int | None:
        """The window of the model behind it, where that tells."""
        return getattr(self._write, "window", None)

    def prepare(self, ask: Summarize) -> SummaryReply | Unavailable:
        """Writes a summary and keeps it. One that fails leaves what was kept before."""
        held = self._held(ask)
        reply = held or self._write(ask)
        if isinstance(reply, SummaryReply) and held is None:
            with self._lock:
                self._kept = (ask, reply)
        return reply

    def __call__(self, ask: Summarize) -> SummaryReply | Unavailable:
        """The summary that was prepared, where it holds for what is asked; else one that is written now."""
        with self._lock:
            held = self._held(ask)
            self._kept = None  # it is used once: where a check refuses it, the next one is written anew
        return held or self._write(ask)

    def _held(self, ask: Summarize) -> SummaryReply | None:
        """What was prepared, re-based: its coverage is that of the present region."""
        kept = self._kept
        if kept is None:
            return None
        then, reply = kept
        same = (then.by, then.earlier, then.focus) == (ask.by, ask.earlier, ask.focus)
        known, now = then.messages, ask.messages
        shared = min(len(known), len(now))
        # A region that is shorter now would be told things that still stand behind it; a little of that does no harm.
        if not same or shared < _COVERED * max(len(known), len(now)) or known[:shared] != now[:shared]:
            return None
        return replace(reply, covered=min(reply.covered, shared))
