"""What a compacted context is made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from vademecum.bench.passages import where_of
from vademecum.core.messages import Message
from vademecum.core.tokens import MESSAGE_TOKENS, TokenCounter

#: In the order of tables; what a compaction wrote stands in messages of the harness.
CATEGORIES = ("system", "user", "harness", "assistant", "reasoning", "call", "result", "other")
#: Everything else is the text floor: what policies that only drop calls and results never get below.
_TOOLS = ("call", "result")


def floor_of(messages: Sequence[Message], counter: TokenCounter) -> dict[str, int]:
    """Tokens by category, and those that are text.

    Args:
        messages: The context.
        counter: Counts tokens.
    """
    found: dict[str, int] = defaultdict(int)
    for message in messages:
        sizes = counter.parts(message)
        places = [where_of(message, part) for part in message.parts]
        for place, size in zip(places, sizes, strict=True):
            found[place] += size
        found[places[0] if places else "other"] += MESSAGE_TOKENS
    text = sum(size for place, size in found.items() if place not in _TOOLS)
    return {**{place: found[place] for place in CATEGORIES}, "text_floor": text}
