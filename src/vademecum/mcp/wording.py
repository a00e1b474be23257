"""How times, ages and sizes are written for a model."""

from __future__ import annotations

from datetime import UTC, datetime

_UNITS = ((604_800, "week"), (86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


def when(ts: float | None) -> str:
    """A time to the minute, in UTC; empty where it is not known."""
    if ts is None:
        return ""
    try:
        return datetime.fromtimestamp(ts, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (OverflowError, ValueError, OSError):
        return ""


def age(seconds: float) -> str:
    """An age in its largest unit: `3 days`."""
    for size, name in _UNITS:
        count = int(seconds // size)
        if count:
            return f"{count} {name}{'' if count == 1 else 's'}"
    return "0 seconds"


def line(*facts: str) -> str:
    """Facts on one line; empty ones are left away."""
    return " · ".join(fact for fact in facts if fact)
