"""The meter: how big a context is, by category, and where the figure comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from vademecum.core.messages import Message, Part
from vademecum.core.tokens import MESSAGE_TOKENS, TokenCounter, estimate, image_tokens, part_texts

TokenOrigin = Literal["reported", "counted", "estimated"]
#: Categories in the order in which they are shown.
CATEGORIES = (
    "system", "tools", "user", "assistant", "tool_calls", "tool_results", "images", "reasoning", "opaque", "carry",
)  # fmt: skip
#: What a tokenizer of another family may miss, where nothing was learned yet.
UNKNOWN_RATIO = 1.25

_CARRY = "<vademecum:carry "


@dataclass(frozen=True, slots=True)
class Measured:
    """A token figure and its origin."""

    tokens: int
    origin: TokenOrigin


def estimated(messages: Sequence[Message]) -> int:
    """Tokens of messages by characters alone: what is cheap enough to do on every request."""
    return sum(
        MESSAGE_TOKENS + sum(image_tokens(part) + sum(map(estimate, part_texts(part))) for part in message.parts)
        for message in messages
    )


def confirmed(estimate: int, counted: int | None, trigger: int, ratio: float = UNKNOWN_RATIO) -> Measured:
    """The figure to compare with the trigger (C-12).

    An estimate above the trigger is confirmed by the tokenizer's count times the model family's ratio
    before a compaction is paid for; below the trigger, and without a tokenizer, the estimate stands.

    Args:
        estimate: Tokens by characters.
        counted: Tokens by the tokenizer, None without one.
        trigger: The acting trigger.
        ratio: Tokens of the model's own tokenizer for one of ours; 1.0 where they are the same.
    """
    if estimate <= trigger or counted is None:
        return Measured(estimate, "estimated")
    return Measured(round(counted * ratio), "counted")


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
