"""The meter: how big a context is, by category, and where the figure comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from vademecum.core.messages import Message, Part
from vademecum.core.scale import OWN_SCALE, Scale
from vademecum.core.tokens import MESSAGE_TOKENS, TokenCounter, image_tokens, part_texts

TokenOrigin = Literal["reported", "counted", "estimated"]
#: Categories in the order in which they are shown.
CATEGORIES = (
    "system", "tools", "user", "assistant", "tool_calls", "tool_results", "images", "reasoning", "opaque", "carry",
)  # fmt: skip

_CARRY = "<vademecum:carry "


@dataclass(frozen=True, slots=True)
class Measured:
    """The size of a context.

    Attributes:
        tokens: As the model reads it; what is compared with the trigger (C-9, C-12).
        origin: `reported` by the provider, with what came since; `counted` by the model's own vocabulary; `estimated`
            from a count by another one, or from characters.
        counted: Our own count of the same context.
        scale: Between the two.
    """

    tokens: int
    origin: TokenOrigin
    counted: int
    scale: Scale = OWN_SCALE


#: The size of nothing.
EMPTY = Measured(0, "counted", 0)


def categories(
    messages: Sequence[Message], counter: TokenCounter, outside: tuple[int, int] = (0, 0)
) -> dict[str, int]:
    """Tokens by category; they add up to the size of the context.

    Args:
        messages: The context.
        counter: What counts.
        outside: Tokens of the system text and of the tools that stand outside the messages.
    """
    found: dict[str, int] = dict.fromkeys(CATEGORIES, 0)
    found["system"], found["tools"] = outside
    texts = [text for message in messages for part in message.parts for text in part_texts(part)]
    counts = iter(counter.texts(texts))
    for message in messages:
        found[_speaker(message)] += MESSAGE_TOKENS
        for part in message.parts:
            found[_category(message, part)] += sum(next(counts) for _ in part_texts(part))
            found["images"] += image_tokens(part)
    return found


def _speaker(message: Message) -> str:
    return "tool_results" if message.role == "tool" else message.role


def _category(message: Message, part: Part) -> str:
    match part.kind:
        case "tool_call":
            return "tool_calls"
        case "tool_result":
            return "tool_results"
        case "reasoning" | "opaque":
            return part.kind
        case "image" | "document":
            return "images"
        case "text":
            if message.role != "assistant" and part.text.startswith(_CARRY):
                return "carry"
            return _speaker(message)
