"""Reactions: what follows from an input, a limit and what was asked for (M-7)."""

from __future__ import annotations

from vademecum.models.errors.verdict import Kind

#: From this share of the limit on that is free beside the input, a shorter reply is enough.
FREE = 0.02


def too_large(kind: Kind, limit: int | None, observed: int | None, output: int | None) -> Kind:
    """Whether the reply has to shrink or the context, where input and reply are too much together.

    Args:
        kind: What the wording says.
        limit: The limit of both.
        observed: Tokens of the input.
        output: Tokens of output that were asked for; None where they are not named.
    """
    if limit is None or observed is None or (kind == "context_overflow" and output is None):
        return kind
    return "output_budget" if limit - observed >= FREE * limit else "context_overflow"


def room_for_reply(limit: int, observed: int, *, margin: int = 0) -> int:
    """Tokens that may be asked for beside an input.

    Args:
        limit: The limit of both.
        observed: Tokens of the input.
        margin: Tokens to leave free, for counts that are not exact.
    """
    return max(limit - observed - margin, 0)
