"""Riding the prefix (C-15): whether a summary is asked for at the end of what the model has read, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from vademecum.core.messages import Message, Wire
from vademecum.core.requests import Summarize
from vademecum.core.standing import Prices, Standing, Way, ride_cost, room_to_ride
from vademecum.errors import BadRequest, ContextOverflow
from vademecum.models.catalog import undated
from vademecum.models.known import Known
from vademecum.models.model import Model, Reply, Ride, Rider

#: Formats whose templates want user and assistant by turns: a question of the user's that nobody has answered yet
#: stays out, so that the instruction takes its place. It is not in the cache either.
_BY_TURNS = frozenset({"openai-chat", "ollama"})


@dataclass(frozen=True, slots=True)
class Separate:
    """What separate requests come to.

    Attributes:
        read: Tokens that they read, by our count.
        wrote: Tokens that they write at most.
    """

    read: int
    wrote: int


def window_for(model: Model, ask: Summarize) -> int:
    """The model's window; where it is the one that the request is for, no more than is known of that by now."""
    standing = ask.standing
    return min(model.window, standing.window) if standing is not None and is_own(model, standing) else model.window


def is_own(model: Model, standing: Standing) -> bool:
    """Whether a request is for this model, by names without provider, endpoint and day."""
    return bool(standing.model) and _bare(standing.model) == _bare(model.name)


def chosen_way(model: Model, ask: Summarize, instruction: int, separate: Separate) -> Way:
    """The way that is open and cheaper.

    Args:
        model: The model.
        ask: What is asked for.
        instruction: Tokens of the instruction that would ride.
        separate: What the other way comes to.
    """
    prices, standing = prices_of(model), ask.standing
    ratio = 1.0 if standing is None else standing.ratio
    apart = prices.of(ratio * separate.read, 0, separate.wrote)
    obstacle = _obstacle(model, ask, instruction)
    if obstacle or standing is None:
        return Way("separate", obstacle, None, apart, prices.unit)
    riding = ride_cost(standing, prices, instruction, ask.max_tokens)
    cached = f"{standing.cached:.0%} of the request is cached"
    if riding <= apart:
        return Way("ride", f"cheaper: {cached}", riding, apart, prices.unit)
    return Way("separate", f"cheaper: {cached}", riding, apart, prices.unit)


def ridden(model: Model, ask: Summarize, way: Way, instruction: str, paid: list[Reply]) -> tuple[Reply | None, Way]:
    """The reply at the end of the request as it stands; None where a separate request may do better.

    Raises:
        ModelError: The model does not answer now, however it is asked.
    """
    standing = ask.standing
    assert standing is not None  # noqa: S101  # nothing rides on nothing
    ride = Ride(standing.system, standing.tools, _sent(standing), instruction, ask.max_tokens)
    try:
        reply = cast("Rider", model).ride(ride)
    except (ContextOverflow, BadRequest) as error:
        return None, replace(way, outcome=type(error).__name__)
    paid.append(reply)
    blank = reply.finish == "stop" and not reply.text.strip()
    way = replace(way, outcome="empty" if blank else reply.finish)
    # It has the agent's tools at hand, and may want to go on with the task.
    return (reply if way.outcome in ("stop", "length") else None), way


def prices_of(model: Model) -> Prices:
    """The prices of a model, from the catalog where that has them."""
    known = cast("Known | None", getattr(model, "known", None))
    if known is None or not known.input_usd or known.output_usd is None:
        return Prices()
    cached = known.input_usd if known.cache_read_usd is None else known.cache_read_usd
    return Prices(known.input_usd, known.output_usd, cached, "usd")


def _obstacle(model: Model, ask: Summarize, instruction: int) -> str:
    standing = ask.standing
    if standing is None:
        return "the request as it stands is not known"
    if standing.obstacle:
        return standing.obstacle
    if ask.stretches > 1:
        return "it is wanted from shorter stretches"
    if not hasattr(model, "ride") or getattr(model, "format", "") != standing.format:
        return "the model is not asked in the format of the request"
    if not is_own(model, standing):
        return f"the request is not known to be one of {model.name}"
    window = window_for(model, ask)
    if not room_to_ride(standing, window, instruction, ask.max_tokens):
        return f"request, instruction and summary do not fit the window of {window:,} tokens together"
    return ""


def _bare(name: str) -> str:
    return undated(name.rpartition("#")[2].rpartition(":")[2])


def _sent(standing: Standing) -> tuple[Wire, ...]:
    messages: Sequence[Message] = standing.messages
    while standing.format in _BY_TURNS and messages and _asks(messages[-1]):
        messages = messages[:-1]
    return tuple(message.wire for message in messages)


def _asks(message: Message) -> bool:
    return message.role == "user" and all(part.kind != "tool_result" for part in message.parts)
