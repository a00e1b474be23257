"""A small router: one compactor for each lineage, by the client's ids, else by what is known of its transcripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from clients.recordings import Request
from vademecum import Archive, Compactor
from vademecum.compactor import session_name
from vademecum.core.alignment import Key, align
from vademecum.core.messages import Message
from vademecum.wire import dialect

#: The share of a lineage's messages that a request which continues it still has.
ENOUGH = 0.6
#: Newest tool calls by which a lineage is known again, and the share of them that must be its own.
CALLS, CALLS_ENOUGH = 12, 0.5


@dataclass
class Lineage:
    """A conversation: its compactor, and what it is known by."""

    name: str
    conversation: str
    compactor: Compactor
    messages: Sequence[Message] = ()
    calls: set[str] = field(default_factory=set)

    def take(self, messages: Sequence[Message]) -> None:
        self.messages = messages
        self.calls.update(call for message in messages for call in Key.of(message).calls)


class Router:
    """Finds or makes the lineage of each request.

    Args:
        archive: Where the sessions are.
        window: The window of each.
        trigger: The trigger of each; by default the preset's.
    """

    def __init__(self, archive: Archive, window: int, trigger: int | None = None) -> None:
        self._archive, self._window, self._trigger = archive, window, trigger
        self.lineages: list[Lineage] = []

    def lineage(self, request: Request) -> Lineage:
        """The lineage that a request goes on with."""
        loaded = [dialect(request.format).load(wire, at) for at, wire in enumerate(request.messages)]
        if request.conversation:
            # A client that forks its session sends the whole history under a new id.
            found = self._by_id(request) or self._forked(request, loaded)
        else:
            found = self._continued(loaded) or self._forked(request, loaded) or self._by_calls(loaded)
        if found is None:
            base = request.conversation or session_name(loaded, request.system)
            session = self._archive.session(self._free(base), format=request.format)
            found = self._added(session.id, request.conversation, session)
        found.take(loaded)
        return found

    def _by_id(self, request: Request) -> Lineage | None:
        return next((held for held in self.lineages if held.conversation == request.conversation), None)

    def _continued(self, loaded: Sequence[Message]) -> Lineage | None:
        return next((held for held in reversed(self.lineages) if continues(held.messages, loaded)), None)

    def _by_calls(self, loaded: Sequence[Message]) -> Lineage | None:
        """A history that was rendered anew: its tool calls are the same."""
        newest = list(dict.fromkeys(call for message in reversed(loaded) for call in Key.of(message).calls))[:CALLS]
        for held in reversed(self.lineages):
            if newest and sum(call in held.calls for call in newest) >= CALLS_ENOUGH * len(newest):
                return held
        return None

    def _forked(self, request: Request, loaded: Sequence[Message]) -> Lineage | None:
        """A lineage of its own for what begins like a known one and goes on otherwise; state is copied on write."""
        heads = sum(message.role == "system" for message in loaded)
        keys = [Key.of(message) for message in loaded]
        shared = [(common([Key.of(message) for message in held.messages], keys), held) for held in self.lineages]
        best, held = max(shared, key=lambda pair: pair[0], default=(0, None))
        if held is None or best <= heads:
            return None
        session = held.compactor.session
        assert session is not None
        run = session.ranges[-1].run
        name = self._archive.fork(run, best, self._free(held.name))
        return self._added(name, request.conversation, self._archive.session(name))

    def _added(self, name: str, conversation: str, session: Any) -> Lineage:
        compactor = Compactor(window=self._window, trigger=self._trigger, session=session)
        self.lineages.append(Lineage(name, conversation, compactor))
        return self.lineages[-1]

    def _free(self, base: str) -> str:
        taken = {held.name for held in self.lineages}
        return next(name for number in range(1_000) if (name := f"{base}~{number}") not in taken)


def continues(known: Sequence[Message], sent: Sequence[Message]) -> bool:
    """Whether a transcript is a known one that has grown, perhaps with changes inside."""
    if not known or len(sent) < ENOUGH * len(known):
        return False
    old, new = [Key.of(message) for message in known], [Key.of(message) for message in sent]
    if common(old, new) == len(old):
        return True
    alignment = align(old, new)
    if alignment.share(len(old), old, new) < ENOUGH or not alignment.pairs:
        return False
    # Its newest message must be there, though a reminder at its end may have moved on.
    newest = known[-1]
    return alignment.pairs[-1][0] == len(old) - 1 or any(
        message.role == newest.role and message.text() and message.text().strip() in newest.text()
        for message in sent[alignment.pairs[-1][1] + 1 :]
    )


def common(left: Sequence[Key], right: Sequence[Key]) -> int:
    """How many leading messages are the same."""
    at = 0
    while at < min(len(left), len(right)) and left[at].identity == right[at].identity:
        at += 1
    return at
