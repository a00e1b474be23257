"""A compaction on a branch: what stood before the fork still stands, the rest follows the branch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from vademecum.archive import Piece, Session, StoredCompaction
from vademecum.compactor.context import projected, tokens_of
from vademecum.compactor.marks import unmarked
from vademecum.core.dialect import Dialect
from vademecum.core.messages import Message
from vademecum.core.text import clean
from vademecum.core.tokens import TokenCounter
from vademecum.core.transcript import Transcript
from vademecum.wire.values import encoded


def carry_over(session: Session, transcript: Transcript, counter: TokenCounter) -> None:
    """Commits again, for a branch, the compactions that would be lost to it because they reach beyond its fork.

    Args:
        session: The session, in the branch already.
        transcript: The branch's transcript.
        counter: What counts tokens.
    """
    for view, left, fork in session.left_behind():
        rebased(left, transcript, fork, session, counter, view)


def adopted(
    session: Session, transcript: Transcript, counter: TokenCounter, view: str, since: int, cycle: int
) -> bool:
    """Carries over what another process has committed in a branch beside this one while this one was planning.

    What is carried over is committed anew, so others find it; were earlier cycles taken, several processes
    could hand one to each other for ever.

    Args:
        session: The session.
        transcript: This branch's transcript.
        counter: What counts tokens.
        view: The view.
        since: The newest compaction when planning began.
        cycle: The cycle that was planned.

    Returns:
        Whether there was one that can stand here.
    """
    return any(
        rebased(left, transcript, fork, session, counter, view)
        for left, fork in session.committed_since(since, cycle, view)
    )


def rebased(
    standing: StoredCompaction, transcript: Transcript, fork: int, session: Session, counter: TokenCounter, view: str
) -> bool:
    """Commits a compaction again for a branch that leaves its session before everything it covered.

    Args:
        standing: The compaction of the run that was left.
        transcript: The branch's transcript.
        fork: Position at which the branch begins.
        session: The session, in the branch already.
        counter: What counts tokens.
        view: The view.

    Returns:
        False when nothing of the compaction can stand: the branch begins before what was folded, what
        stayed does not go together with it, or the user's newest words would be missing.
    """
    if fork < standing.folded:
        return False
    dialect = session.dialect
    pieces = tuple(_pieces(standing, transcript, fork, dialect))
    context = projected(transcript, pieces, transcript.length, session)
    if not (_sound(dialect, context) and _holds_request(transcript, standing.folded, context, session)):
        return False
    own = session.compaction(view)
    new = replace(
        standing,
        cut=min(standing.cut, fork),
        covered=transcript.length,
        pieces=pieces,
        id=own.id if own is not None else 0,
    )
    outside = json.loads(standing.receipt).get("overhead_tokens", 0) - sum(transcript.sizes[: transcript.head])
    new = replace(new, tokens=max(0, outside) + tokens_of(transcript, new, session, counter))
    return session.commit(new, expected=new.id, view=view)


def _pieces(standing: StoredCompaction, transcript: Transcript, fork: int, dialect: Dialect) -> list[Piece]:
    """The pieces before the fork, the carry before its new neighbour, and the branch's messages."""
    pieces: list[Piece] = []
    start = fork
    for number, piece in enumerate(standing.pieces):
        if piece.carry:
            joined = _carry(piece, standing.folded, transcript, fork, dialect)
            pieces.append(joined)
            start = max(start, joined.stop)
        elif piece.data and piece.start < 0:
            # An answer that was made for a call: it stays while what followed it does.
            follows = next((later.start for later in standing.pieces[number + 1 :] if later.start >= 0), fork)
            if follows < fork:
                pieces.append(piece)
        elif piece.start < fork:
            pieces.append(replace(piece, stop=min(piece.stop, fork)))
    if start < transcript.length:
        pieces.append(Piece(start, transcript.length))
    return pieces


def _carry(piece: Piece, folded: int, transcript: Transcript, fork: int, dialect: Dialect) -> Piece:
    """The carry as it was, or with the branch's first message where that is what follows it now."""
    first = transcript.index_at(folded)
    follows = transcript.messages[first] if first < len(transcript) else None
    position = transcript.positions[first] if follows is not None else transcript.length
    if position < fork and piece.start < fork:
        return piece
    parts = dialect.load(json.loads(piece.data), 0).parts
    texts = [part.text for part in parts if part.kind == "text"][: piece.carry]
    if follows is not None and follows.role == "user":
        return Piece(position, position + 1, encoded(unmarked(dialect.prepended(texts, follows))), piece.carry)
    return Piece(-1, -1, encoded(dialect.user(texts)), piece.carry)


def _holds_request(transcript: Transcript, folded: int, context: Sequence[Message], session: Session) -> bool:
    """Whether the user's newest words are there: an older request is the newest where later ones are taken back."""
    newest = next((at for at in range(len(transcript) - 1, -1, -1) if transcript.messages[at].typed), -1)
    if newest < transcript.head or transcript.positions[newest] >= folded:
        return True
    there = [part.text for message in context for part in message.parts if part.kind == "text"]
    wanted = [part.text for part in transcript.messages[newest].parts if part.typed]
    return all(any(clean(session.archive.redactor(text)).strip() in sent for sent in there) for text in wanted)


def _sound(dialect: Dialect, messages: Sequence[Message]) -> bool:
    """Whether calls and results still go together; calls at the very end may be running."""
    return not any(
        problem.kind in ("orphan_result", "open_call") and problem.index < len(messages) - 1
        for problem in dialect.problems(messages)
    )
