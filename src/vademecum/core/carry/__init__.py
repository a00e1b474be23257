"""The carry: one bounded message that stands for everything that left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vademecum.core.carry.actions import actions
from vademecum.core.carry.instructions import instructions
from vademecum.core.carry.ledger import ledger
from vademecum.core.carry.narrative import narrative
from vademecum.core.carry.pending import pending_requests
from vademecum.core.carry.pins import carried_pins, pin_section
from vademecum.core.carry.reattach import reattach, reattach_budget
from vademecum.core.carry.recovery import recovery
from vademecum.core.carry.scope import Scope
from vademecum.core.carry.user_messages import constraints, user_messages
from vademecum.core.carry.wording import CLOSE, FRAME, HEADINGS, OPEN, REQUEST, named
from vademecum.core.case import Case
from vademecum.core.draft import Draft
from vademecum.core.requests import Steps, count

Section = Callable[[Scope, int], Steps[str]]

#: What a section may take of the tokens that the ones before left over, however small its share is.
_LEAST_FLOW = 200
#: What the user's rules may take however small the carry is: one that is gone after the tenth compaction was no rule.
_LEAST_RULES = 120

SECTIONS: dict[str, Section] = {
    "instructions": instructions,
    "constraints": constraints,
    "user_messages": user_messages,
    "narrative": narrative,
    "actions": actions,
    "ledger": ledger,
    "recovery": recovery,
}


@dataclass(frozen=True, slots=True)
class Carry:
    """What stands for what left.

    Attributes:
        text: The reference material, framed.
        requests: The user's words that are still to be answered, each verbatim, oldest first.
        sections: Tokens of each section that has something to say.
        shortened: Ids of the requests that had to be cut to fit the window.
        pins: Ids of the pins that stand in it; the others stand in messages that stay.
    """

    text: str
    requests: tuple[str, ...] = ()
    sections: tuple[tuple[str, int], ...] = ()
    shortened: frozenset[str] = frozenset()
    pins: tuple[str, ...] = ()


def write_carry(case: Case, draft: Draft, budget: int) -> Steps[Carry]:
    """Writes the carry within a budget of tokens; only pins and the user's open requests may exceed it.

    Pins and what is re-attached come first. The other sections are filled in the preset's order, each with its
    share and as much again of what the ones before left over; the last takes all that is left. A section without
    a share is not written: the policy does without it.
    """
    until = case.positions[draft.fold]
    pending = yield from pending_requests(case, draft, until, budget // 4)
    requests = pending.facts
    scope = Scope(case, draft, until, _archived(case, draft), tuple(request.id for request in requests))
    frame = _assembled(case, {}, bool(requests))
    (used,) = yield from count((frame,))
    left = budget - used - sum((yield from count(tuple(request.text for request in requests))))
    total = max(left, 0)
    pins = carried_pins(case, draft, [request.text for request in requests])
    texts = {"pins": case.redact(pin_section(pins))}
    texts["reattach"] = case.redact((yield from reattach(scope, min(reattach_budget(case), total // 2))))
    counts = yield from count(tuple(texts.values()))
    sizes = [(name, size) for name, size in zip(texts, counts, strict=True) if size]
    total -= counts[1]
    scope = scope.after("\n".join(texts.values()))
    spare = 0
    last = case.preset.carry.shares[-1][0]
    heads = yield from _head_sizes()
    for name, share in case.preset.carry.shares:
        own = int(share * total)
        allowed = own + (spare if name == last else min(spare, max(own, _LEAST_FLOW)))
        allowed -= heads[name]
        if name == "constraints":
            allowed = max(allowed, _LEAST_RULES)
        # A pointer there must be, and a summary that was accepted stands for what left.
        needed = name == "recovery" or (name == "narrative" and bool(draft.narrative))
        if not share or (allowed <= 0 and not needed):
            continue
        text = case.redact((yield from SECTIONS[name](scope, allowed)))
        (size,) = yield from count((text,))
        spare = max(0, own + spare - size)
        if text:
            spare = max(0, spare - heads[name])
            texts[name] = text
            sizes.append((name, size))
            scope = scope.after(text)
    return Carry(
        _assembled(case, texts, bool(requests)),
        tuple(request.text for request in requests),
        tuple(sizes),
        pending.shortened,
        tuple(dict.fromkeys(pin.id for pin in pins)),
    )


def _head_sizes() -> Steps[dict[str, int]]:
    """Tokens of each section's heading, with the empty line after the section."""
    sizes = yield from count(tuple(f"{heading}\n\n" for _, heading in HEADINGS))
    return {name: size for (name, _), size in zip(HEADINGS, sizes, strict=True)}


def _archived(case: Case, draft: Draft) -> int:
    """Position before which the table of contents must reach: parts that went without a word have no id else."""
    silent = [index for (index, _), edit in draft.edits.items() if edit.kind == "drop" and index >= draft.fold]
    return case.positions[max([draft.fold, *(index + 1 for index in silent)])]


def _assembled(case: Case, texts: dict[str, str], has_request: bool) -> str:
    pieces = [OPEN.format(session=named(case.session), cycle=case.cycle), FRAME]
    for name, heading in HEADINGS:
        if texts.get(name):
            pieces.append(f"{heading}\n{texts[name]}\n")
    if has_request:
        pieces.append(REQUEST)
    pieces.append(CLOSE)
    return "\n".join(pieces)
