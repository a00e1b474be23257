"""A compaction on a branch: what stood before the fork still stands, the rest follows the branch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from vademecum.archive import Piece, Session, StoredCompaction
from vademecum.core.dialect import Dialect
from vademecum.core.tokens import TokenCounter
from vademecum.core.transcript import Transcript
from vademecum.wire.values import encoded


def rebased(
    standing: StoredCompaction, transcript: Transcript, fork: int, session: Session, counter: TokenCounter, view: str
) -> bool:
    """Commits the compaction again for a branch that leaves its session before everything it covered.

    Args:
        standing: The compaction of the run that was left.
        transcript: The branch's transcript.
        fork: Position at which the branch begins.
        session: The session, in the branch already.
        counter: What counts tokens.
        view: The view.

    Returns:
        False when the branch begins before what was folded: then nothing of the compaction can stand.
    """
    if fork >= standing.covered:
        return True
    if fork < standing.folded:
        return False
    pieces = _pieces(standing, transcript, fork, session.dialect)
    written = [session.dialect.load(json.loads(piece.data), 0) for piece in pieces if piece.data]
    kept = [
        size
        for piece in pieces
        if not piece.data
        for size in transcript.sizes[transcript.index_at(piece.start) : transcript.index_at(piece.stop)]
    ]
    tokens = sum(kept) + sum(counter.messages(written))
    # The system text and the tools outside the messages cost what they cost before.
    new = replace(
        standing, cut=min(standing.cut, fork), covered=transcript.length, tokens=tokens, pieces=tuple(pieces)
    )
    own = session.compaction(view)
    return session.commit(new, expected=own.id if own is not None else 0, view=view)


def _pieces(standing: StoredCompaction, transcript: Transcript, fork: int, dialect: Dialect) -> list[Piece]:
    """The pieces before the fork, the carry before its new neighbour, and the branch's messages."""
    head = transcript.head
    pieces = [Piece(0, transcript.positions[head - 1] + 1)] if head else []
    carry, changed = _carry(standing.pieces, dialect), _written(standing.pieces, fork)
    first = transcript.index_at(standing.folded)
    follows = transcript.messages[first] if first < len(transcript) else None
    if follows is not None and follows.role == "user":
        position = transcript.positions[first]
        pieces.append(Piece(position, position + 1, encoded(dialect.prepended(carry, follows)), len(carry)))
        first += 1
    else:
        pieces.append(Piece(-1, -1, encoded(dialect.user(carry)), len(carry)))
    for index in range(first, len(transcript)):
        position = transcript.positions[index]
        data = changed.get(position)
        if data is not None:
            pieces.append(data)
        elif not pieces[-1].data and pieces[-1].stop == position:
            pieces[-1] = Piece(pieces[-1].start, position + 1)
        else:
            pieces.append(Piece(position, position + 1))
    return pieces


def _carry(pieces: Sequence[Piece], dialect: Dialect) -> tuple[str, ...]:
    for piece in pieces:
        if piece.carry:
            texts = [part.text for part in dialect.load(json.loads(piece.data), 0).parts if part.kind == "text"]
            return tuple(texts[: piece.carry])
    return ()


def _written(pieces: Sequence[Piece], fork: int) -> dict[int, Piece]:
    return {piece.start: piece for piece in pieces if piece.data and not piece.carry and 0 <= piece.start < fork}
