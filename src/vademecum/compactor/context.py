"""Between archive and core: the case of a request, and the context that a compaction stands for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from vademecum.archive import Piece, Session, StoredCompaction
from vademecum.compactor.marks import unmarked
from vademecum.compactor.options import Options
from vademecum.core.apply import Kept
from vademecum.core.case import Case
from vademecum.core.identity import part_id
from vademecum.core.messages import Message
from vademecum.core.pins import Pin
from vademecum.core.plan import Plan
from vademecum.core.tokens import TokenCounter
from vademecum.core.transcript import Transcript
from vademecum.wire.values import encoded


def before_of(
    transcript: Transcript,
    outside: tuple[int, int],
    standing: StoredCompaction | None,
    session: Session,
    counter: TokenCounter,
) -> int:
    """Tokens of the context as it stands: with what stands outside now, and what the caller has edited since."""
    if standing is None:
        return sum(outside) + transcript.total
    return sum(outside) + tokens_of(transcript, standing, session, counter)


def case_of(
    session: Session,
    transcript: Transcript,
    outside: tuple[int, int],
    standing: StoredCompaction | None,
    options: Options,
    pins: tuple[Pin, ...] = (),
) -> Case:
    """What the planner may look at: the head, and the originals of whatever has not left for good."""
    head = transcript.head
    first = max(head, transcript.index_at(standing.cut)) if standing is not None else head
    return Case(
        session=session.id,
        cycle=(standing.cycle if standing is not None else 0) + 1,
        head=transcript.messages[:head],
        live=transcript.messages[first:],
        nodes=transcript.nodes[first:],
        sizes=transcript.sizes[first:],
        overhead=sum(outside) + sum(transcript.sizes[:head]),
        positions=(*transcript.positions[first:], transcript.length),
        budget=options.budget,
        preset=options.preset,
        dialect=session.dialect,
        before=before_of(transcript, outside, standing, session, options.counter),
        summarizer=options.summarizer,
        token_compression=options.token_compression,
        narrative=standing.narrative if standing is not None else "",
        focus=options.focus,
        pins=pins,
        workspace=options.workspace is not None,
        redact=session.archive.redactor,
        past=transcript.messages[head:first],
        past_nodes=transcript.nodes[head:first],
    )


def pieces_of(case: Case, made: Plan, transcript: Transcript) -> tuple[Piece, ...]:
    """What is emitted, as the archive stores it: ranges of messages that stay, bytes of those that were written."""
    head = transcript.head
    pieces = [Piece(0, transcript.positions[head - 1] + 1)] if head else []
    frozen = _frozen(case, made)
    for item in made.emitted:
        index = item.index if isinstance(item, Kept) else item.indexes[0] if item.indexes else -1
        position = case.positions[index] if index >= 0 else -1
        if not isinstance(item, Kept):
            texts = (made.carry.text, *made.carry.requests) if item.carry and made.carry is not None else ()
            at = -1 if position in frozen else position
            pieces.append(Piece(at, at + 1 if at >= 0 else -1, encoded(unmarked(item.wire)), len(texts)))
        elif position in frozen:
            pieces.append(Piece(-1, -1, encoded(unmarked(case.live[index].wire))))
        else:
            stop = max(case.positions[index + 1], position + 1)
            if pieces and not pieces[-1].data and pieces[-1].stop >= position:
                pieces[-1] = Piece(pieces[-1].start, max(pieces[-1].stop, stop))
            else:
                pieces.append(Piece(position, stop))
    return tuple(pieces)


def _frozen(case: Case, made: Plan) -> frozenset[int]:
    """Places with several messages, one of which was written or dropped: they are stored as they stand now."""
    places = case.positions[:-1]
    several = {place for place, following in pairwise(places) if place == following}
    kept = {item.index for item in made.emitted if isinstance(item, Kept)}
    changed = {case.positions[index] for index in range(made.fold, len(case.live)) if index not in kept}
    return frozenset(several & changed)


def leaving(transcript: Transcript, standing: StoredCompaction | None) -> tuple[str, ...]:
    """Ids of the parts that the last compaction kept shortened and that fold now."""
    if standing is None:
        return ()
    start = max(transcript.index_at(standing.folded), transcript.head)
    return tuple(
        part_id(transcript.nodes[at], part, len(transcript.messages[at].parts))
        for at in range(start, transcript.index_at(standing.cut))
        for part in range(len(transcript.messages[at].parts))
    )


def context_of(transcript: Transcript, standing: StoredCompaction | None, session: Session) -> tuple[Message, ...]:
    """The context that stands: the whole transcript before the first compaction."""
    if standing is None:
        return transcript.messages
    return projected(transcript, standing.pieces, standing.covered, session)


def projected(transcript: Transcript, pieces: Sequence[Piece], covered: int, session: Session) -> tuple[Message, ...]:
    """The context: the pieces in order, then what was appended since; the caller's own objects where they stay."""
    out: list[Message] = []
    for piece in pieces:
        if piece.data:
            for message, at in _in_place(transcript, piece, session):
                # What is given out is another object each time: a caller may put marks on it.
                fresh = at < 0 and message.raw == piece.data
                out.append(replace(message, wire=json.loads(piece.data)) if fresh else message)
        else:
            start, stop = transcript.index_at(piece.start), transcript.index_at(piece.stop)
            out.extend(transcript.messages[start:stop])
    return (*out, *transcript.messages[transcript.index_at(covered) :])


def tokens_of(transcript: Transcript, standing: StoredCompaction, session: Session, counter: TokenCounter) -> int:
    """Tokens of the messages of a context."""
    total = transcript.tokens_from(standing.covered)
    written: list[Message] = []
    for piece in standing.pieces:
        if not piece.data:
            total += sum(transcript.sizes[transcript.index_at(piece.start) : transcript.index_at(piece.stop)])
            continue
        for message, at in _in_place(transcript, piece, session):
            if at < 0:
                written.append(message)
            else:
                total += transcript.sizes[at]
    return total + sum(counter.messages(written))


def _in_place(transcript: Transcript, piece: Piece, session: Session) -> list[tuple[Message, int]]:
    """A written message with what the caller has put in beside it since, and the index of each (-1: written).

    Where the caller has taken the message out, nothing is left of it but the carry, if it holds that.
    """
    written, dialect = session.written(piece), session.dialect
    if piece.start < 0:
        return [(written, -1)]
    start, stop = transcript.index_at(piece.start), transcript.index_at(piece.stop)
    if stop - start == 1:
        return [(written, -1)]
    if start == stop:
        texts = [part.text for part in written.parts if part.kind == "text"][: piece.carry]
        return [(dialect.load(dialect.user(texts), 0), -1)] if texts else []
    own = next((at for at in range(start, stop) if transcript.messages[at].role == written.role), start)
    return [(written, -1) if at == own else (transcript.messages[at], at) for at in range(start, stop)]
