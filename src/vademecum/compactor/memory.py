"""What a session remembers between requests and processes: breaker, anchor, main window."""

from __future__ import annotations

from dataclasses import dataclass

from vademecum.archive import Session, StoredCompaction
from vademecum.core.anchor import Anchor
from vademecum.core.breaker import Breaker
from vademecum.core.budget import Window
from vademecum.core.meter import Measured
from vademecum.core.receipt import Receipt
from vademecum.core.transcript import Transcript
from vademecum.wire.usage import Usage

MAIN = "main"


@dataclass(frozen=True, slots=True)
class Sent:
    """What a request was, for the usage that its reply reports.

    Attributes:
        messages: How many messages the transcript had.
        node: Id of the last of them.
        cycle: The cycle that the context stood on.
        transcript: Tokens of the whole transcript, with what stands outside of it.
        context: Tokens of the context that was sent, with the same.
        counted: Our own count of that context's messages.
        outside: Our own count of what stands outside of them.
        model: The model that was asked; empty where none was named.
    """

    messages: int
    node: bytes
    cycle: int
    transcript: int = 0
    context: int = 0
    counted: int = 0
    outside: int = 0
    model: str = ""

    @classmethod
    def of(
        cls, transcript: Transcript, receipt: Receipt, size: Measured, outside: int, model: str = ""
    ) -> Sent | None:
        """What was prepared; a size that a provider reported is the transcript's while that is all of the context."""
        if not transcript.nodes:
            return None
        whole = size.scale.size(outside + transcript.total) if receipt.cycle else size.tokens
        messages = size.counted - outside
        node = transcript.nodes[-1]
        return cls(len(transcript), node, receipt.cycle, whole, size.tokens, messages, outside, model)

    def reported(self, usage: Usage) -> Anchor:
        """The size that a reply reported for it."""
        model = self.model or usage.model
        return Anchor(usage.prompt_tokens, self.messages, self.node, self.cycle, model, self.counted, self.outside)


class Memory:
    """The state of one view of a session.

    Args:
        session: The session.
        view: The view.
    """

    def __init__(self, session: Session, view: str) -> None:
        self._session = session
        self._view = view

    def breaker(self) -> Breaker:
        """The breaker; closed when nothing is remembered."""
        held = self._session.recall_state(f"breaker:{self._view}")
        return Breaker() if held is None else Breaker(**held)

    def remember_breaker(self, breaker: Breaker) -> None:
        """Keeps the breaker with the session."""
        fields = {"failures": breaker.failures, "size": breaker.size, "window": breaker.window}
        self._session.remember_state(f"breaker:{self._view}", fields)

    def anchor(self) -> Anchor | None:
        """The newest size that a provider reported."""
        held = self._session.recall_state(f"anchor:{self._view}")
        if held is None:
            return None
        node = bytes.fromhex(held["node"])
        counted, outside = held.get("counted", 0), held.get("outside", 0)
        return Anchor(held["tokens"], held["messages"], node, held["cycle"], held["model"], counted, outside)

    def remember_anchor(self, anchor: Anchor) -> None:
        """Keeps a reported size with the session."""
        fields = {
            "tokens": anchor.tokens,
            "messages": anchor.messages,
            "node": anchor.node.hex(),
            "cycle": anchor.cycle,
            "model": anchor.model,
            "counted": anchor.counted,
            "outside": anchor.outside,
        }
        self._session.remember_state(f"anchor:{self._view}", fields)

    def cut(self) -> tuple[int, int] | None:
        """What a server read of the newest request, and what it was sent, where it has cut it without a word."""
        held = self._session.recall_state(f"cut:{self._view}")
        return None if held is None else (held["read"], held["sent"])

    def remember_cut(self, read: int, sent: int) -> None:
        """Keeps that the newest request was cut."""
        self._session.remember_state(f"cut:{self._view}", {"read": read, "sent": sent})

    def forget_cut(self) -> None:
        """Forgets that a request was cut: a later one was read as a whole."""
        self._session.forget_state(f"cut:{self._view}")


def remember_running(session: Session, model: str, window: Window, noted: object = None) -> object:
    """Keeps with the session which model it runs on, and its window.

    Args:
        session: The session.
        model: The model; empty where none is named.
        window: Its window.
        noted: What this returned last: the same is not written again.
    """
    fields = {"model": model, "tokens": window.tokens, "origin": window.origin}
    if fields != noted and fields != session.recall_state("running"):
        session.remember_state("running", fields)
    return fields


def running_of(session: Session) -> tuple[str, Window] | None:
    """The model that a session runs on, and its window; None before its first request."""
    held = session.recall_state("running")
    return None if held is None else (held["model"], Window(held["tokens"], held["origin"]))


def view_of(session: Session, window: int) -> str:
    """The view that a window has of a session: the main one for its largest window so far, else its own.

    A member with a smaller window compacts further in a view of its own, so that the context of the
    large one is what it was when it returns.
    """
    held = session.recall_state("window")
    largest = 0 if held is None else int(held["tokens"])
    if window > largest:
        session.remember_state("window", {"tokens": window})
        return MAIN
    return MAIN if window == largest else f"window-{window}"


def standing_of(session: Session, view: str) -> StoredCompaction | None:
    """The compaction that a view's context stands on: its own, or the main view's where that is further."""
    own = session.compaction(view)
    if view == MAIN:
        return own
    main = session.compaction(MAIN)
    if own is None or (main is not None and main.cut > own.cut):
        return main
    return own


@dataclass(frozen=True, slots=True)
class Base:
    """What a plan is made on: whatever is committed meanwhile, by whomever, makes it void.

    Attributes:
        standing: The compaction that the context stands on.
        expected: The row of the view's own, 0 for none.
        newest: The row of the compaction that was committed last in the archive.
    """

    standing: StoredCompaction | None
    expected: int
    newest: int


def base_of(session: Session, view: str) -> Base:
    """What a plan of a view is made on now, all of it read at one moment."""
    with session.archive.connection.reading():
        own = session.compaction(view)
        return Base(standing_of(session, view), own.id if own is not None else 0, session.newest_compaction())


def forget_anchors(session: Session) -> None:
    """Forgets every reported size: the history that it was the size of has been edited."""
    session.forget_state("anchor:")
