"""What a context that was sent is judged by, apart from the product's own checks."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.core.dialect import Dialect, Problem
from vademecum.core.messages import Message
from vademecum.core.text import clean

CARRY = "<vademecum:carry "
#: What no compaction writes, and what is a caller's own affair between two of its messages.
_NEVER_OURS = ("late_system",)
_BETWEEN_TWO = ("alternation", "late_result")


def ours(dialect: Dialect, sent: Sequence[Message], raw: Sequence[Message]) -> list[str]:
    """Problems of what was sent that the caller's own messages do not have."""
    found = dialect.problems(sent)
    if not found:
        return []
    had = {_key(problem, raw) for problem in dialect.problems(raw)}
    return [
        f"{problem.kind} at {problem.index} of {len(sent)}: {problem.detail[:60]}"
        for problem in found
        if _key(problem, sent) not in had and not _callers_own(problem, sent)
    ]


def _key(problem: Problem, messages: Sequence[Message]) -> tuple[str, bytes, str]:
    identity = messages[problem.index].identity if problem.index >= 0 else b""
    return problem.kind, identity, problem.detail


def _callers_own(problem: Problem, sent: Sequence[Message]) -> bool:
    if problem.kind in _NEVER_OURS:
        return True
    if problem.kind == "open_call" and problem.index == len(sent) - 1:
        return True
    if problem.kind not in _BETWEEN_TWO:
        return False
    pair = sent[max(0, problem.index - 1) : problem.index + 1]
    return not any(carry_alone(message) for message in pair)


def carry_alone(message: Message) -> bool:
    """Whether a message is a carry that no message of the caller was joined to."""
    return is_carry(message) and all(part.kind == "text" for part in message.parts) and len(message.parts) == 1


def is_carry(message: Message) -> bool:
    """Whether a message holds the carry."""
    return any(part.kind == "text" and part.text.startswith(CARRY) for part in message.parts)


def sent_texts(sent: Sequence[Message], wanted: Sequence[str]) -> bool:
    """Whether each of these texts is there word for word."""
    there = [part.text for message in sent if message.role in ("user", "tool") for part in message.parts]
    return all(any(text in held or clean(text).strip() in held for held in there) for text in wanted)
