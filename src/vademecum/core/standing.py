"""Riding the prefix (C-15): the request as it stands, and whether a summary is cheaper at its end or by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vademecum.core.messages import Message

#: Tokens left free for what counting misses, as a share of the window.
_MARGIN = 0.02


@dataclass(frozen=True, slots=True)
class Standing:
    """The request that the agent's model has read last, with what came since.

    Attributes:
        format: Its wire format.
        model: The model that it is sent to; empty where none is named.
        system: The system text where it stands beside the messages.
        tools: The tools.
        messages: The messages as they are sent.
        tokens: Its size, as the model reads it.
        window: The model's window, as far as it is known by now.
        ratio: Tokens of the model's for one that is counted here.
        cached: The share of it that its provider has in its cache, as far as that is known.
        obstacle: Why nothing may ride on it; empty where it may.
    """

    format: str
    model: str
    system: object
    tools: object
    messages: tuple[Message, ...]
    tokens: int
    window: int
    ratio: float = 1.0
    cached: float = 0.0
    obstacle: str = ""


@dataclass(frozen=True, slots=True)
class Prices:
    """What tokens cost: in USD for a million where that is known, else relative to one of the input.

    Attributes:
        input: One that is read.
        output: One that is written.
        cached: One that is read from the provider's cache.
        unit: `usd`, or `input_tokens`.
    """

    input: float = 1.0
    output: float = 5.0
    cached: float = 0.1
    unit: Literal["usd", "input_tokens"] = "input_tokens"

    def of(self, fresh: float, cached: float, output: float) -> float:
        """What so many tokens cost, in USD or in input tokens."""
        total = fresh * self.input + cached * self.cached + output * self.output
        return round(total / 1_000_000, 6) if self.unit == "usd" else round(total)


@dataclass(frozen=True, slots=True)
class Way:
    """How a summary was asked for, and what both ways were reckoned to cost.

    Attributes:
        way: `ride` at the end of the request as it stands, or `separate`.
        why: The reason, in words.
        ride: What riding costs at most; None where nothing can ride.
        separate: What separate requests cost at most.
        unit: What both are in: `usd`, or tokens of uncached input.
        outcome: `stop` where the model wrote to the end; else how it ended, or the error.
    """

    way: Literal["ride", "separate"]
    why: str
    ride: float | None
    separate: float
    unit: Literal["usd", "input_tokens"] = "input_tokens"
    outcome: str = "stop"


def ride_cost(standing: Standing, prices: Prices, instruction: int, output: int) -> float:
    """What riding costs: what is cached of the request, the rest of it, the instruction and the summary."""
    cached = standing.cached * standing.tokens
    return prices.of(standing.tokens - cached + instruction, cached, output)


def room_to_ride(standing: Standing, window: int, instruction: int, output: int) -> bool:
    """Whether request, instruction and summary fit the window together."""
    return standing.tokens + instruction + output + int(_MARGIN * window) <= window
