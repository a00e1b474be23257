"""What breaking the provider's prompt cache costs, and when a compaction has paid for it (C-40)."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rates:
    """Price of a token relative to an uncached input token.

    The defaults are those of the providers that publish cache prices: reading a cached token costs a
    tenth, writing one a quarter more.
    """

    read: float = 0.1
    write: float = 1.25


@dataclass(frozen=True, slots=True)
class CacheBreak:
    """What a compaction costs and saves, in uncached input tokens.

    Attributes:
        unchanged_tokens: Tokens before the first change: they stay cached.
        rewritten_tokens: Tokens after it: they are written anew, once.
        cost_now: What the next request costs more than it would have.
        saving_per_request: What each later request costs less.
        pays_back_after: Requests until the saving has paid for the break; 0 when it pays at once, -1 never.
        expected_requests: Requests that are expected before the next compaction, by the average round so far.
        warm: Whether the provider still had the old context cached; a cold cache breaks at no cost.
    """

    unchanged_tokens: int
    rewritten_tokens: int
    cost_now: int
    saving_per_request: int
    pays_back_after: int
    expected_requests: int = 0
    warm: bool = True


def cache_break(
    before: int, after: int, unchanged: int, rates: Rates | None = None, *, warm: bool = True, expected: int = 0
) -> CacheBreak:
    """Prices a compaction.

    Args:
        before: Tokens of the context before.
        after: Tokens of the context after.
        unchanged: Tokens at its start that stay as they were.
        rates: Prices relative to uncached input.
        warm: Whether the provider still has the old context cached; a cold cache breaks at no cost.
        expected: Requests that are expected before the next compaction.
    """
    rates = rates or Rates()
    rewritten = max(0, after - unchanged)
    kept_price = rates.read if warm else rates.write
    would_have_cost = kept_price * before
    costs = kept_price * unchanged + rates.write * rewritten
    saving = rates.read * (before - after)
    extra = costs - would_have_cost
    requests = 0 if extra <= 0 else math.ceil(extra / saving) if saving > 0 else -1
    return CacheBreak(unchanged, rewritten, round(extra), round(saving), requests, expected, warm)
