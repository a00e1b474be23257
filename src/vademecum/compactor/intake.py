"""Taking in what a caller sends: new messages are appended, changed ones noted, another ending is a branch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import repeat

from vademecum.archive import Session
from vademecum.archive.sqlite.reading import StoredMessage
from vademecum.compactor.lacking import Lacking, completed, lacking
from vademecum.compactor.memory import forget_anchors, standing_of
from vademecum.compactor.rebase import carry_over
from vademecum.compactor.recognition import Recognised, recognise
from vademecum.core.identity import node
from vademecum.core.messages import Message, Wire
from vademecum.core.tokens import TokenCounter
from vademecum.core.transcript import Transcript
from vademecum.errors import SessionGrew

Load = Callable[[Wire, int], Message]


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a session in this process.

    Attributes:
        transcript: Its messages as the caller has them.
        wires: The caller's own objects; empty after a restart.
        mark: What tells whether another process has changed the session.
        lacking: Messages of which the archive has only a part, with what tells that one sent is the same.
    """

    transcript: Transcript
    wires: tuple[Wire, ...]
    mark: tuple[int, int]
    lacking: tuple[Lacking, ...] = ()

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
            entries.extend(zip(repeat(held.position), _nodes(held.node, [version.node for version in now]), now))
    transcript = Transcript(
        messages=tuple(held.load(session.dialect) for _, _, held in entries),
        nodes=tuple(node for _, node, _ in entries),
        sizes=tuple(held.tokens for _, _, held in entries),
        positions=tuple(position for position, _, _ in entries),
        length=len(stored),
    )
    return Known(transcript, (), (session.run, transcript.length), lacking(stored, revised))


def brought_up(
    known: Known | None, session: Session, sent: Sequence[Wire], load: Load, counter: TokenCounter, view: str
) -> Known:
    """The same as `taken_in`, whatever other processes append to the session meanwhile.

    Args:
        known: What is known of the session; None to read it.
        session: The session.
        sent: The whole transcript as it is sent.
        load: Reads one of its messages.
        counter: What counts tokens.
        view: The view whose compaction stands.
    """
    if known is None or not known.is_current(session):
        known = known_of(session)
    try:
        return taken_in(known, session, sent, load, counter, view)
    except SessionGrew:
        # Trying again in the same way could go on for ever among many writers; now they wait for this one.
        with session.archive.connection.transaction():
            return taken_in(known_of(session), session, sent, load, counter, view)


def taken_in(
    known: Known, session: Session, sent: Sequence[Wire], load: Load, counter: TokenCounter, view: str
) -> Known:
    """Brings a session up to what a caller sends.

    Args:
        known: What is known of the session.
        session: The session.
        sent: The whole transcript as it is sent.
        load: Reads one of its messages; asked only for those that are not known.
        counter: What counts tokens.
        view: The view whose compaction stands.

    Raises:
        SessionGrew: Another process appended to it meanwhile; read it again.
    """
    known = replace(known, transcript=completed(known.transcript, known.lacking, sent, load, counter))
    standing = standing_of(session, view)
    compacted = 0 if standing is None else known.transcript.index_at(standing.cut)
    # A result in the tail may have been shortened too: what is added beside it would not be seen.
    written = [] if standing is None else [piece.stop for piece in standing.pieces if piece.data]
    shortened = known.transcript.index_at(max(written, default=0))
    found = recognise(known.transcript.messages, known.wires, sent, compacted, load, shortened)
    if found.changed or found.fork < len(known.transcript):
        with session.archive.connection.transaction():  # all of it or nothing
            if not known.is_current(session):
                raise SessionGrew(session.id, session.mark()[1], known.transcript.length)
            grown = _appended(_changed(known.transcript, found, counter, session), found, counter, session)
            carry_over(session, grown, counter)
    else:
        # Nothing but new messages, and marks that moved on known ones.
        recognised = known.transcript
        if found.read < found.new:
            recognised = replace(recognised, messages=found.messages[: found.new])
        grown = _appended(recognised, found, counter, session)
        if not known.wires:
            carry_over(session, grown, counter)
    return Known(grown, tuple(sent), (session.run, grown.length))


def _appended(recognised: Transcript, found: Recognised, counter: TokenCounter, session: Session) -> Transcript:
    added = found.messages[found.new :]
    if not added:
        return recognised
    grown = recognised.extended(added, counter.messages(added))
    session.append_to(grown, len(recognised))
    return grown


def _changed(known: Transcript, found: Recognised, counter: TokenCounter, session: Session) -> Transcript:
    """The recognised part of what was sent, in a branch where the transcript goes on in another way."""
    branches = found.fork < len(known)
    if branches:
        session.branch(known.positions[found.fork - 1] + 1 if found.fork else 0)
    recognised = _replaced(known, found, counter, session)
    if found.changed:
        forget_anchors(session)
    if not branches:
        return recognised
    return replace(recognised, length=recognised.positions[-1] + 1 if recognised.positions else 0)


def _replaced(known: Transcript, found: Recognised, counter: TokenCounter, session: Session) -> Transcript:
    """The recognised part of what was sent, under the ids and at the places that the archive has for it."""
    places, messages = found.places, found.messages[: len(found.places)]
    positions = tuple(known.positions[place] for place in places)
    # A place that holds several messages is noted as a whole.
    touched: dict[int, list[int]] = {known.positions[at]: [] for at in found.changed}
    if 0 < found.fork < len(known) and known.positions[found.fork] == known.positions[found.fork - 1]:
        touched.setdefault(known.positions[found.fork], [])  # the branch begins between two of one place
    originals = dict(zip(known.positions, known.nodes, strict=True))
    nodes = [known.nodes[place] for place in places]
    for index, position in enumerate(positions):
        if position in touched:
            touched[position].append(index)
    changed = sorted(index for held in touched.values() for index in held)
    fresh = dict(zip(changed, counter.messages([messages[index] for index in changed]), strict=True))
    for position, held in touched.items():
        put_in = [node(originals[position], messages[index].identity) for index in held]
        for index, identifier in zip(held, _nodes(originals[position], put_in), strict=True):
            nodes[index] = identifier
        session.revise(position, [messages[index] for index in held], [fresh[index] for index in held])
    return Transcript(
        messages=messages,
        nodes=tuple(nodes),
        sizes=tuple(fresh.get(index, known.sizes[place]) for index, place in enumerate(places)),
        positions=positions,
        length=known.length,
    )


def _nodes(original: bytes, versions: Sequence[bytes]) -> tuple[bytes, ...]:
    """The ids of what stands at a place: a revised message keeps that of its original, what was put in has its own.

    Args:
        original: The id under which the archive has the message that was there first.
        versions: The ids of those that are there now; the last stands for the original.
    """
    return (*versions[:-1], original) if versions else ()
