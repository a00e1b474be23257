"""Applying: from a case, a draft and a carry to what will be sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vademecum.core.carry import Carry
from vademecum.core.case import Case
from vademecum.core.draft import Draft
from vademecum.core.edits import EMPTY, Edit
from vademecum.core.messages import Message, Wire
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
        answers: Whether it only answers calls that were left without a result.
    """

    wire: Wire
    indexes: tuple[int, ...] = ()
    carry: bool = False
    answers: bool = False


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
    thoughtless = _thoughtless(case, draft)
    out: list[Emitted] = []
    gone: list[int] = []
    for index in range(draft.fold, len(case.live)):
        message = _message(case, index, by_message.get(index, {}))
        if message is None:
            gone.append(index)
            continue
        if index in thoughtless:
            message = _freed(case, index, message)
        if gone and case.live[index].role != "system":
            out.extend(_gap(case, out, gone, message))
            gone = []
        out.append(message)
        out.extend(_answers(case, draft, index))
    return _joined(case, texts, _merged_answers(case, out))


def _message(case: Case, index: int, edits: Mapping[int, Edit]) -> Emitted | None:
    changes = {part: edit.text for part, edit in edits.items()}
    if not changes:
        return Kept(index) if case.live[index].parts else None
    wire = case.dialect.edited(case.live[index], changes)
    return None if wire is None else Written(wire, (index,))


def _thoughtless(case: Case, draft: Draft) -> frozenset[int]:
    """Messages of the model whose reasoning, a message of its own before them, leaves."""
    found: set[int] = set()
    leaves = False
    for index, message in enumerate(case.live):
        if message.only_reasoning:
            edits = [draft.edits.get((index, number)) for number in range(len(message.parts))]
            leaves = index < draft.fold or all(edit is not None and edit.text is None for edit in edits)
        elif message.role != "assistant":
            leaves = False
        elif leaves and index >= draft.fold:
            found.add(index)
    return frozenset(found)


def _freed(case: Case, index: int, message: Emitted) -> Emitted:
    read = _read(case, message)
    wire = case.dialect.freed(read)
    return message if wire is read.wire else Written(wire, (index,))


def _answers(case: Case, draft: Draft, index: int) -> list[Emitted]:
    """The results of a message's calls that did not come, or came too late to stand where they belong."""
    return [
        Written(wire, answers=True)
        for number, part in enumerate(case.live[index].parts)
        if (index, number) in draft.answers
        for wire in case.dialect.answers((part,), draft.answers[index, number])
    ]


def _gap(case: Case, out: list[Emitted], gone: list[int], after: Emitted) -> list[Emitted]:
    """What stands for messages of which nothing was left, where without them two neighbours would clash."""
    before = next((read for item in reversed(out) if (read := _read(case, item)).role != "system"), None)
    if before is None:
        return []
    between, following = [case.live[index] for index in gone], _read(case, after)
    if not _clash(case, [before, following]) or _clash(case, [before, *between, following]):
        return []
    make = case.dialect.user if following.role == "assistant" else case.dialect.said
    return [Written(make((EMPTY,)), (gone[-1],))]


def _clash(case: Case, messages: list[Message]) -> bool:
    """Whether the last message may not follow the one before it."""
    found = case.dialect.problems(messages)
    return any(problem.kind == "alternation" and problem.index == len(messages) - 1 for problem in found)


def _read(case: Case, item: Emitted) -> Message:
    return case.live[item.index] if isinstance(item, Kept) else case.dialect.load(item.wire, 0)


def _merged_answers(case: Case, out: list[Emitted]) -> list[Emitted]:
    """Answers that the format wants inside the user message that follows them move there."""
    merged: list[Emitted] = []
    for message in out:
        before = merged[-1] if merged else None
        if isinstance(before, Written) and before.answers:
            joined = case.dialect.joined_answers(before.wire, _read(case, message))
            if joined is not None:
                indexes = message.indexes if isinstance(message, Written) else (message.index,)
                merged[-1] = Written(joined, indexes, answers=isinstance(message, Written) and message.answers)
                continue
        merged.append(message)
    return merged


def _joined(case: Case, texts: tuple[str, ...], out: list[Emitted]) -> tuple[Emitted, ...]:
    """The carry goes first, but after system rows: between two messages of the user they would not part them."""
    at = next((number for number, item in enumerate(out) if _read(case, item).role != "system"), len(out))
    if at < len(out):
        first = out[at]
        loaded = _read(case, first)
        if loaded.role == "user":
            indexes = first.indexes if isinstance(first, Written) else (first.index,)
            joined = Written(case.dialect.prepended(texts, loaded), indexes, carry=True)
            return (*out[:at], joined, *out[at + 1 :])
    return (*out[:at], Written(case.dialect.user(texts), carry=True), *out[at:])
