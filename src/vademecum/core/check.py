"""The check before a plan is believed: nothing is sent that breaks one of the promises."""

from __future__ import annotations

from vademecum.core.apply import Kept
from vademecum.core.carry import Carry
from vademecum.core.carry.pins import standing
from vademecum.core.case import Case
from vademecum.core.dialect import Problem
from vademecum.core.draft import Draft
from vademecum.core.pins import Pin
from vademecum.core.shape import Shape
from vademecum.core.text import clean

#: Between two messages of the caller these are the caller's own affair.
_CALLERS_OWN = ("alternation", "late_result")


def violations(case: Case, draft: Draft, carry: Carry, shape: Shape) -> tuple[str, ...]:
    """What a plan would break, in words; empty for a sound one."""
    found = [
        f"{problem.kind} at emitted message {problem.index} {problem.detail}".rstrip()
        for problem in case.dialect.problems(shape.messages)
        if _ours(shape, problem)
    ]
    if not _newest_user_text_stays(case, draft, carry, shape):
        found.append("the newest user message is not there word for word")
    missing = [pin.id for pin in case.pins if not _pin_stays(case, draft, carry, pin)]
    if missing:
        found.append(f"pinned text is not there word for word: {', '.join(missing)}")
    return tuple(found)


def _pin_stays(case: Case, draft: Draft, carry: Carry, pin: Pin) -> bool:
    if standing(case, draft, pin) or pin.id in carry.pins:
        return True
    return any(pin.text.strip() in request for request in carry.requests)


def _ours(shape: Shape, problem: Problem) -> bool:
    """Whether the compaction made the problem."""
    if problem.index < 0:
        return True
    if problem.kind == "open_call" and problem.index == len(shape.messages) - 1:
        return False
    if problem.kind == "late_system":  # no compaction writes system rows
        return False
    if problem.kind not in _CALLERS_OWN:
        # Signed reasoning is not ours to change, whatever is in it.
        return not (problem.kind == "unclean" and problem.detail in ("reasoning", "opaque"))
    around = shape.emitted[max(0, problem.index - 1) : problem.index + 1]
    # A changed message stands where it stood, so only what was made anew can meet a neighbour it never met.
    return any(not isinstance(item, Kept) and not item.indexes for item in around)


def _newest_user_text_stays(case: Case, draft: Draft, carry: Carry, shape: Shape) -> bool:
    if case.newest_typed < 0:
        return True
    message = case.live[case.newest_typed]
    wanted = [
        (clean(part.text), clean(case.redact(part.text)))
        for number, part in enumerate(message.parts)
        # It was cut because it alone exceeds the window, or cleaned of what no consumer takes.
        if part.typed
        and draft.edits.get((case.newest_typed, number)) is None
        and case.id_of(case.newest_typed, number) not in carry.shortened
    ]
    there = {part.text for sent in shape.messages if sent.role in ("user", "tool") for part in sent.parts}
    if case.newest_typed >= draft.fold:
        return all(text in there for text, _ in wanted)
    return all(any(text.strip() in sent for sent in there) for _, text in wanted)
