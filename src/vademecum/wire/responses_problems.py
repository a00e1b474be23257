"""What the strictest consumer of responses items refuses: the provider, and chat templates behind local servers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vademecum.core.dialect import Problem
from vademecum.core.messages import Message
from vademecum.wire.text_problems import text_problems

#: What a reasoning item without the item that it led to is reported as.
LOOSE = "reasoning without its following item"


def problems(messages: Sequence[Message]) -> tuple[Problem, ...]:
    """Problems in item order; the list's own (no user message) come last."""
    found = [*_pairs(messages), *_reasoning(messages), *text_problems(messages), *_order(messages)]
    found.sort(key=lambda problem: problem.index)
    if not any(message.role == "user" for message in messages):
        found.append(Problem(-1, "no_user"))
    return tuple(found)


def _pairs(messages: Sequence[Message]) -> Iterator[Problem]:
    """All outputs of a run of the model's items come before anything else is said; calls may stand among them."""
    waiting: dict[str, int] = {}
    after_output = False
    for index, message in enumerate(messages):
        if message.role == "tool":
            for part in message.results():
                if part.call_id not in waiting:
                    yield Problem(index, "orphan_result", part.call_id)
                waiting.pop(part.call_id, None)
            after_output = True
            continue
        more_calls = message.role == "assistant" and all(part.kind == "tool_call" for part in message.parts)
        if message.role != "assistant" or (after_output and not more_calls):
            for call_id, caller in waiting.items():
                yield Problem(caller, "open_call", call_id)
            waiting = {}
        after_output = after_output and more_calls and bool(waiting)
        # What the provider ran itself has its result in the same item.
        answered = {part.call_id for part in message.results()}
        waiting.update({part.call_id: index for part in message.calls() if part.call_id not in answered})
    # Calls that only outputs follow may still be running: the caller's request is not complete yet.


def _reasoning(messages: Sequence[Message]) -> Iterator[Problem]:
    for index, message in enumerate(messages):
        if not message.only_reasoning:
            continue
        after = messages[index + 1] if index + 1 < len(messages) else None
        if after is None or after.role != "assistant":
            yield Problem(index, "open_call", LOOSE)


def _order(messages: Sequence[Message]) -> Iterator[Problem]:
    """The items of the model are one turn; two messages of the user must not meet in a template."""
    previous = ""
    for index, message in enumerate(messages):
        if message.role == "system":
            if previous:
                yield Problem(index, "late_system")
            continue
        if message.role == "user" and previous == "user":
            yield Problem(index, "alternation", "user")
        previous = message.role
