"""What the strictest consumer of OpenAI chat rows refuses: providers and chat templates together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vademecum.core.dialect import Problem
from vademecum.core.messages import Message
from vademecum.wire.text_problems import null_results, text_problems


def problems(messages: Sequence[Message]) -> tuple[Problem, ...]:
    """Problems in message order; the list's own (no user message) come last."""
    found = [*_pairs(messages), *text_problems(messages), *null_results(messages), *_order(messages)]
    found.sort(key=lambda problem: problem.index)
    if not any(message.role == "user" for message in messages):
        found.append(Problem(-1, "no_user"))
    return tuple(found)


def _pairs(messages: Sequence[Message]) -> Iterator[Problem]:
    """Results must follow at once after the message that calls for them; the whole batch of them."""
    waiting: dict[str, int] = {}
    caller = -1
    for index, message in enumerate(messages):
        if message.role == "tool":
            for part in message.results():
                if part.call_id not in waiting:
                    yield Problem(index, "orphan_result", part.call_id)
                waiting.pop(part.call_id, None)
            continue
        for call_id in waiting:
            yield Problem(caller, "open_call", call_id)
        waiting = {part.call_id: index for part in message.calls()}
        caller = index
    # Calls that only results follow may still be running: the caller's request is not complete yet.


def _order(messages: Sequence[Message]) -> Iterator[Problem]:
    """Chat templates count only what is not a tool row: users and assistants take turns in it.

    An assistant message after tool rows continues the same turn, whatever stood before them.
    """
    previous = ""
    after_tool = False
    spoken = False
    for index, message in enumerate(messages):
        if message.role == "tool":
            after_tool = True
            continue
        if message.role == "system":
            if spoken:
                yield Problem(index, "late_system")
            continue
        spoken = True
        if message.role == previous and not (message.role == "assistant" and after_tool):
            yield Problem(index, "alternation", message.role)
        previous, after_tool = message.role, False
