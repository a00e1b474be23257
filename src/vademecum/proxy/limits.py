"""Output limits: what may be asked for beside an input, so that both fit into the window (C-5)."""

from __future__ import annotations

from collections.abc import Mapping

from vademecum.core.budget import MINIMUM_REPLY
from vademecum.proxy.body import Asked
from vademecum.wire.values import mapping


def lowered(request: Asked, allowed: int | None) -> Mapping[str, int]:
    """The limits of a request that have to be lowered; empty where all fit, or none is set.

    A reply of the shortest length is always asked for, and where the model thinks first, more than it may
    think: providers refuse a limit below that.

    Args:
        request: The request.
        allowed: The most that fits beside the input; None when no limit was asked for.
    """
    if allowed is None:
        return {}
    thinking = (mapping(request.outside.get("thinking")) or {}).get("budget_tokens")
    least = max(MINIMUM_REPLY, thinking + 1 if isinstance(thinking, int) else 0)
    most = max(allowed, least)
    return {key: most for key, value in request.limits.items() if value > most}
