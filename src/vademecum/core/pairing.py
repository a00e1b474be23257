"""Which result belongs to which call, and where a transcript may be cut.

Ids may be reused in later rounds and several calls may run in parallel, so a result belongs to the
latest call of its id that has none yet. A cut before message `i` is safe when no call before it has
its result at or after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vademecum.core.messages import Message

#: (message, part), both counted from 0.
Spot = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Pairing:
    """The pairs of a transcript.

    Attributes:
        result_of: Spot of a call → spot of its result.
        call_of: Spot of a result → spot of its call.
        open_calls: Calls that have no result.
        orphans: Results that have no call.
    """

    result_of: dict[Spot, Spot]
    call_of: dict[Spot, Spot]
    open_calls: tuple[Spot, ...]
    orphans: tuple[Spot, ...]


def pair(messages: Sequence[Message]) -> Pairing:
    """Pairs calls and results.

    A call whose id comes again before its result was seen stays without result: the later one is meant.
    Calls of one message that share an id, since their format has none, are answered in their order.
    """
    result_of: dict[Spot, Spot] = {}
    call_of: dict[Spot, Spot] = {}
    waiting: dict[str, list[Spot]] = {}
    orphans: list[Spot] = []
    for index, message in enumerate(messages):
        for number, part in enumerate(message.parts):
            spot = (index, number)
            if part.kind == "tool_call":
                waiting.setdefault(part.call_id, []).append(spot)
            elif part.kind == "tool_result":
                call = _answered(waiting, part.call_id)
                if call is not None:
                    result_of[call] = spot
                    call_of[spot] = call
                else:
                    orphans.append(spot)
    still_open = sorted(spot for calls in waiting.values() for spot in calls)
    return Pairing(result_of, call_of, tuple(still_open), tuple(orphans))


def _answered(waiting: dict[str, list[Spot]], call_id: str) -> Spot | None:
    """Takes the call that a result answers out of those that wait: the first one of the latest message."""
    lists = [calls for calls in waiting.values() if calls] if not call_id else [waiting.get(call_id) or []]
    latest = max((calls[-1][0] for calls in lists if calls), default=-1)
    first = min((spot for calls in lists for spot in reversed(calls) if spot[0] == latest), default=None)
    if first is not None:
        next(calls for calls in lists if first in calls).remove(first)
    return first


def safe_cuts(messages: Sequence[Message], pairing: Pairing) -> tuple[int, ...]:
    """Indexes at which the transcript may be cut, ascending, with 0 and `len(messages)`.

    No call is parted from its result; neither is a result that an assistant message asked for parted
    from that message's other results, since each of them holds the cut back until it is in. Reasoning that is
    a message of its own is not parted from what the model said and called next.
    """
    last_result: dict[int, int] = {}
    for (call, _), (result, _) in pairing.result_of.items():
        last_result[call] = max(result, last_result.get(call, 0))
    # An orphan belongs to whatever stands before it: a cut there would leave it at the head.
    orphaned = {index for index, _ in pairing.orphans}
    cuts: list[int] = []
    blocked_until = 0
    thinking = False
    for index in range(len(messages) + 1):
        said = index < len(messages) and messages[index].role == "assistant"
        thinking = said and index > 0 and (thinking or messages[index - 1].only_reasoning)
        if (index > blocked_until and index not in orphaned and not thinking) or index == 0:
            cuts.append(index)
        if index in last_result:
            blocked_until = max(blocked_until, last_result[index])
    return tuple(cuts)


def answered_before(messages: Sequence[Message]) -> int:
    """Index from which no assistant message follows: results at or after it are unanswered yet."""
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].role == "assistant":
            return index + 1
    return 0
