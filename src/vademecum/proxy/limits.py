"""Output limits: what may be asked for beside an input, so that both fit into the window (C-5)."""

from __future__ import annotations

from collections.abc import Mapping

from vademecum.core.budget import MINIMUM_REPLY
from vademecum.proxy.body import Asked
from vademecum.proxy.scan import Way
from vademecum.wire.values import at

#: Where a request says how much of its reply the model may think.
_THINKING = (("thinking", "budget_tokens"), ("generationConfig", "thinkingConfig", "thinkingBudget"))


def lowered(request: Asked, allowed: int | None) -> Mapping[Way, int]:
    """The limits of a request that have to be lowered; empty where all fit, or none is set.

    A reply of the shortest length is always asked for, and where the model thinks first, more than it may
    think: providers refuse a limit below that.

    Args:
        request: The request.
        allowed: The most that fits beside the input; None when no limit was asked for.
    """
    if allowed is None:
        return {}
    thinking = next((found for way in _THINKING if isinstance(found := at(request.outside, way), int)), 0)
    least = max(MINIMUM_REPLY, thinking + 1 if thinking > 0 else 0)
    most = max(allowed, least)
    return {way: most for way, value in request.limits.items() if value > most}
