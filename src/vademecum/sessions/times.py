"""Times as logs and people write them."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime

from vademecum.errors import ConfigError

#: Above this a number counts milliseconds (it is the year 5138 in seconds).
_MILLISECONDS = 1e11
_AGE = re.compile(r"(\d{1,9})\s*([smhdw])")
_UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}


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


def moment(text: str, now: float, name: str) -> float:
    """Seconds since the epoch of a date, a time or an age before now.

    Args:
        text: What a person wrote: `2026-11-30`, `2026-11-30T08:00`, `2d`.
        now: Seconds since the epoch.
        name: What was asked for, for the error.

    Raises:
        ConfigError: It is none of these.
    """
    age = _AGE.fullmatch(text.strip())
    if age is not None:
        return now - int(age[1]) * _UNITS[age[2]]
    found = seconds(text.strip())
    if found is None:
        raise ConfigError(f"{name} {text!r:.80} is no time", hint="such as 2026-11-30, 2026-11-30T08:00 or 2d")
    return found
