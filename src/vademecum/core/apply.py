"""Applying: from a case, a draft and a carry to what will be sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vademecum.core.carry import Carry
from vademecum.core.case import Case
from vademecum.core.draft import Draft
from vademecum.core.edits import NO_RESULT, Edit
from vademecum.core.messages import Part, Wire
from vademecum.core.text import clean


@dataclass(frozen=True, slots=True)
class Kept:
    """A live message that goes out as it came."""

    index: int


@dataclass(frozen=True, slots=True)
class Written:
    """A message that was made or changed.

    Attributes:
        wire: The new wire object.
        indexes: The live messages that it stands for; empty for the carry alone.
        carry: Whether it holds the carry.
    """

    wire: Wire
    indexes: tuple[int, ...] = ()
    carry: bool = False


Emitted = Kept | Written


def emitted(case: Case, draft: Draft, carry: Carry) -> tuple[Emitted, ...]:
    """The messages after the head, in order: the carry, then what stays of the live messages.

    The carry and a user's text that follows it become parts of one message, so that no two user
    messages meet that did not meet before.
    """
    texts = (clean(carry.text), *(clean(text) for text in carry.requests))
    by_message: dict[int, dict[int, Edit]] = {}
    for (index, part), edit in draft.edits.items():
        by_message.setdefault(index, {})[part] = edit
    out: list[Emitted] = []
    pending: list[Part] = []
    for index in range(draft.fold, len(case.live)):
        edits = by_message.get(index, {})
        if pending:
            out.extend(_answers(case, index, pending))
            pending = []
        message = _message(case, index, edits)
        pending = [case.live[index].parts[part] for part, edit in sorted(edits.items()) if edit.kind == "answer"]
        if message is not None:
            out.append(message)
    if pending:
        out.extend(Written(wire) for wire in case.dialect.answers(pending, NO_RESULT))
    return _joined(case, texts, _merged_answers(case, out))


def _message(case: Case, index: int, edits: Mapping[int, Edit]) -> Emitted | None:
    changes = {part: edit.text for part, edit in edits.items() if edit.kind != "answer"}
    if not changes:
        return Kept(index) if case.live[index].parts else None
    wire = case.dialect.edited(case.live[index], changes)
    return None if wire is None else Written(wire, (index,))


def _answers(case: Case, index: int, pending: list[Part]) -> list[Emitted]:
    return [Written(wire, (-1, index)) for wire in case.dialect.answers(pending, NO_RESULT)]


def _merged_answers(case: Case, out: list[Emitted]) -> list[Emitted]:
    """Answers that the format wants inside the user message that follows them move there."""
    merged: list[Emitted] = []
    for message in out:
        before = merged[-1] if merged else None
        if isinstance(before, Written) and before.indexes[:1] == (-1,):
            merged[-1] = Written(before.wire)
            wire = message.wire if isinstance(message, Written) else case.live[message.index].wire
            loaded = case.dialect.load(wire, 0)
            joined = None
            if loaded.role in ("user", "tool"):
                answered = case.dialect.load(before.wire, 0).results()
                joined = case.dialect.joined_answers(answered, NO_RESULT, loaded)
            if joined is not None:
                indexes = message.indexes if isinstance(message, Written) else (message.index,)
                merged[-1] = Written(joined, indexes)
                continue
        merged.append(message)
    return merged


def _joined(case: Case, texts: tuple[str, ...], out: list[Emitted]) -> tuple[Emitted, ...]:
    if out:
        first = out[0]
        wire = first.wire if isinstance(first, Written) else case.live[first.index].wire
        loaded = case.dialect.load(wire, 0)
        if loaded.role == "user":
            indexes = first.indexes if isinstance(first, Written) else (first.index,)
            joined = Written(case.dialect.prepended(texts, loaded), indexes, carry=True)
            return (joined, *out[1:])
    return (Written(case.dialect.user(texts), carry=True), *out)
