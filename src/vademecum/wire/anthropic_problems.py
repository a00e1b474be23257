"""What the strictest consumer of Anthropic messages refuses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vademecum.core.dialect import Problem
from vademecum.core.messages import Message
from vademecum.wire.text_problems import text_problems


def problems(messages: Sequence[Message]) -> tuple[Problem, ...]:
    """Problems in message order; the list's own (no user message) come last."""
    found = [*_pairs(messages), *text_problems(messages), *_order(messages)]
    found.sort(key=lambda problem: problem.index)
    if not any(message.role in ("user", "tool") for message in messages):
        found.append(Problem(-1, "no_user"))
    return tuple(found)


def _pairs(messages: Sequence[Message]) -> Iterator[Problem]:
    """All results of a message's calls stand at the head of the next message, and nothing else does."""
    for index, message in enumerate(messages):
        calls = {part.call_id for part in messages[index - 1].calls()} if index else set[str]()
        results = [part.call_id for part in message.results()]
        for call_id in results:
            if call_id not in calls:
                yield Problem(index, "orphan_result", call_id)
        # At the very end, calls may still be running beside those that have their results.
        running = index == len(messages) - 1 and message.role == "tool"
        for call_id in set[str]() if running else calls.difference(results):
            yield Problem(index - 1, "open_call", call_id)
        kinds = [part.kind == "tool_result" for part in message.parts]
        if kinds != sorted(kinds, reverse=True):
            yield Problem(index, "late_result")


def _order(messages: Sequence[Message]) -> Iterator[Problem]:
    previous = ""
    for index, message in enumerate(messages):
        if message.role == "system":
            if previous:
                yield Problem(index, "late_system")
            continue
        role = "user" if message.role == "tool" else message.role
        if role == previous:
            yield Problem(index, "alternation", role)
        if not previous and role == "assistant":
            yield Problem(index, "alternation", "the first message is not the user's")
        previous = role
