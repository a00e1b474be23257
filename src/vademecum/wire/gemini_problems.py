"""What the strictest consumer of Gemini contents refuses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vademecum.core.dialect import Problem
from vademecum.core.messages import Message
from vademecum.wire.text_problems import text_problems


def problems(messages: Sequence[Message]) -> tuple[Problem, ...]:
    """Problems in order; the list's own (no user content) come last."""
    found = [*_pairs(messages), *text_problems(messages), *_order(messages)]
    found.sort(key=lambda problem: problem.index)
    if not any(message.role in ("user", "tool") for message in messages):
        found.append(Problem(-1, "no_user"))
    return tuple(found)


def _pairs(messages: Sequence[Message]) -> Iterator[Problem]:
    """The content after a model's one answers each of its calls once, at its head."""
    for index, message in enumerate(messages):
        waiting = [part.call_id for part in messages[index - 1].calls()] if index else []
        answered: set[str] = set()
        for part in message.results():
            if part.call_id in waiting:
                waiting.remove(part.call_id)
                answered.add(part.call_id)
            else:
                # A repeat is no result that came late: the first one stands where it belongs.
                yield Problem(index, "orphan_result", "repeated" if part.call_id in answered else part.call_id)
        # At the very end, calls may still be running beside those that have their results.
        running = index == len(messages) - 1 and message.role == "tool"
        for call_id in () if running else waiting:
            yield Problem(index - 1, "open_call", call_id)
        kinds = [part.kind == "tool_result" for part in sorted(message.parts, key=lambda part: part.place[:2])]
        if kinds != sorted(kinds, reverse=True):
            yield Problem(index, "late_result")


def _order(messages: Sequence[Message]) -> Iterator[Problem]:
    """User and model take turns, the user first; responses are the user's."""
    previous = ""
    for index, message in enumerate(messages):
        role = "user" if message.role == "tool" else message.role
        if role == previous:
            yield Problem(index, "alternation", role)
        if not previous and role == "assistant":
            yield Problem(index, "alternation", "the first content is not the user's")
        previous = role
