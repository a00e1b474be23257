"""Times as logs write them."""

from __future__ import annotations

import math
from datetime import UTC, datetime

#: Above this a number counts milliseconds (it is the year 5138 in seconds).
_MILLISECONDS = 1e11


def seconds(value: object) -> float | None:
    """Seconds since the epoch from an ISO text or a number of seconds or milliseconds; None for anything else."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        if not math.isfinite(value) or not 0 < value < 1e15:
            return None
        return value / 1000 if value > _MILLISECONDS else float(value)
    if not isinstance(value, str):
        return None
    try:
        when = datetime.fromisoformat(value)
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
