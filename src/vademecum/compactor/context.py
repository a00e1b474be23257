"""Between archive and core: the case of a request, and the context that a compaction stands for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from vademecum.archive import Piece, Session, StoredCompaction
from vademecum.compactor.options import Options
from vademecum.core.apply import Kept
from vademecum.core.case import Case, leading_system_rows
from vademecum.core.identity import chain, part_id
from vademecum.core.messages import Message
from vademecum.core.plan import Plan
from vademecum.wire.values import encoded


def case_of(
    session: Session,
    messages: tuple[Message, ...],
    sizes: Sequence[int],
    outside: tuple[int, int],
    standing: StoredCompaction | None,
    options: Options,
) -> Case:
    """What the planner may look at: the head, and the originals of whatever has not left for good."""
    head = leading_system_rows(messages)
    first = max(head, standing.cut) if standing is not None else head
    overhead = sum(outside) + sum(sizes[:head])
    before = sum(outside) + sum(sizes)
    if standing is not None:
        before = standing.tokens + sum(sizes[standing.covered :])
    return Case(
        session=session.id,
        cycle=(standing.cycle if standing is not None else 0) + 1,
        head=messages[:head],
        live=messages[first:],
        nodes=chain(messages)[first:],
        sizes=tuple(sizes[first:]),
        overhead=overhead,
        first=first,
        budget=options.budget,
        preset=options.preset,
        dialect=session.dialect,
        before=before,
        summarizer=options.summarizer,
        token_compression=options.token_compression,
        narrative=standing.narrative if standing is not None else "",
        focus=options.focus,
    )


def pieces_of(case: Case, made: Plan, head: int) -> tuple[Piece, ...]:
    """What is emitted, as the archive stores it: ranges of messages that stay, bytes of those that were written."""
    pieces = [Piece(0, head)] if head else []
    for item in made.emitted:
        if not isinstance(item, Kept):
            at = case.first + item.indexes[0] if item.indexes else -1
            pieces.append(Piece(at, at + 1 if at >= 0 else -1, encoded(item.wire)))
            continue
        position = case.first + item.index
        if pieces and not pieces[-1].data and pieces[-1].stop == position:
            pieces[-1] = Piece(pieces[-1].start, position + 1)
        else:
            pieces.append(Piece(position, position + 1))
    return tuple(pieces)


def leaving(messages: Sequence[Message], case: Case, standing: StoredCompaction | None) -> tuple[str, ...]:
    """Ids of the parts that the last compaction kept shortened and that fold now."""
    if standing is None:
        return ()
    nodes = chain(messages)
    return tuple(
        part_id(nodes[at], part, len(messages[at].parts))
        for at in range(max(standing.folded, len(case.head)), standing.cut)
        for part in range(len(messages[at].parts))
    )


def context_of(
    messages: tuple[Message, ...], standing: StoredCompaction | None, session: Session
) -> tuple[Message, ...]:
    """The context before anything new is planned."""
    if standing is None:
        return messages
    return projected(messages, standing.pieces, standing.covered, session)


def projected(
    messages: tuple[Message, ...], pieces: Sequence[Piece], covered: int, session: Session
) -> tuple[Message, ...]:
    """The context: pieces in order, then what was appended since; the caller's own objects where they stay."""
    out: list[Message] = []
    for piece in pieces:
        if piece.data:
            wire: dict[str, Any] = json.loads(piece.data)
            out.append(session.dialect.load(wire, len(out)))
        else:
            out.extend(messages[piece.start : piece.stop])
    return (*out, *messages[covered:])
