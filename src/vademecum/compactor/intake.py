"""Taking in what a caller sends: new messages are appended, changed ones noted, another ending is a branch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vademecum.archive import Session
from vademecum.archive.sqlite.reading import StoredMessage
from vademecum.compactor.rebase import rebased
from vademecum.compactor.recognition import Recognised, recognise
from vademecum.core.messages import Message, Wire
from vademecum.core.tokens import TokenCounter
from vademecum.core.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a session in this process.

    Attributes:
        transcript: Its messages as the caller has them.
        wires: The caller's own objects; empty after a restart.
        mark: What tells whether another process has changed the session.
    """

    transcript: Transcript
    wires: tuple[Wire, ...]
    mark: tuple[int, int]

    def is_current(self, session: Session) -> bool:
        """Whether no other process has appended to the session or branched it."""
        return session.mark() == self.mark


def known_of(session: Session) -> Known:
    """What the archive has of a session: the newest version of every message."""
    session.refresh()
    stored = session.stored()
    revised = session.revised()
    entries: list[tuple[int, bytes, StoredMessage]] = []
    for held in stored:
        now = revised.get(held.position)
        if now is None:
            entries.append((held.position, held.node, held))
        else:
            # A revised message keeps the id under which the archive has its original.
            entries.extend((held.position, held.node, version) for version in now)
    transcript = Transcript(
        messages=tuple(held.load(session.dialect) for _, _, held in entries),
        nodes=tuple(node for _, node, _ in entries),
        sizes=tuple(held.tokens for _, _, held in entries),
        positions=tuple(position for position, _, _ in entries),
        length=len(stored),
    )
    return Known(transcript, (), session.mark())


def taken_in(
    known: Known, session: Session, sent: Sequence[Wire], raws: Sequence[bytes], counter: TokenCounter, view: str
) -> Known:
    """Brings a session up to what a caller sends.

    Raises:
        SessionGrew: Another process appended to it meanwhile; read it again.
    """
    standing = session.compaction(view)
    compacted = 0 if standing is None else known.transcript.index_at(standing.cut)

    def load(wire: Wire, index: int) -> Message:
        return session.dialect.load(wire, index, raw=raws[index] if raws else b"")

    found = recognise(known.transcript.messages, known.wires, sent, compacted, load)
    transcript = _replaced(known.transcript, found, counter, session)
    if found.fork < len(known.transcript):
        transcript = _branched(known.transcript, transcript, found, session)
    added = found.messages[found.new :]
    grown = transcript.extended(added, counter.messages(added))
    if added:
        session.append_to(grown, len(transcript))
    if found.fork < len(known.transcript) and standing is not None:
        rebased(standing, grown, transcript.length, session, counter, view)
    return Known(grown, tuple(sent), session.mark())


def _replaced(known: Transcript, found: Recognised, counter: TokenCounter, session: Session) -> Transcript:
    """The recognised part of what was sent, under the ids and at the places that the archive has for it."""
    places, messages = found.places, found.messages[: len(found.places)]
    changed = {index for change in found.changes for index in change.new}
    sizes = list(counter.messages([messages[index] for index in sorted(changed)]))
    fresh = dict(zip(sorted(changed), sizes, strict=True))
    for change in found.changes:
        session.revise(
            known.positions[change.old],
            [found.messages[index] for index in change.new],
            [fresh[index] for index in change.new],
        )
    return Transcript(
        messages=messages,
        nodes=tuple(known.nodes[place] for place in places),
        sizes=tuple(fresh.get(index, known.sizes[place]) for index, place in enumerate(places)),
        positions=tuple(known.positions[place] for place in places),
        length=known.length,
    )


def _branched(known: Transcript, recognised: Transcript, found: Recognised, session: Session) -> Transcript:
    """Opens a branch behind the last message that is recognised."""
    fork = known.positions[found.fork - 1] + 1 if found.fork else 0
    session.branch(fork)
    return Transcript(recognised.messages, recognised.nodes, recognised.sizes, recognised.positions, fork)
