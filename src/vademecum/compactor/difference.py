"""What a compaction changed: for each message, how it stood before and how it stands after."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

from vademecum.archive import Piece, Session, StoredCompaction
from vademecum.archive.sqlite.reading import StoredMessage
from vademecum.core.case import leading_system_rows
from vademecum.core.edits import MARK
from vademecum.core.identity import part_id, short
from vademecum.core.messages import Message, Part
from vademecum.core.tokens import TokenCounter
from vademecum.errors import ConfigError

#: `kept`: as it came; `stubbed`, `cut`, `marked`: shortened; `rewritten`: changed in another way; `folded`: the carry
#: stands for it; `new`: it came after the compaction before.
State = Literal["new", "kept", "stubbed", "cut", "marked", "rewritten", "folded"]
#: What weighs most where the parts of a message fared differently.
_ORDER: tuple[State, ...] = ("folded", "stubbed", "cut", "marked", "rewritten", "kept")


@dataclass(frozen=True, slots=True)
class Change:
    """One message before and after.

    Attributes:
        id: Its id.
        position: Its place in the session.
        role: Who wrote it.
        before: Its state in the context before the compaction.
        after: Its state in the context that the compaction gave.
        tokens: Tokens of it as it came.
        tokens_after: Tokens of what is left of it; 0 where it was folded.
        parts: For each part that is not as it came: its id, its state and its characters before and after.
    """

    id: str
    position: int
    role: str
    before: State
    after: State
    tokens: int
    tokens_after: int
    parts: tuple[tuple[str, State, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """What one compaction changed.

    Attributes:
        compaction: The compaction.
        receipt: Its receipt as JSON data.
        changes: Every message that it covered, in order.
        carry: The carry's text.
        carry_tokens: Its size.
    """

    compaction: StoredCompaction
    receipt: Mapping[str, Any]
    changes: tuple[Change, ...]
    carry: str
    carry_tokens: int

    def stretches(self) -> list[list[Change]]:
        """Neighbours with the same fate together; what was shortened stands alone."""
        shortened = ("stubbed", "cut", "marked", "rewritten")
        keys = [(c.before, c.after, c.position if c.after in shortened else -1) for c in self.changes]
        paired = zip(keys, self.changes, strict=True)
        return [[change for _, change in run] for _, run in groupby(paired, key=lambda pair: pair[0])]


def difference(
    session: Session, counter: TokenCounter, *, cycle: int | None = None, view: str = "main"
) -> Difference:
    """What a compaction changed.

    Args:
        session: The session.
        counter: What counts tokens.
        cycle: Its number; None for the newest.
        view: The view that it belongs to.

    Raises:
        ConfigError: There is no such compaction.
    """
    past = session.past(view)
    at = next((n for n, held in enumerate(past) if cycle in (None, held.cycle)), None)
    if at is None:
        there = f"the cycles are {past[-1].cycle} to {past[0].cycle}" if past else "it was not compacted yet"
        named = "a compaction" if cycle is None else f"cycle {cycle}"
        raise ConfigError(f"session {session.id!r} has no {named}: {there}", hint="vademecum sessions lists cycles")
    after, before = past[at], past[at + 1] if at + 1 < len(past) else None
    stored = session.stored(0, after.covered)
    messages = [held.load(session.dialect) for held in stored]
    head = leading_system_rows(messages)
    old = _states(before, session, messages, head)
    new = _states(after, session, messages, head)
    changes = [
        _change(held, message, old.get(held.position, ("new", None)), new[held.position], counter)
        for held, message in zip(stored, messages, strict=True)
    ]
    carry = _carry(after, session)
    return Difference(after, json.loads(after.receipt), tuple(changes), carry, counter.texts((carry,))[0])


def _states(
    compaction: StoredCompaction | None, session: Session, messages: Sequence[Message], head: int
) -> dict[int, tuple[State, Message | None]]:
    """Position → how the message stands in the context of a compaction, and what is left of it."""
    if compaction is None:
        return {position: ("kept", message) for position, message in enumerate(messages)}
    found: dict[int, tuple[State, Message | None]] = dict.fromkeys(range(head, compaction.covered), ("folded", None))
    found |= {position: ("kept", messages[position]) for position in range(min(head, len(messages)))}
    for piece in compaction.pieces:
        for position in range(max(0, piece.start), min(piece.stop, len(messages))):
            written = _written(piece, session)
            found[position] = ("rewritten", written) if written is not None else ("kept", messages[position])
    return found


def _written(piece: Piece, session: Session) -> Message | None:
    """The message that a piece holds, without the carry's own texts."""
    if not piece.data:
        return None
    message = session.written(piece)
    texts, parts = piece.carry, list[Part]()
    for part in message.parts:
        if part.kind == "text" and texts > 0:
            texts -= 1
        else:
            parts.append(part)
    return Message(message.role, tuple(parts), message.wire, message.identity)


def _change(
    held: StoredMessage,
    original: Message,
    old: tuple[State, Message | None],
    new: tuple[State, Message | None],
    counter: TokenCounter,
) -> Change:
    state, left = new
    details = _parts(held, original, left) if state == "rewritten" and left is not None else ()
    after = state if state != "rewritten" else _weightiest(details)
    before = old[0]
    if before == "rewritten" and old[1] is not None:
        before = _weightiest(_parts(held, original, old[1]))
    size = 0 if left is None else held.tokens if after == "kept" else counter.messages((left,))[0]
    return Change(short(held.node), held.position, held.role, before, after, held.tokens, size, details)


def _weightiest(details: Sequence[tuple[str, State, int, int]]) -> State:
    states = {detail[1] for detail in details}
    for name in _ORDER:
        if name in states:
            return name
    return "kept"


def _parts(held: StoredMessage, original: Message, left: Message) -> tuple[tuple[str, State, int, int], ...]:
    """The parts that are not as they came. Parts keep their order, so what is missing was dropped."""
    rest = list(left.parts)
    found: list[tuple[str, State, int, int]] = []
    for number, part in enumerate(original.parts):
        id = part_id(held.node, number, len(original.parts))
        kin = next((at for at, other in enumerate(rest) if _akin(part, other)), None)
        if kin is None:
            found.append((id, "folded", len(part.text), 0))
            continue
        now = rest[kin]
        del rest[: kin + 1]
        if now.text != part.text or now.images != part.images:
            found.append((id, _shortened(now.text), len(part.text), len(now.text)))
    return tuple(found)


def _akin(part: Part, other: Part) -> bool:
    if part.kind in ("tool_call", "tool_result") or other.kind in ("tool_call", "tool_result"):
        return part.kind == other.kind and part.call_id == other.call_id
    return other.kind in (part.kind, "text")


def _shortened(text: str) -> State:
    if text.startswith(f"{MARK} archived result of"):
        return "stubbed"
    if f"{MARK} " in text and "left out here" in text:
        return "cut"
    return "marked" if MARK in text else "rewritten"


def _carry(compaction: StoredCompaction, session: Session) -> str:
    piece = next((piece for piece in compaction.pieces if piece.carry), None)
    if piece is None:
        return ""
    texts = [part.text for part in session.written(piece).parts if part.kind == "text"]
    return "\n".join(texts[: piece.carry])
