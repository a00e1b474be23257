"""Tier 0: a structured summary of the region by the active model, while it still sees the tool output."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from vademecum.core.carry.narrative import reports
from vademecum.core.case import Case
from vademecum.core.draft import Draft, least_carry
from vademecum.core.facts.names import names_in
from vademecum.core.grounding import Grounded, grounded, known_values, source_of
from vademecum.core.messages import Message
from vademecum.core.redacted import redacted_message
from vademecum.core.requests import Steps, Summarize, SummaryReply, Unavailable, count
from vademecum.core.summary_check import doubtful, refused

#: One that was cut off is asked for again: shorter, then shorter still and from shorter stretches.
_ATTEMPTS: tuple[tuple[int, int], ...] = ((1, 1), (2, 1), (2, 2))
#: A summary of a small section is asked for with at least so many tokens, and any with at least so many.
_SMALL, _LEAST = 800, 256
#: A summary must name this share of what the agent's own reports of the same length name, if they name so many.
_TELLING, _MANY = 0.34, 16


def summary(case: Case, draft: Draft) -> Steps[Draft]:
    """Folds the region behind the model's summary, if that passes its checks; else changes nothing."""
    if case.summarizer != "active":
        return draft.tried(case, "summary", "off")
    if draft.cut == 0:
        return draft.tried(case, "summary", "nothing")
    done = yield from summarized(case, draft, "active")
    if isinstance(done, str):
        return draft.tried(case, "summary", done)
    return done.tried(case, "summary", "helped")


def summarized(case: Case, draft: Draft, by: Literal["active", "local"]) -> Steps[Draft | str]:
    """The draft with a checked summary, or what went wrong. A truncated one is asked for again, shorter."""
    region = case.live[: draft.cut]
    replaced = sum(case.sizes[: draft.cut])
    room = _room(case, draft, replaced)
    outcome = "nothing"
    for shorter, stretches in _ATTEMPTS:
        # The limit is for the model's own output; what it writes is wanted well below that.
        ask = Summarize(by, region, case.narrative, case.focus, max_tokens=room // shorter, stretches=stretches)
        reply: SummaryReply | Unavailable = yield ask
        if isinstance(reply, Unavailable):
            return f"unavailable: {reply.reason}"
        (size,) = yield from count((reply.text,))
        reason = refused(reply, size, replaced) or doubtful(reply.text, region)
        if reason is None:
            checked = yield from _checked(case, draft, reply.text)
            return checked if isinstance(checked, str) else _told(draft, reply, checked)
        outcome = f"failed: {reason}"
        if reason != "truncated":
            break
    return outcome


def _room(case: Case, draft: Draft, replaced: int) -> int:
    """Tokens that a summary may have: where the story is a small part of the carry, no more than that."""
    room = min(least_carry(case), max(_LEAST, replaced // 2))
    if case.preset.carry.is_a_story:
        return room
    free = max(least_carry(case), case.room - sum(draft.sizes[draft.cut :]))
    return min(room, max(_SMALL, int(case.preset.carry.story_share * free)))


def _checked(case: Case, draft: Draft, text: str) -> Steps[Grounded | str]:
    """The summary as far as its source bears it out; or why nothing of it is used."""
    ledger = yield from known_values(case.positions[draft.cut])
    # Its author was given the same without secrets; what it read of them are their marks.
    messages: list[Message] = [redacted_message(message, case.redact) for message in (*case.live, *case.past)]
    found = grounded(text, source_of(messages, case.narrative, case.focus), ledger)
    if found.useless:
        return "failed: invented"
    if (yield from _says_less(case, draft, found.text)):
        return "failed: vague"
    return found


def _says_less(case: Case, draft: Draft, text: str) -> Steps[bool]:
    """Whether the agent's own reports would tell far more in the same room."""
    (size,) = yield from count((text,))
    told = yield from reports(case.positions[draft.cut], size)
    own = len(names_in("\n".join(line.split(" ", 2)[-1] for line in told.splitlines())))  # their ids are ours
    return own >= _MANY and len(names_in(text)) < _TELLING * own


def _told(draft: Draft, reply: SummaryReply, checked: Grounded) -> Draft:
    doubts = draft.doubts
    if checked.struck:
        shown = ", ".join(checked.struck[:5]) + (", …" if len(checked.struck) > 5 else "")
        doubts = (*doubts, f"summary: what has no ground in the source was struck, {len(checked.struck)}: {shown}")
    return replace(
        draft,
        fold=draft.cut,
        narrative=checked.text,
        extractive=False,
        summary_model=reply.model,
        coverage=(reply.covered, draft.cut),
        doubts=doubts,
    )
